import { NOTHING, type AccountRecord, type AccountRecords, type Balance } from './check-accounts.ts'
import type { Report } from './check-codes.ts'
import { EntryHash } from './check-hash.ts'
import { readEach } from './check-pages.ts'
import type { AccountId, Key } from './command.ts'
import type { Account, Entry } from './movement.ts'

/** What has been read of the entries of one account. */
interface Reading {
  readonly record: AccountRecord
  readonly hash: EntryHash
  last: Balance
  /** At the version of the account's row; null before it has been reached. */
  atRow: Balance | null
  /** At the version that the feed had come to, or the last one before it. */
  atFeed: Balance
}

/**
 * Lets all entries of a book pass by account and version, and holds each account's against its row
 * and against what its movements came to. What was written since the feed was read is left for
 * later: `AccountRecord.agrees` is settled when the feed has been read on.
 */
export class EntryWalk {
  readonly #accounts: AccountRecords
  readonly #report: Report
  #reading: Reading | null = null
  /** Accounts whose row was read before their newest entry was written, as it seems. */
  readonly #behind: AccountRecord[] = []

  constructor(accounts: AccountRecords, report: Report) {
    this.#accounts = accounts
    this.#report = report
  }

  async page(entries: readonly Entry[]): Promise<void> {
    const unknown = new Map<AccountId, Key>()
    let last: AccountId | null = null
    for (const { account, key } of entries) {
      if (account !== last && !this.#accounts.has(account)) unknown.set(account, key)
      last = account
    }
    await this.#accounts.learn(unknown)
    for (const entry of entries) this.#entry(entry)
  }

  /** To be called after the last page. `read` gives an account as it is now. */
  async end(read: (id: AccountId) => Promise<Account | null>): Promise<void> {
    this.#finish(this.#reading)
    for (const record of this.#accounts.values())
      if (!record.entries) this.#finish(newReading(record))
    for (const [record, account] of await readEach(this.#behind, each => read(each.id))) {
      const newest = record.entries?.last.version ?? 0n
      if (account && account.version < newest)
        this.#rowVersionDiffers(record.id, newest, account.version)
    }
  }

  #entry(entry: Entry): void {
    if (this.#reading?.record.id !== entry.account) {
      this.#finish(this.#reading)
      this.#reading = newReading(this.#accounts.of(entry.account))
    }
    const reading = this.#reading
    const { version } = entry
    reading.hash.add(entry)
    reading.last = entry
    if (version === reading.record.row?.version) reading.atRow = entry
    if (version <= reading.record.balance.version) reading.atFeed = entry
  }

  #finish(reading: Reading | null): void {
    if (!reading) return
    const { record, hash, last, atFeed } = reading
    record.entries = { last: balanceIn(last), atFeed: balanceIn(atFeed), hash }
    record.compareEntries()
    this.#compareRow(reading)
  }

  #compareRow({ record, last, atRow }: Reading): void {
    const { id: account, row } = record
    if (!row || row.version < last.version) this.#behind.push(record)
    if (!row) return
    const { version } = row
    if (version > last.version) this.#rowVersionDiffers(account, last.version, version)
    if (!atRow) return
    const place = `${account}: its row at version ${version}`
    if (row.posted !== atRow.posted)
      this.#report({
        code: 'ACCOUNT_POSTED_DIFFERS',
        account,
        version,
        expected: atRow.posted,
        found: row.posted,
        message: `${place} has posted ${row.posted}, its entry ${atRow.posted}`,
      })
    if (row.held !== atRow.held)
      this.#report({
        code: 'ACCOUNT_HELD_DIFFERS',
        account,
        version,
        expected: atRow.held,
        found: row.held,
        message: `${place} has held ${row.held}, its entry ${atRow.held}`,
      })
  }

  #rowVersionDiffers(account: AccountId, expected: bigint, found: bigint): void {
    const message = `${account}: its row has version ${found}, its newest entry ${expected}`
    this.#report({
      code: 'ACCOUNT_VERSION_DIFFERS',
      account,
      version: expected,
      expected,
      found,
      message,
    })
  }
}

/** What is kept of an entry is no more than this. */
function balanceIn({ version, posted, held }: Balance): Balance {
  return { version, posted, held }
}

function newReading(record: AccountRecord): Reading {
  const atRow = record.row?.version === 0n ? NOTHING : null
  return { record, hash: new EntryHash(), last: NOTHING, atRow, atFeed: NOTHING }
}
