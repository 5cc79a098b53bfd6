import type { Instant } from '../instant.ts'
import type { AccountId, Book, Command, Key } from './command.ts'
import type { Account, Entry, Movement } from './movement.ts'
import type { Outcome } from './outcome.ts'

/** The instant, by the store's clock, from which on a list may no longer take effect. */
export type Deadline = Instant

/** Where a feed goes on: opaque text that a page of the feed gave. */
export type FeedCursor = string

/** A page of movements in the order in which they took effect, and where the next one starts. */
export interface FeedPage {
  readonly movements: readonly Movement[]
  readonly next: FeedCursor
}

/** Where an entry stands among all entries of a book. */
export type EntryPlace = Pick<Entry, 'account' | 'version'>

/** The port through which the ledger reaches a database. One conformance suite runs against each. */
export interface Store {
  /**
   * Outcomes equal applying the commands one by one, in order, at one instant. One commit, one
   * round trip. Throws a {@link ListNotApplied} where certainly nothing was done, any other error
   * where the outcome is unknown.
   */
  apply(book: Book, commands: readonly Command[], deadline: Deadline): Promise<Outcome[]>
  /** The time by the clock that the store keeps a book by. */
  now(book: Book): Promise<Instant>
  /** An account now, or as it stood at the recorded time `at`; null where there is none. */
  account(book: Book, id: AccountId, at?: Instant): Promise<Account | null>
  /** Accounts by id, those after `after`, at most `limit`. */
  accounts(book: Book, page: { after?: AccountId; limit: number }): Promise<Account[]>
  /** An account's entries, newest first, those below version `before`, at most `limit`. */
  entries(book: Book, id: AccountId, page: { before?: bigint; limit: number }): Promise<Entry[]>
  /**
   * All entries of a book by account and version, those after `after` (null: from the start), at
   * most `limit`. What was committed before the read began is in it.
   */
  allEntries(book: Book, after: EntryPlace | null, limit: number): Promise<Entry[]>
  /**
   * The movements under these keys, by key: of each the first, and its end where it is a hold that
   * has ended.
   */
  movements(book: Book, ...keys: readonly Key[]): Promise<Movement[]>

  /**
   * What has been reversed of a transfer or of a settled hold so far, leg by leg, in minor units;
   * empty where nothing has been. What was committed before the read began is in it.
   */
  reversed(book: Book, of: Key): Promise<bigint[]>
  /**
   * Movements in the order in which they took effect, after a cursor (null: from the start). A
   * cursor stays good when the data comes to another server, by a failover or a dump; not where an
   * older copy of the server's own files is put back (docs/adr/0003-the-feed.md).
   */
  feed(book: Book, after: FeedCursor | null, limit: number): Promise<FeedPage>
  /** Holds that have expired and have not ended, oldest first, at most `limit`. */
  expiredHolds(book: Book, limit: number): Promise<Key[]>
  /** The ids of all books, by id. */
  books(): Promise<Book[]>
}

/**
 * Why a list certainly did nothing: it came after its deadline; it met another one at the same
 * moment; or the store said no to it, as it will every time.
 */
export type NotAppliedReason = 'deadline' | 'conflict' | 'failed'

const NOT_APPLIED: Readonly<Record<NotAppliedReason, string>> = {
  deadline: 'The list reached the store after its deadline',
  conflict: 'The list met another one at the same moment',
  failed: 'The store could not carry out the list',
}

/** Thrown by a store where a list certainly did nothing. The store's own error is its `cause`. */
export class ListNotApplied extends Error {
  override readonly name: string = 'ListNotApplied'
  readonly reason: NotAppliedReason
  constructor(reason: NotAppliedReason, options?: { cause?: unknown }) {
    super(NOT_APPLIED[reason], options)
    this.reason = reason
  }
}

/** Thrown by a store that finds a movement which it cannot have written. `check` names it. */
export class UnreadableMovement extends Error {
  override readonly name: string = 'UnreadableMovement'
  readonly book: Book
  readonly key: Key
  constructor(book: Book, key: Key, why: string) {
    super(`the movement ${key} of the book ${book} cannot be read: ${why}`)
    this.book = book
    this.key = key
  }
}

/** The caller's own transaction: whatever runs one SQL statement with `$1`, `$2`, ... bound. */
export interface Transaction {
  query(text: string, values?: unknown[]): Promise<{ rows: Record<string, unknown>[] }>
}

/** A store that can apply a list inside the caller's own transaction. */
export interface TransactionalStore extends Store {
  /**
   * As `apply`, without a deadline: the movements commit with what else the transaction does.
   * Throws {@link RetryTransaction} where the whole transaction must be run again.
   */
  applyWithin(tx: Transaction, book: Book, commands: readonly Command[]): Promise<Outcome[]>
}

/** The caller's transaction met another list at the same moment: roll back and run it again. */
export class RetryTransaction extends Error {
  override readonly name: string = 'RetryTransaction'
  constructor(options?: { cause?: unknown }) {
    super(
      'The transaction met another list at the same moment: roll back and run it again',
      options,
    )
  }
}
