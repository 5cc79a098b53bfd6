import type { Instant } from '../instant.ts'
import type { Difference, Report } from './check-codes.ts'
import { EntryHash } from './check-hash.ts'
import { readEach } from './check-pages.ts'
import type { AccountId, Asset, Book, Key } from './command.ts'
import type { Account } from './movement.ts'
import type { Store } from './store.ts'

/** An account's amounts at one of its versions, in minor units. */
export interface Balance {
  readonly version: bigint
  readonly posted: bigint
  readonly held: bigint
}

export const NOTHING: Balance = { version: 0n, posted: 0n, held: 0n }

/** What is kept of the entries of one account. */
export interface EntriesRead {
  readonly last: Balance
  /** At the version that the feed had come to before, or the last one below it. */
  readonly atFeed: Balance
  readonly hash: EntryHash
}

/** All that is kept of one account during a check: little, since every account of a book has one. */
export class AccountRecord {
  readonly id: AccountId
  /** Null where there is no such account. */
  readonly asset: Asset | null
  readonly floor: bigint | null
  /** The account's row as it was read before all else; null where it has been opened since. */
  readonly row: Balance | null
  /** What the movements so far come to. */
  balance: Balance = NOTHING
  recorded: Instant = ''
  readonly hash: EntryHash = new EntryHash()
  /** What its open holds hold when the feed has been read. */
  inHolds = 0n
  /** What was read of its entries; null before that. */
  entries: EntriesRead | null = null
  /** Whether the entries are those that the movements must have written. */
  agrees = false
  crossing: Difference | null = null
  assetDiffers = false

  constructor(id: AccountId, account: Account | null, row: Balance | null) {
    this.id = id
    this.asset = account?.asset ?? null
    this.floor = account?.floor ?? null
    this.row = row
  }

  /** To be called whenever the movements have come to another version. */
  compareEntries(): void {
    const { entries, balance, hash } = this
    if (entries?.last.version === balance.version) this.agrees = hash.equals(entries.hash)
  }
}

/** The accounts of a book during a check. */
export class AccountRecords {
  readonly #store: Store
  readonly #book: Book
  readonly #report: Report
  readonly #records = new Map<AccountId, AccountRecord>()

  constructor(store: Store, book: Book, report: Report) {
    this.#store = store
    this.#book = book
    this.#report = report
  }

  /** The record of an account that has been added or learned before. */
  of(id: AccountId): AccountRecord {
    const record = this.#records.get(id)
    if (!record) throw new Error(`account ${id} was not read before it was needed`)
    return record
  }

  has(id: AccountId): boolean {
    return this.#records.has(id)
  }

  values(): Iterable<AccountRecord> {
    return this.#records.values()
  }

  add(account: Account): void {
    this.#records.set(account.id, new AccountRecord(account.id, account, account))
  }

  /**
   * Reads accounts that were opened since, each with the key that named it; what is not there is a
   * difference.
   */
  async learn(named: ReadonlyMap<AccountId, Key>): Promise<void> {
    const ids = [...named.keys()].filter(id => !this.has(id))
    for (const [id, account] of await readEach(ids, each =>
      this.#store.account(this.#book, each),
    )) {
      this.#records.set(id, new AccountRecord(id, account, null))
      if (account) continue
      const key = named.get(id) ?? ''
      const message = `${key} names the account ${id}, which is not there`
      this.#report({ code: 'ACCOUNT_MISSING', account: id, key, message })
    }
  }
}
