import type { Instant } from '../instant.ts'
import type { Book } from '../ledger/command.ts'
import type { Attempt, AttemptAnswer, Payout, PayoutStatus } from './payout.ts'
import type { NewPayout } from './request.ts'
import type { HoldEnd } from './transitions.ts'

/** Where a list goes on: opaque text that stands on every record. */
export type PayoutCursor = string

/** A payout with what only this room needs to know of it. */
export interface PayoutRecord {
  readonly payout: Payout
  /** How its hold ends, once that is decided: from then on nothing else can happen to it. */
  readonly holdEnd: HoldEnd | null
  /** What has come back in total, while it is on its way into the books. */
  readonly returnTotal: bigint | null
  readonly cursor: PayoutCursor
}

/** The right of one worker to work on a payout, by the database's clock. */
export interface Lease {
  /** Grows with every lease: a worker whose token is old moves nothing. */
  readonly token: bigint
  readonly takenAt: Instant
  readonly until: Instant
}

/** A payout in the hands of one worker, and the lease under which it is. */
export interface Leased {
  readonly record: PayoutRecord
  readonly lease: Lease
}

/** Which payouts a worker wants to lease. */
export interface LeaseFilter {
  readonly statuses: readonly PayoutStatus[]
  readonly gateways: readonly string[]
  readonly batch?: string
  readonly ids?: readonly string[]
  readonly after?: PayoutCursor
  readonly limit: number
}

/** A move from one status to another. It happens only where everything that it names is so. */
export interface Move {
  readonly id: string
  readonly from: PayoutStatus
  readonly to: PayoutStatus
  readonly holdEnd: HoldEnd | null
  /** The lease under which it is made; null for moves that any worker may finish. */
  readonly token: bigint | null
  /** What stands on the row afterwards. */
  readonly reason: string | null
  /** Whether the lease goes on. */
  readonly keepLease: boolean
  /** Named where the gateway has given one now. */
  readonly reference?: string | null
  /** For `reversed`: what has come back in total; the row must have announced it. */
  readonly returned?: bigint
}

/** The decision how a hold ends, before the ledger is told. */
export interface HoldEndMark {
  readonly id: string
  readonly from: readonly PayoutStatus[]
  readonly holdEnd: HoldEnd
  readonly token: bigint | null
  readonly reason: string | null
  readonly reference: string | null
  readonly returnTotal: bigint | null
}

/** A payout whose place another one takes. */
export type Original = Pick<Payout, 'id' | 'status'>

/** What came of an attempt, as it is written down. */
export interface AttemptEnd {
  readonly answer: AttemptAnswer
  readonly reason: string | null
  readonly reference: string | null
}

/** Which payouts a list shows; what is absent does not narrow it. */
export interface PayoutFilter {
  readonly statuses?: readonly PayoutStatus[]
  readonly batch?: string
  readonly account?: string
  readonly gateway?: string
}

/**
 * Where payouts are kept. Each call is one atomic step. A call that throws may have taken effect:
 * all that is built on it holds in both cases.
 */
export interface PayoutRepository {
  /**
   * Writes payouts down as `requested`, each leased. Leaves out those whose request key, id or
   * `retryOf` is taken, and those whose `retryOf` is no failed payout, or takes the place of one that
   * is no longer failed.
   */
  insert(book: Book, payouts: readonly NewPayout[], leaseMs: number): Promise<Leased[]>
  find(
    book: Book,
    wanted: { ids?: readonly string[]; requestKeys?: readonly string[] },
  ): Promise<PayoutRecord[]>
  /** In the order in which they were requested. */
  list(
    book: Book,
    filter: PayoutFilter,
    page: { after?: PayoutCursor; limit: number },
  ): Promise<PayoutRecord[]>
  /** By number. */
  attempts(book: Book, id: string): Promise<Attempt[]>
  /** Leases payouts that nobody holds, in the order in which they were requested. */
  lease(book: Book, filter: LeaseFilter, leaseMs: number): Promise<Leased[]>
  /**
   * Ends a lease; the reason says why the payout stays where it is. False where it is no longer the
   * lease of this token.
   */
  giveUpLease(book: Book, id: string, token: bigint, reason: string): Promise<boolean>
  /** The one statement that moves a row (I9). Returns those that moved. */
  move(book: Book, moves: readonly Move[]): Promise<PayoutRecord[]>
  /** Marks where nothing is marked yet; returns those that were marked by this call. */
  markHoldEnd(book: Book, marks: readonly HoldEndMark[]): Promise<PayoutRecord[]>
  /** Announces a return, where `returned` is what the row says and none is announced. */
  markReturn(book: Book, id: string, returned: bigint, total: bigint): Promise<PayoutRecord | null>
  /** Payouts with a cancel or a return that was begun and not finished. */
  unfinished(book: Book, page: { after?: PayoutCursor; limit: number }): Promise<PayoutRecord[]>
  /**
   * Takes up refused payouts that were taken over while a hold may have been on its way: each again
   * and again, ever more seldom.
   */
  lateHolds(book: Book, limit: number): Promise<string[]>
  /**
   * Of these, the payouts that take the place of one that was paid after all, however far back, with
   * that one.
   */
  paidOriginals(book: Book, ids: readonly string[]): Promise<ReadonlyMap<string, Original>>
  /**
   * Commits an attempt (I7); null where the lease is over, the end of the hold is decided, or a
   * payout whose place it takes is no longer failed.
   */
  startAttempt(book: Book, id: string, token: bigint, sendWithinMs: number): Promise<Attempt | null>
  /** Keeps what came of an attempt, whoever holds the lease by now: it is evidence. */
  recordAnswer(book: Book, id: string, number: number, end: AttemptEnd): Promise<void>
  /**
   * Keeps one person's word that a hold may be released, and returns how many people have said so
   * since the last attempt.
   */
  keepReleaseWord(book: Book, id: string, person: string, reason: string): Promise<number>
  /** Forgets who was paid, for payouts that have come to an end; returns the ids of these. */
  erasePayees(book: Book, ids: readonly string[]): Promise<string[]>
}
