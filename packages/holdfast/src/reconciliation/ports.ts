import type { Instant } from '../instant.ts'
import type { AccountId, Command } from '../ledger/command.ts'
import type { Account } from '../ledger/movement.ts'
import type { Outcome } from '../ledger/outcome.ts'
import type { PayoutStatus } from '../payouts/payout.ts'
import type { Coverage } from '../payouts/resolve.ts'
import type { IntakeId, NumberedLine } from '../statements/intake-ports.ts'
import type { Allocation } from './allocation.ts'
import type { Finding } from './finding.ts'
import type { Matched } from './match.ts'
import type { KnownPayout, PayoutBatch, Seen } from './matching.ts'

/** What reconciliation asks of the ledger; `Ledger` satisfies it. */
export interface ReconciliationLedger {
  submit(command: Command): Promise<Outcome>
  account(id: AccountId, at?: Instant): Promise<Account | null>
}

/** What reconciliation asks the payouts to do. Each may be asked again and then changes nothing. */
export interface PayoutActions {
  /**
   * Asks the gateway about every payout that was sent and has no final answer, with what final
   * statements prove of each.
   */
  resolve(coverage: Coverage): Promise<unknown>
  /** A statement shows it paid: evidence that settles a payout that is processing or unknown. */
  recordPaid(payout: string): Promise<unknown>
  /** A statement shows it paid although its hold was released; the ledger is not touched. */
  paidAfterRelease(payout: string): Promise<unknown>
  /** So much has come back of it in all, in minor units. */
  recordReturn(payout: string, totalReturned: bigint): Promise<unknown>
}

/** How many payouts stand how, and what they add up to in minor units. */
export interface PayoutTotal {
  readonly status: PayoutStatus
  /** Whether a line has paid it. */
  readonly onStatement: boolean
  readonly count: number
  readonly sum: bigint
}

/** A batch line that can only be matched as a whole. Its amount is in minor units. */
export interface BatchQuery {
  /** Texts of the line that may be the name of a batch. */
  readonly names: readonly string[]
  readonly sums: readonly bigint[]
  readonly count: number | null
}

/** What reconciliation reads of the payouts of its gateway. */
export interface PayoutReads {
  /** Those there are among the ids, at most {@link PAGE_LINES_MAX} lines' worth of them. */
  byIds(ids: readonly string[]): Promise<KnownPayout[]>
  /** Batches by name, or else of the sum and count of what was sent and has not failed. */
  batches(query: BatchQuery): Promise<PayoutBatch[]>
  /** Paid before an instant, and on no statement; by id, those after `after`, at most `limit`. */
  paidButUnseen(before: Instant, page: { after: string; limit: number }): Promise<KnownPayout[]>
  totals(): Promise<PayoutTotal[]>
  /** The ids of payouts that were sent, have no final answer, and may be what a line is about. */
  inDoubt(): Promise<ReadonlySet<string>>
}

/** Lines are read and matched so many at a time. */
export const PAGE_LINES_MAX = 1_000

/** An accepted statement, and how far it has come. Balances are signed, in minor units. */
export interface AcceptedStatement {
  readonly intake: IntakeId
  /** The SHA-256 of its file, in hexadecimal. */
  readonly hash: string
  /** Counts from 1 in its file. */
  readonly number: number
  readonly id: string | null
  readonly account: string | null
  readonly lines: number
  readonly bookedLines: number
  readonly firstDay: string | null
  readonly lastDay: string | null
  /** What it is ordered by: its last day, or that of the one before where it is empty. */
  readonly day: string | null
  readonly opening: bigint | null
  readonly closing: bigint | null
  /** The closing balance of the statement before it, null where there is none. */
  readonly closingBefore: bigint | null
  readonly accepted: Instant
  readonly final: boolean
  readonly posted: boolean
  /**
   * What our books say of the account at the bank after this statement and those before it, seen as
   * the bank sees it; null while it is not posted.
   */
  readonly books: bigint | null
}

/**
 * The lines of a statement are matched in three sweeps: debits but for those that wait until it is
 * known what the others pay, debits that have waited, and credits.
 */
export const SWEEPS = ['debit', 'waiting', 'credit'] as const

