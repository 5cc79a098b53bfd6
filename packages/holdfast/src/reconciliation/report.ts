import type { Asset, Book } from '../ledger/command.ts'
import type { PayoutStatus } from '../payouts/payout.ts'
import { gapBefore } from './cover.ts'
import type { Finding } from './finding.ts'
import type { AcceptedStatement, PayoutTotal, PlaceSum } from './ports.ts'

/** At most so many findings are listed in one report. */
export const FINDINGS_MAX = 10_000

/** How many, and what they add up to: signed, in minor units, negative for money that leaves. */
export interface CountedSum {
  readonly count: number
  readonly sum: bigint
}

/** What a part of a bank's line turned out to be. */
export const LINE_RESULTS = ['paid', 'returned', 'fees', 'suspense-out', 'suspense-in'] as const

/** One of {@link LINE_RESULTS}. */
export type LineResult = (typeof LINE_RESULTS)[number]

/** What each result is called, for a person. */
export const LINE_RESULT_LABELS: Readonly<Record<LineResult, string>> = {
  paid: 'Paid',
  returned: 'Returned',
  fees: 'Fees of the bank',
  'suspense-out': 'Not ours, out (suspense)',
  'suspense-in': 'Not ours, in (suspense)',
}

/** Books beside bank for one {@link LineResult}. */
export interface LineResultRow {
  readonly outcome: LineResult
  readonly books: CountedSum
  readonly bank: CountedSum
}

/** Where our payouts stand that no statement shows, now. */
export const STANDINGS = [
  'in-transit',
  'unknown',
  'waiting',
  'failed',
  'cancelled',
  'refused',
] as const

/** One of {@link STANDINGS}. */
export type Standing = (typeof STANDINGS)[number]

/** What each standing is called, for a person. */
export const STANDING_LABELS: Readonly<Record<Standing, string>> = {
  'in-transit': 'In transit: paid, on no statement yet',
  unknown: 'Unknown: sent, no final answer, on hold',
  waiting: 'Waiting: not sent yet',
  failed: 'Failed: given back',
  cancelled: 'Cancelled',
  refused: 'Refused',
}

const STANDING_OF: Readonly<Record<PayoutStatus, Standing>> = {
  requested: 'waiting',
  pending: 'waiting',
  approved: 'waiting',
  processing: 'unknown',
  unknown: 'unknown',
  success: 'in-transit',
  reversed: 'in-transit',
  failed: 'failed',
  cancelled: 'cancelled',
  refused: 'refused',
}

/** Our payouts of one {@link Standing}. */
export interface StandingRow extends CountedSum {
  readonly standing: Standing
}

/** A statement with what our books say of the account after it. */
export interface StatementRow {
  readonly hash: string
  readonly number: number
  readonly id: string | null
  readonly account: string | null
  readonly firstDay: string | null
  readonly lastDay: string | null
  readonly lines: number
  /** Lines that are not booked, so that nothing moved; they are matched with nothing. */
  readonly notBooked: number
  readonly final: boolean
  /** Signed, in minor units, as the bank sees them; null where the file does not say. */
  readonly opening: bigint | null
  readonly closing: bigint | null
  readonly books: bigint | null
  /** What is missing between the statement before and this one; null for no gap. */
  readonly gap: bigint | null
}

/** What a reconciliation found: books beside bank. It holds no personal data. */
export interface ReconciliationReport {
  readonly book: Book
  readonly bank: string
  readonly asset: Asset
  readonly statements: readonly StatementRow[]
  /** What moved at the bank in these statements, by outcome, and in total. */
  readonly outcomes: readonly LineResultRow[]
  readonly total: { readonly books: CountedSum; readonly bank: CountedSum }
  /** Payouts that no statement of any day shows, as they stand now. */
  readonly standings: readonly StandingRow[]
  /** What has left a hold and was not seen at the bank, and what nobody has explained yet. */
  readonly clearing: bigint
  readonly suspense: bigint
  readonly findings: readonly Finding[]
  /** Whether there are more findings than are listed. */
  readonly more: boolean
}

/** Everything that a report is made of. */
export interface ReportParts extends Pick<
  ReconciliationReport,
  'book' | 'bank' | 'asset' | 'clearing' | 'suspense'
> {
  readonly statements: readonly AcceptedStatement[]
  readonly sums: readonly PlaceSum[]
  readonly totals: readonly PayoutTotal[]
  /** Findings about lines and missing payouts. */
  readonly findings: readonly Finding[]
}

/** Puts a report together. Adds a `BALANCE_DIFFERS` for each statement after which the books differ. */
export function buildReport(parts: ReportParts): ReconciliationReport {
  const { book, bank, asset, clearing, suspense, statements } = parts
  const outcomes = LINE_RESULTS.map(outcome => lineResultRow(outcome, parts.sums))
  const findings = [...parts.findings, ...statements.flatMap(balanceDiffers)]
  return {
    book,
    bank,
    asset,
    clearing,
    suspense,
    statements: statements.map(statementRow),
    outcomes,
    total: {
      books: addUp(outcomes.map(row => row.books)),
      bank: addUp(outcomes.map(row => row.bank)),
    },
    standings: STANDINGS.map(standing => standingRow(standing, parts.totals)),
    findings: findings.slice(0, FINDINGS_MAX),
    more: findings.length > FINDINGS_MAX,
  }
}

/** Whether there is nothing in a report that a person must see. */
export function isClean({ findings, statements }: ReconciliationReport): boolean {
  return findings.length === 0 && statements.every(({ gap }) => gap === null)
}

function lineResultRow(outcome: LineResult, sums: readonly PlaceSum[]): LineResultRow {
  const own = sums.filter(sum => lineResultOf(sum) === outcome)
  return {
    outcome,
    books: addUp(own.map(({ books, booksCount }) => ({ count: booksCount, sum: books }))),
    bank: addUp(own.map(({ bank, bankCount }) => ({ count: bankCount, sum: bank }))),
  }
}

function lineResultOf({ place, role, books }: PlaceSum): LineResult {
  if (place === 'fees') return 'fees'
  if (place === 'suspense') return books < 0n ? 'suspense-out' : 'suspense-in'
  return role === 'returns' ? 'returned' : 'paid'
}

function standingRow(standing: Standing, totals: readonly PayoutTotal[]): StandingRow {
  const own = totals.filter(
    ({ status, onStatement }) => !onStatement && STANDING_OF[status] === standing,
  )
  return { standing, ...addUp(own.map(({ count, sum }) => ({ count, sum: -sum }))) }
}

function addUp(sums: readonly CountedSum[]): CountedSum {
  return sums.reduce(
    (total, { count, sum }) => ({ count: total.count + count, sum: total.sum + sum }),
    { count: 0, sum: 0n },
  )
}

function statementRow(statement: AcceptedStatement): StatementRow {
  const { hash, number, id, account, firstDay, lastDay, lines, final } = statement
  const { opening, closing, books } = statement
  const notBooked = lines - statement.bookedLines
  const gap = gapBefore(statement)
  return {
    ...{ hash, number, id, account, firstDay, lastDay, lines, notBooked, final },
    ...{ opening, closing, books, gap },
  }
}

function balanceDiffers({ hash, number, closing, books }: AcceptedStatement): Finding[] {
  if (closing === null || books === null || closing === books) return []
  const place = { hash, statement: number, line: 0, detail: 0 }
  return [{ kind: 'BALANCE_DIFFERS', place, payout: null, named: [], books, bank: closing }]
}
