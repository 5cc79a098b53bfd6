import type { ReconciliationReport } from './report.ts'
import { viewOf, type ComparisonView, type ReportView } from './report-view.ts'

const HEADER = [
  'section',
  'name',
  'where',
  'payout',
  'books count',
  'books',
  'bank count',
  'bank',
  'difference',
  'note',
] as const

/** A row by the names of its columns; what is not named is empty. */
type CsvRow = Readonly<Partial<Record<(typeof HEADER)[number], string>>>

/** A spreadsheet takes a cell for a formula that begins so (OWASP, CSV Injection). */
const FORMULA = /^[=+\-@\t\r\n]/
const NUMBER = /^-?\d+(\.\d+)?$/
const NEEDS_QUOTES = /[",\r\n]/

/**
 * A report as CSV (RFC 4180), one table: a row for each statement, outcome, standing, balance and
 * finding. Amounts are exact decimals; a text that would be a formula begins with an apostrophe.
 */
export function reportAsCsv(report: ReconciliationReport): string {
  const rows = rowsOf(viewOf(report)).map(row => HEADER.map(name => cell(row[name] ?? '')))
  return [HEADER, ...rows].map(cells => `${cells.join(',')}\r\n`).join('')
}

function rowsOf(view: ReportView): CsvRow[] {
  return [
    ...view.statements.flatMap(({ name, days, lines, opening, closing, books, verdict }) => [
      { section: 'opening', name, bank: opening, note: [days, lines].filter(Boolean).join(', ') },
      { section: 'closing', name, books, bank: closing, note: verdict },
    ]),
    ...view.outcomes.map(comparison),
    comparison(view.total),
    ...view.standings.map(({ label, count, sum }) => {
      return { section: 'not at the bank', name: label, 'books count': count, books: sum }
    }),
    { section: 'balance', name: 'clearing', books: view.clearing },
    { section: 'balance', name: 'suspense', books: view.suspense },
    ...view.findings.map(({ kind, where, payout, books, bank, meaning }) => {
      return { section: 'finding', name: kind, where, payout, books, bank, note: meaning }
    }),
    ...(view.more === null ? [] : [{ section: 'note', note: view.more }]),
  ]
}

function comparison(row: ComparisonView): CsvRow {
  const { label, booksCount, books, bankCount, bank, difference } = row
  return {
    section: 'at the bank',
    name: label,
    'books count': booksCount,
    books,
    'bank count': bankCount,
    bank,
    difference,
  }
}

function cell(text: string): string {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
