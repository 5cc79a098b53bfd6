import { loadStatements } from '../sql.ts'

const NAMES = [
  'find-intake',
  'clean-intakes',
  'begin-intake',
  'stage-lines',
  'stage-statement',
  'lock-bank',
  'accept-intake',
  'day-empty-statements',
  'why-not-accepted',
  'discard-intake',
  'statements',
  'mark-final',
  'match-progress',
  'lines',
  'advance-matching',
  'seen-payouts',
  'add-allocations',
  'add-findings',
  'add-clues',
  'matched-payouts',
  'move-paid-after-release',
  'late-returns',
  'take-late-return',
  'unposted-returns',
  'mark-return-posted',
  'statement-sums',
  'mark-posted',
  'findings',
  'erase-texts',
  'payouts-by-ids',
  'payout-batches',
  'paid-but-unseen',
  'payout-totals',
  'payouts-in-doubt',
] as const

/** The statements of this folder by name, for one schema. */
export type StatementQueries = Readonly<Record<(typeof NAMES)[number], string>>

/** Reads the SQL of this folder; throws a RangeError for a name that is none of a schema. */
export function statementQueries(schema: string): StatementQueries {
  return loadStatements(new URL('./sql/', import.meta.url), NAMES, schema)
}
