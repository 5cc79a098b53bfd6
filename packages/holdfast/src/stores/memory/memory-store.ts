import { systemClock, type Clock, type Instant } from '../../instant.ts'
import type { AccountId, Book, Command, Key } from '../../ledger/command.ts'
import { decide, hasExpired } from '../../ledger/decide.ts'
import type { LedgerState } from '../../ledger/draft.ts'
import type { Account, Entry, Movement } from '../../ledger/movement.ts'
import type { Outcome } from '../../ledger/outcome.ts'
import { reversedByLeg } from '../../ledger/reversed.ts'
import { AMOUNT_MAX } from '../../money/amount.ts'
import {
  ListNotApplied,
  type Deadline,
  type EntryPlace,
  type FeedCursor,
  type FeedPage,
  type Store,
} from '../../ledger/store.ts'

/** A book in memory. */
class MemoryBook implements LedgerState {
  readonly book: Book
  readonly accounts: Map<AccountId, Account> = new Map()
  readonly movements: Map<string, Movement> = new Map()
  readonly entriesOf: Map<AccountId, Entry[]> = new Map()
  readonly reversalsOf: Map<Key, Movement[]> = new Map()
  readonly feed: Movement[] = []

  constructor(book: Book) {
    this.book = book
  }

  account(id: AccountId): Account | undefined {
    return this.accounts.get(id)
  }

  movement(key: Key, part: 0 | 1): Movement | undefined {
    return this.movements.get(`${part} ${key}`)
  }

  reversals(of: Key): readonly Movement[] {
    return this.reversalsOf.get(of) ?? []
  }

  add(movement: Movement): void {
    this.movements.set(`${movement.part} ${movement.key}`, movement)
    this.feed.push(movement)
    if (movement.of === null) return
    this.reversalsOf.set(movement.of, [...this.reversals(movement.of), movement])
  }
}

/**
 * The model: runs `decide` as it stands, keeps everything in the process and nothing beyond it.
 * For tests and for trying things; `clock` is the store's clock, `balanceMax` how far from zero a
 * balance may lie, in minor units.
 */
export class MemoryStore implements Store {
  readonly #clock: Clock
  readonly #balanceMax: bigint
  readonly #books: Map<Book, MemoryBook> = new Map()
  #lastRecorded: Instant = ''

  constructor(clock: Clock = systemClock, balanceMax: bigint = AMOUNT_MAX) {
    this.#clock = clock
    this.#balanceMax = balanceMax
  }

  apply(book: Book, commands: readonly Command[], deadline: Deadline): Promise<Outcome[]> {
    return this.#answer(() => {
      const now = this.#clock.now()
      if (now >= deadline) throw new ListNotApplied('deadline')
      const recorded = now > this.#lastRecorded ? now : this.#lastRecorded
      const state = this.#books.get(book) ?? new MemoryBook(book)
      const { outcomes, changes } = decide(state, commands, recorded, this.#balanceMax)
      this.#lastRecorded = recorded
      this.#books.set(book, state)
      for (const [id, account] of changes.accounts) state.accounts.set(id, account)
      for (const movement of changes.movements) state.add(movement)
      for (const entry of changes.entries) {
        const entries = state.entriesOf.get(entry.account)
        if (entries) entries.push(entry)
        else state.entriesOf.set(entry.account, [entry])
      }
      return outcomes
    })
  }

  now(): Promise<Instant> {
    return this.#answer(() => this.#clock.now())
  }

  account(book: Book, id: AccountId, at?: Instant): Promise<Account | null> {
    return this.#answer(() => {
      const account = this.#books.get(book)?.account(id) ?? null
      if (!account || at === undefined) return account
      const entry = this.#entries(book, id).findLast(each => each.recorded <= at)
      const { posted, held, version } = entry ?? { posted: 0n, held: 0n, version: 0n }
      return { ...account, posted, held, version }
    })
  }

  accounts(book: Book, page: { after?: AccountId; limit: number }): Promise<Account[]> {
    return this.#answer(() =>
      [...(this.#books.get(book)?.accounts.values() ?? [])]
        .filter(account => page.after === undefined || account.id > page.after)
        .sort((first, second) => (first.id < second.id ? -1 : 1))
        .slice(0, page.limit),
    )
  }

  entries(book: Book, id: AccountId, page: { before?: bigint; limit: number }): Promise<Entry[]> {
    return this.#answer(() =>
      this.#entries(book, id)
        .filter(entry => page.before === undefined || entry.version < page.before)
        .reverse()
        .slice(0, page.limit),
    )
  }

  allEntries(book: Book, after: EntryPlace | null, limit: number): Promise<Entry[]> {
    return this.#answer(() => {
      const page: Entry[] = []
      const ids = [...(this.#books.get(book)?.entriesOf.keys() ?? [])]
      for (const id of ids.filter(each => !after || each >= after.account).sort()) {
        // The version counts up from 1, so it is also the place in the list.
        const start = id === after?.account ? Number(after.version) : 0
        page.push(...this.#entries(book, id).slice(start, start + limit - page.length))
        if (page.length === limit) break
      }
      return page
    })
  }

  movements(book: Book, ...keys: readonly Key[]): Promise<Movement[]> {
    return this.#answer(() =>
      [...new Set(keys)]
        .sort()
        .flatMap(key =>
          ([0, 1] as const).flatMap(part => this.#books.get(book)?.movement(key, part) ?? []),
        ),
    )
  }

  reversed(book: Book, of: Key): Promise<bigint[]> {
    return this.#answer(() => reversedByLeg(this.#books.get(book)?.reversals(of) ?? []))
  }

  feed(book: Book, after: FeedCursor | null, limit: number): Promise<FeedPage> {
    return this.#answer(() => {
      const start = after === null ? 0 : Number(after)
      const movements = (this.#books.get(book)?.feed ?? []).slice(start, start + limit)
      return { movements, next: String(start + movements.length) }
    })
  }

  expiredHolds(book: Book, limit: number): Promise<Key[]> {
    return this.#answer(() => {
      const state = this.#books.get(book)
      const now = this.#clock.now()
      return (state?.feed ?? [])
        .filter(movement => movement.kind === 'hold' && hasExpired(movement, now))
        .filter(hold => !state?.movement(hold.key, 1))
        .map(hold => hold.key)
        .slice(0, limit)
    })
  }

  books(): Promise<Book[]> {
    return this.#answer(() =>
      [...this.#books.values()]
        .filter(state => state.accounts.size > 0)
        .map(state => state.book)
        .sort(),
    )
  }

  #entries(book: Book, id: AccountId): readonly Entry[] {
    return this.#books.get(book)?.entriesOf.get(id) ?? []
  }

  /** Settles as a database would: later, and with a rejection instead of a throw. */
  async #answer<T>(run: () => T): Promise<T> {
    await Promise.resolve()
    return run()
  }
}