/** How far the lines of one sweep have been matched: up to and with `line`. */
export interface MatchCursor {
  readonly sweep: (typeof SWEEPS)[number]
  readonly line: number
}

/** The next lines to match, of one sweep. */
export interface LinePage {
  readonly after: MatchCursor
  readonly lines: readonly NumberedLine[]
}

/** What the lines of a statement ended as: a sum for each place, role and side. */
export interface PlaceSum extends Pick<Allocation, 'place' | 'role'> {
  /** Signed: what left and what came in are apart. */
  readonly books: bigint
  readonly bank: bigint
  readonly booksCount: number
  readonly bankCount: number
}

/** A payout that a statement has matched. */
export interface MatchedPayout {
  readonly payout: string
  /** Whether a line of this statement pays it. */
  readonly paid: boolean
  /** What has come back of it on all statements, in minor units. */
  readonly returned: bigint
}

/** Where a credit stands that was left aside, and is a return by now. */
export interface ReturnPlace {
  readonly intake: IntakeId
  readonly statement: number
  readonly line: number
  /** The detail of a batch line, counts from 1; 0 is the line itself. */
  readonly detail: number
}

/** A credit that was posted to suspense since nobody had paid its payout, which is paid by now. */
export interface LateReturn {
  readonly place: ReturnPlace
  readonly line: NumberedLine
}

/** A late return that was matched again, and that the ledger has not been told of. */
export interface UnpostedReturn {
  readonly place: ReturnPlace
  /** The SHA-256 of its file, in hexadecimal. */
  readonly hash: string
  readonly matched: MatchedPayout
  /** What it moves beside what its statement has posted: it adds up to nothing. */
  readonly sums: readonly Pick<PlaceSum, 'place' | 'books'>[]
}

/** The accepted statements of one bank in one book, and what was made of them. */
export interface ReconciliationStore {
  /** Statements that are not posted, in order. */
  unposted(): Promise<AcceptedStatement[]>
  /** The statements of some files, in order. */
  statements(intakes: readonly IntakeId[]): Promise<AcceptedStatement[]>
  /** All statements that are posted, in order. */
  posted(): Promise<AcceptedStatement[]>
  /** The bank will add no lines to the days of these files. */
  markFinal(intakes: readonly IntakeId[]): Promise<void>
  /** The next page of lines, at most {@link PAGE_LINES_MAX}; null where all have been matched. */
  nextLines(statement: AcceptedStatement): Promise<LinePage | null>
  /**
   * Matches a page and writes down what became of it, in one step and in the turn of the bank:
   * `match` is given what the bank's lines so far have been matched with. Does nothing where somebody
   * else has matched the page.
   */
  recordPage(
    statement: AcceptedStatement,
    page: LinePage,
    payouts: readonly string[],
    match: (seen: Seen) => Matched,
  ): Promise<void>
  /** Payouts that the statement has matched, by id, those after `after`, at most `limit`. */
  matchedPayouts(
    statement: AcceptedStatement,
    page: { after: string; limit: number },
  ): Promise<MatchedPayout[]>
  /**
   * A payout that a line of the statement pays has failed since it was matched: adds the finding,
   * once, and moves the line from clearing to suspense.
   */
  movePaidAfterRelease(statement: AcceptedStatement, payout: string): Promise<void>
  /** Returns that were posted before their payment was known, and can be matched now. */
  lateReturns(limit: number): Promise<LateReturn[]>
  /**
   * Matches a late return again and writes down what became of it, in one step and in the turn of
   * the bank. Does nothing where somebody else has.
   */
  recordLateReturn(
    place: ReturnPlace,
    payouts: readonly string[],
    match: (seen: Seen) => Matched,
  ): Promise<void>
  /** Late returns that were matched and that nobody has marked as posted. */
  unpostedReturns(limit: number): Promise<UnpostedReturn[]>
  markReturnPosted(place: ReturnPlace): Promise<void>
  sums(statement: AcceptedStatement): Promise<PlaceSum[]>
  /** What the books said right after the statement was posted; the first one to say it is kept. */
  markPosted(statement: AcceptedStatement, posted: Instant | null, books: bigint): Promise<void>
  /** Findings about lines of these files, in the order of the lines, at most `limit`. */
  findings(intakes: readonly IntakeId[], limit: number): Promise<Finding[]>
}
