import type { ReconciliationReport } from './report.ts'
import { viewOf, type ComparisonView, type ReportView } from './report-view.ts'

/** A cell; those of a column are aligned to the left for text, to the right for numbers. */
type Column = 'text' | 'number'

/** A report for a terminal: plain text in columns, books beside bank. */
export function reportAsText(report: ReconciliationReport): string {
  const view = viewOf(report)
  const parts = [
    [view.title],
    ...view.statements.map(({ name, days, lines, final, opening, closing, books, verdict }) => [
      `${name}: ${days || 'no days'}, ${lines}${final ? ', final' : ''}`,
      ...table(
        [
          ['Opening', opening],
          ['Closing, bank', closing],
          ['Closing, books', books],
        ],
        ['text', 'number'],
      ),
      `  ${verdict}`,
    ]),
    table(
      [
        ['At the bank', '', 'Books', '', 'Bank', 'Difference'],
        ...view.outcomes.map(comparison),
        comparison(view.total),
      ],
      ['text', 'number', 'number', 'number', 'number', 'number'],
    ),
    table(
      [
        ['Not at the bank', '', ''],
        ...view.standings.map(({ label, count, sum }) => [label, count, sum]),
      ],
      ['text', 'number', 'number'],
    ),
    table(
      [
        ['Clearing', view.clearing],
        ['Suspense', view.suspense],
      ],
      ['text', 'number'],
    ),
    findings(view),
  ]
  return `${parts.map(lines => lines.join('\n')).join('\n\n')}\n`
}

function comparison({ label, booksCount, books, bankCount, bank, difference }: ComparisonView) {
  return [label, booksCount, books, bankCount, bank, difference]
}

function findings({ verdict, findings: found, more }: ReportView): string[] {
  const rows = found.map(({ kind, where, payout, books, bank, meaning }) => [
    kind,
    where,
    payout,
    books === '' ? '' : `books ${books}`,
    bank === '' ? '' : `bank ${bank}`,
    meaning,
  ])
  const columns: Column[] = ['text', 'text', 'text', 'number', 'number', 'text']
  return [verdict, ...table(rows, columns), ...(more === null ? [] : [more])]
}

function table(rows: readonly (readonly string[])[], columns: readonly Column[]): string[] {
  const widths = columns.map((_, index) =>
    rows.reduce((width, row) => Math.max(width, (row[index] ?? '').length), 0),
  )
  return rows.map(row => {
    const cells = columns.map((column, index) => {
      const cell = row[index] ?? ''
      const width = widths[index] ?? 0
      return column === 'text' ? cell.padEnd(width) : cell.padStart(width)
    })
    return `  ${cells.join('  ')}`.trimEnd()
  })
}
