import { formatDecimal } from '../money/amount.ts'
import { scaleOf } from '../money/asset.ts'
import { FINDING_MEANINGS, type Finding } from './finding.ts'
import {
  isClean,
  LINE_RESULT_LABELS,
  STANDING_LABELS,
  type ReconciliationReport,
  type StatementRow,
  type CountedSum,
} from './report.ts'

/** How much of a file's hash is shown. */
const HASH_CHARACTERS = 12

/** Characters that a terminal or a page may take for something else than text. */
const CONTROL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** A report in words: amounts are exact decimals, all else is text for a person. */
export interface ReportView {
  readonly title: string
  readonly verdict: string
  readonly clean: boolean
  readonly statements: readonly StatementView[]
  readonly outcomes: readonly ComparisonView[]
  readonly total: ComparisonView
  readonly standings: readonly {
    readonly label: string
    readonly count: string
    readonly sum: string
  }[]
  readonly clearing: string
  readonly suspense: string
  readonly findings: readonly FindingView[]
  /** What is left out, or null. */
  readonly more: string | null
}

export interface StatementView {
  readonly name: string
  readonly days: string
  readonly lines: string
  readonly final: boolean
  readonly opening: string
  readonly closing: string
  readonly books: string
  /** In one word or a few: whether bank and books agree, and what is missing before it. */
  readonly verdict: string
}

export interface ComparisonView {
  readonly label: string
  readonly booksCount: string
  readonly books: string
  readonly bankCount: string
  readonly bank: string
  readonly difference: string
}

export interface FindingView {
  readonly kind: string
  readonly where: string
  readonly payout: string
  readonly books: string
  readonly bank: string
  readonly meaning: string
}

/** Puts a report into words; what a bank printed loses its control characters. */
export function viewOf(report: ReconciliationReport): ReportView {
  const scale = scaleOf(report.asset)
  const print: PrintAmount = amount => (amount === null ? '' : formatDecimal(amount, scale))
  const compare = (label: string, books: CountedSum, bank: CountedSum): ComparisonView => ({
    label,
    booksCount: String(books.count),
    books: print(books.sum),
    bankCount: String(bank.count),
    bank: print(bank.sum),
    difference: print(bank.sum - books.sum),
  })
  return {
    title: `Reconciliation of ${report.bank}, book ${report.book}, in ${report.asset}`,
    ...verdictOf(report),
    statements: report.statements.map(row => statementView(row, print)),
    outcomes: report.outcomes.map(({ outcome, books, bank }) =>
      compare(LINE_RESULT_LABELS[outcome], books, bank),
    ),
    total: compare('Total', report.total.books, report.total.bank),
    standings: report.standings.map(({ standing, count, sum }) => ({
      label: STANDING_LABELS[standing],
      count: String(count),
      sum: print(sum),
    })),
    clearing: print(report.clearing),
    suspense: print(report.suspense),
    findings: report.findings.map(finding => findingView(finding, print)),
    more: report.more ? 'There are more findings than are listed here.' : null,
  }
}

/** Prints an amount in the decimals of the report's asset, nothing for null. */
type PrintAmount = (amount: bigint | null) => string

function verdictOf(report: ReconciliationReport): { verdict: string; clean: boolean } {
  const clean = isClean(report)
  const { length } = report.findings
  const gaps = report.statements.filter(({ gap }) => gap !== null).length
  const counts = [plural(length, 'finding'), ...(gaps > 0 ? [plural(gaps, 'gap')] : [])]
  return { clean, verdict: clean ? 'Books and bank agree.' : `${counts.join(', ')}.` }
}

function statementView(row: StatementRow, print: PrintAmount): StatementView {
  const { hash, number, id, firstDay, lastDay, notBooked, opening, closing, books, gap } = row
  const named = id === null ? '' : `${printable(id)}, `
  const notBookedToo = notBooked > 0 ? `, ${notBooked} of them not booked` : ''
  return {
    name: `${named}statement ${number} of file ${hash.slice(0, HASH_CHARACTERS)}`,
    days: firstDay === lastDay ? (firstDay ?? '') : `${firstDay ?? ''} to ${lastDay ?? ''}`,
    lines: `${plural(row.lines, 'line')}${notBookedToo}`,
    final: row.final,
    opening: print(opening),
    closing: print(closing),
    books: print(books),
    verdict: [
      agreement(closing, books, print),
      ...(gap === null ? [] : [`a gap of ${print(gap)} before it`]),
    ].join(', '),
  }
}

function agreement(closing: bigint | null, books: bigint | null, print: PrintAmount): string {
  if (books === null) return 'not posted'
  if (closing === null) return 'the file has no closing balance'
  return closing === books ? 'agrees' : `differs by ${print(closing - books)}`
}

function findingView(
  { kind, place, payout, named, books, bank }: Finding,
  print: PrintAmount,
): FindingView {
  return {
    kind,
    where: place === null ? '' : whereIs(place),
    payout: payout ?? named.join(' '),
    books: print(books),
    bank: print(bank),
    meaning: FINDING_MEANINGS[kind],
  }
}

function whereIs({ hash, statement, line, detail }: NonNullable<Finding['place']>): string {
  const file = `${hash.slice(0, HASH_CHARACTERS)} statement ${statement}`
  if (line === 0) return file
  return detail === 0 ? `${file} line ${line}` : `${file} line ${line} detail ${detail}`
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function printable(text: string): string {
  return text.replace(CONTROL, '?')
}
