import { loadStatements } from '../sql.ts'

const NAMES = [
  'insert',
  'find',
  'list',
  'unfinished',
  'late-holds',
  'lease',
  'give-up-lease',
  'move',
  'mark-hold-end',
  'mark-return',
  'start-attempt',
  'record-answer',
  'attempts',
  'paid-originals',
  'keep-release-word',
  'count-release-words',
  'erase-payees',
] as const

/** The statements of this folder by name, for one schema. */
export type PayoutQueries = Readonly<Record<(typeof NAMES)[number], string>>

/** Reads the SQL of this folder; throws a RangeError for a name that is none of a schema. */
export function payoutQueries(schema: string): PayoutQueries {
  return loadStatements(new URL('./sql/', import.meta.url), NAMES, schema)
}
