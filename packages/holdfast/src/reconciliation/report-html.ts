import type { ReconciliationReport } from './report.ts'
import { viewOf, type ComparisonView, type ReportView } from './report-view.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #d5d9e0; --soft: #5d6675; --bad: #b3261e; --good: #1b6e3c;
  --page: #fff; --text: #1a1f28; --band: #f4f6f9 }
@media (prefers-color-scheme: dark) { :root { --line: #343b47; --soft: #9aa4b3; --bad: #ff8a80;
  --good: #7fd8a2; --page: #14181f; --text: #e8ecf2; --band: #1c222c } }
body { margin: 0; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif }
main { max-width: 68rem; margin: 0 auto; padding: 2rem 1.25rem 4rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem }
h2 { font-size: 1.05rem; margin: 2.25rem 0 .5rem }
.verdict { font-size: 1.1rem; font-weight: 600; color: var(--bad); margin: 0 }
.verdict.clean { color: var(--good) }
.table { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
caption { text-align: left; color: var(--soft); padding: 0 0 .4rem }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem; border-bottom: 1px solid var(--line) }
thead th { color: var(--soft); font-weight: 500; border-bottom-width: 2px }
tbody tr:hover { background: var(--band) }
tfoot th, tfoot td { font-weight: 600; border-bottom: 0; border-top: 2px solid var(--line) }
.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
th[scope=row] { font-weight: 400 }
tfoot th[scope=row], .kind { font-weight: 600 }
.kind, .where, .id { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .85em }
.id { overflow-wrap: anywhere }
.kind, .off { color: var(--bad) }
@media print { main { max-width: none; padding: 0 } tbody tr:hover { background: none } }
`

/**
 * A report as one HTML page that needs nothing else: no script, no file, no network. Everything in
 * it is escaped. Light or dark as the reader's system is.
 */
export function reportAsHtml(report: ReconciliationReport): string {
  const view = viewOf(report)
  const verdict = view.clean ? 'verdict clean' : 'verdict'
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escape(view.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escape(view.title)}</h1>
<p class="${verdict}">${escape(view.verdict)}</p>
${findings(view)}
${statements(view)}
${outcomes(view)}
${standings(view)}
</main>
</body>
</html>
`
}

function findings({ findings: found, more }: ReportView): string {
  if (found.length === 0) return ''
  const rows = found.map(
    ({ kind, where, payout, books, bank, meaning }) =>
      `<tr><th scope="row"><span class="kind">${escape(kind)}</span><br>${escape(meaning)}</th>` +
      `<td class="where">${escape(where)}</td><td class="id">${escape(payout)}</td>` +
      `${amount(books)}${amount(bank)}</tr>`,
  )
  const note = more === null ? '' : `<p>${escape(more)}</p>`
  const header = head(['Finding', 'Where', 'Payout'], ['Books', 'Bank'])
  return `<h2>Findings</h2>${table(header, rows)}${note}`
}

function statements(view: ReportView): string {
  if (view.statements.length === 0) return ''
  const rows = view.statements.map(
    ({ name, days, lines, final, opening, closing, books, verdict }) =>
      `<tr><th scope="row">${escape(name)}<br>${escape(days)}${final ? ', final' : ''}</th>` +
      `<td>${escape(lines)}</td>${amount(opening)}${amount(closing)}${amount(books)}` +
      `<td${verdict === 'agrees' ? '' : ' class="off"'}>${escape(verdict)}</td></tr>`,
  )
  const header =
    '<tr><th scope="col">Statement</th><th scope="col">Lines</th>' +
    ['Opening', 'Closing, bank', 'Closing, books'].map(numberHead).join('') +
    '<th scope="col"></th></tr>'
  return `<h2>Statements</h2>${table(header, rows)}`
}

function outcomes(view: ReportView): string {
  const header = head(['Outcome'], ['Books, count', 'Books', 'Bank, count', 'Bank', 'Difference'])
  const caption = 'Books beside bank; money that leaves has a minus'
  const rows = view.outcomes.map(comparison)
  return `<h2>At the bank</h2>${table(header, rows, { caption, foot: comparison(view.total) })}`
}

function standings(view: ReportView): string {
  const rows = view.standings.map(({ label, count, sum }) => {
    return `<tr><th scope="row">${escape(label)}</th>${amount(count)}${amount(sum)}</tr>`
  })
  const balances = [
    ['Clearing: settled, and not seen at the bank', view.clearing],
    ['Suspense: seen at the bank, and not explained', view.suspense],
  ].map(([label = '', sum = '']) => {
    return `<tr><th scope="row">${escape(label)}</th><td></td>${amount(sum)}</tr>`
  })
  const caption = 'Payouts that no statement shows, as they stand now'
  const header = head(['Payouts'], ['Count', 'Sum'])
  const payouts = table(header, rows, { caption })
  const accounts = table(head(['Balances', ''], ['Sum']), balances)
  return `<h2>Not at the bank</h2>${payouts}${accounts}`
}

function comparison(row: ComparisonView): string {
  const { label, booksCount, books, bankCount, bank, difference } = row
  const numbers = [booksCount, books, bankCount, bank, difference].map(amount).join('')
  return `<tr><th scope="row">${escape(label)}</th>${numbers}</tr>`
}

function head(texts: readonly string[], numbers: readonly string[]): string {
  const left = texts.map(text => `<th scope="col">${escape(text)}</th>`)
  return `<tr>${[...left, ...numbers.map(numberHead)].join('')}</tr>`
}

function numberHead(text: string): string {
  return `<th scope="col" class="n">${escape(text)}</th>`
}

function amount(text: string): string {
  return `<td class="n">${escape(text)}</td>`
}

function table(
  header: string,
  rows: readonly string[],
  { caption, foot }: { readonly caption?: string; readonly foot?: string } = {},
): string {
  return (
    '<div class="table"><table>' +
    (caption === undefined ? '' : `<caption>${escape(caption)}</caption>`) +
    `<thead>${header}</thead><tbody>${rows.join('\n')}</tbody>` +
    (foot === undefined ? '' : `<tfoot>${foot}</tfoot>`) +
    '</table></div>'
  )
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, character => ESCAPES[character] ?? '')
}
