import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../test/support/clock.ts'
import { hold, leg, NEVER, open, settle, transfer } from '../../test/support/commands.ts'
import { MemoryStore } from '../stores/memory/memory-store.ts'
import type { Difference } from './check-codes.ts'
import { ACCOUNTS_NAMED_MAX } from './check-naming.ts'
import { check } from './check.ts'
import type { AccountId, Book, Command, Key } from './command.ts'
import type { Account, Entry, Movement } from './movement.ts'
import type { EntryPlace, FeedCursor, FeedPage } from './store.ts'

const BOOK = 'book'

/** A store that shows its readers something else than is in it, as a damaged one would. */
class DamagedStore extends MemoryStore {
  damageEntry: (entry: Entry) => Entry | null = entry => entry
  damageAccount: (account: Account) => Account = account => account
  lostKey = ''

  override async feed(book: Book, after: FeedCursor | null, limit: number): Promise<FeedPage> {
    const { movements, next } = await super.feed(book, after, limit)
    return { movements: movements.filter(({ key }) => key !== this.lostKey), next }
  }

  override async movements(book: Book, ...keys: readonly Key[]): Promise<Movement[]> {
    return super.movements(book, ...keys.filter(key => key !== this.lostKey))
  }

  override async allEntries(book: Book, after: EntryPlace | null, limit: number): Promise<Entry[]> {
    const entries = await super.allEntries(book, after, limit)
    return entries.flatMap(entry => this.damageEntry(entry) ?? [])
  }

  override async accounts(
    book: Book,
    page: { after?: AccountId; limit: number },
  ): Promise<Account[]> {
    return (await super.accounts(book, page)).map(this.damageAccount)
  }

  override async account(book: Book, id: AccountId): Promise<Account | null> {
    const account = await super.account(book, id)
    return account && this.damageAccount(account)
  }
}

/** Before each of a check's reads somebody moves money on every account, and opens one. */
class BusyStore extends DamagedStore {
  busy = false
  #writes = 0

  override async accounts(
    book: Book,
    page: { after?: AccountId; limit: number },
  ): Promise<Account[]> {
    await this.#write()
    return super.accounts(book, page)
  }

  override async account(book: Book, id: AccountId): Promise<Account | null> {
    await this.#write()
    return super.account(book, id)
  }

  override async feed(book: Book, after: FeedCursor | null, limit: number): Promise<FeedPage> {
    await this.#write()
    return super.feed(book, after, limit)
  }

  override async allEntries(book: Book, after: EntryPlace | null, limit: number): Promise<Entry[]> {
    await this.#write()
    return super.allEntries(book, after, limit)
  }

  async #write(): Promise<void> {
    if (!this.busy) return
    this.#writes += 1
    const at = this.#writes
    const fresh = `new:${at}`
    await fill(this, [
      open(fresh),
      transfer(`in-${at}`, [leg('world', fresh, 9n), leg('world', 'a', 9n), leg('a', 'b', 1n)]),
      transfer(`more-${at}`, leg('world', at > 1 ? `new:${at - 1}` : 'a', 1n)),
      hold(`held-${at}`, [leg('a', 'b', 5n), leg(fresh, 'a', 5n)]),
      hold(`paid-${at}`, leg('a', 'b', 2n)),
      settle(`paid-${at}`),
    ])
  }
}

async function fill(store: MemoryStore, commands: readonly Command[]): Promise<void> {
  for (const outcome of await store.apply(BOOK, commands, NEVER))
    expect(outcome).toMatchObject({ ok: true, replayed: false })
}

/** More entries than one page holds, and fewer movements. */
async function filled<S extends MemoryStore>(store: S): Promise<S> {
  await fill(store, [open('world', null), open('a'), open('b')])
  const transfers = Array.from({ length: 900 }, (_, at) =>
    transfer(`t-${at}`, [leg('world', 'a', 3n), leg('a', 'b', 1n)]),
  )
  await fill(store, transfers)
  return store
}

async function found(store: MemoryStore): Promise<Difference[]> {
  const differences: Difference[] = []
  for await (const each of check(store, BOOK)) differences.push(each)
  return differences
}

describe('check', () => {
  it('finds nothing in a book that does not exist', async () => {
    expect(await found(new MemoryStore())).toEqual([])
  })

  it('finds nothing where others write between any two of its reads', async () => {
    const store = await filled(new BusyStore(new ManualClock()))
    store.busy = true
    expect(await found(store)).toEqual([])
    expect((await store.account(BOOK, 'new:10'))?.version).toBe(3n)
  })

  it('finds a damaged entry while others write, and nothing more', async () => {
    const store = await filled(new BusyStore(new ManualClock()))
    store.busy = true
    store.damageEntry = entry =>
      entry.account === 'b' && entry.version === 700n
        ? { ...entry, posted: entry.posted + 1n }
        : entry
    expect(await found(store)).toEqual([
      {
        code: 'ENTRY_POSTED_DIFFERS',
        account: 'b',
        key: 't-699',
        version: 700n,
        expected: 700n,
        found: 701n,
        message: 'b version 700: posted of the entry of t-699 is 701, the movements come to 700',
      },
    ])
  })

  it('finds a lost movement while others write, and says nothing of what cannot be told', async () => {
    const store = await filled(new BusyStore(new ManualClock()))
    store.busy = true
    store.lostKey = 't-500'
    expect(await found(store)).toMatchObject([
      { code: 'ENTRY_WITHOUT_MOVEMENT', account: 'world', key: 't-500' },
      { code: 'ENTRY_WITHOUT_MOVEMENT', account: 'a', key: 't-500', version: 1_001n },
      { code: 'ENTRY_WITHOUT_MOVEMENT', account: 'b', key: 't-500', version: 501n },
    ])
  })

  it('finds a row that stays behind while others write', async () => {
    const store = await filled(new BusyStore(new ManualClock()))
    store.busy = true
    store.damageAccount = account =>
      account.id === 'b' ? { ...account, posted: 900n, version: 900n } : account
    expect(await found(store)).toMatchObject([
      { code: 'ACCOUNT_VERSION_DIFFERS', account: 'b', found: 900n },
    ])
  })

  it('names the first difference of so many accounts, and the others without it', async () => {
    const store = new DamagedStore(new ManualClock())
    const ids = Array.from({ length: ACCOUNTS_NAMED_MAX + 1 }, (_, at) => `account:${at}`)
    await fill(store, [open('world', null), ...ids.map(id => open(id))])
    await fill(
      store,
      ids.map(id => transfer(`to-${id}`, leg('world', id, 1n))),
    )
    store.damageEntry = entry => ({ ...entry, recorded: '2001-01-01T00:00:00.000Z' })
    const codes = (await found(store)).map(({ code }) => code)
    expect(codes).toEqual([
      ...ids.slice(1).map(() => 'ENTRY_RECORDED_DIFFERS'),
      'ENTRIES_DIFFER',
      'ENTRIES_DIFFER',
    ])
  })

  it('names only the account where it no longer differs when it is looked at again', async () => {
    const store = await filled(new DamagedStore(new ManualClock()))
    let reads = 0
    store.damageEntry = entry => {
      reads += 1
      return reads === 1 ? { ...entry, held: 1n } : entry
    }
    expect(await found(store)).toMatchObject([
      { code: 'ENTRIES_DIFFER', account: 'a', version: 1_800n },
    ])
  })
})
