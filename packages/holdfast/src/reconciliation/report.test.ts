import { describe, expect, test } from 'vitest'
import { FINDING_KINDS } from './finding.ts'
import { reportAsCsv } from './report-csv.ts'
import { reportAsHtml } from './report-html.ts'
import { reportAsJson } from './report-json.ts'
import { reportAsText } from './report-text.ts'
import { buildReport, FINDINGS_MAX, isClean, type ReportParts } from './report.ts'

const HASH = `${'0123456789ab'.repeat(5)}cdef`

const PARTS: ReportParts = {
  book: 'main',
  bank: 'testbank',
  asset: 'EUR/2',
  clearing: 1_500n,
  suspense: 1_234n,
  statements: [
    {
      intake: '1',
      hash: HASH,
      number: 1,
      id: 'S1',
      account: 'NL91ABNA0417164300',
      lines: 5,
      bookedLines: 4,
      firstDay: '2026-11-02',
      lastDay: '2026-11-03',
      day: '2026-11-03',
      opening: 100_000n,
      closing: 91_199n,
      closingBefore: null,
      accepted: '2026-11-04T08:00:00.000Z',
      final: true,
      posted: true,
      books: 91_199n,
    },
  ],
  sums: [
    {
      place: 'clearing',
      role: 'pays',
      books: -10_000n,
      bank: -10_035n,
      booksCount: 2,
      bankCount: 2,
    },
    { place: 'suspense', role: null, books: -35n, bank: 0n, booksCount: 1, bankCount: 0 },
    { place: 'suspense', role: null, books: 1_234n, bank: 1_234n, booksCount: 1, bankCount: 1 },
  ],
  totals: [
    { status: 'success', onStatement: true, count: 2, sum: 10_000n },
    { status: 'success', onStatement: false, count: 1, sum: 1_500n },
    { status: 'unknown', onStatement: false, count: 1, sum: 700n },
    { status: 'processing', onStatement: false, count: 1, sum: 300n },
    { status: 'failed', onStatement: false, count: 3, sum: 900n },
  ],
  findings: [
    {
      kind: 'AMOUNT_DIFFERS',
      place: { hash: HASH, statement: 1, line: 2, detail: 0 },
      payout: 'PAY000000000001',
      named: ['PAY000000000001'],
      books: -5_000n,
      bank: -5_035n,
    },
    {
      kind: 'NOT_IN_OUR_BOOKS',
      place: { hash: HASH, statement: 1, line: 4, detail: 2 },
      payout: null,
      named: [],
      books: null,
      bank: 1_234n,
    },
    {
      kind: 'NOT_ON_STATEMENT',
      place: null,
      payout: 'PAY000000000003',
      named: ['PAY000000000003'],
      books: -1_500n,
      bank: null,
    },
  ],
}

/** The same, with what a bank's file may say to do harm. */
function withId(id: string): ReportParts {
  return { ...PARTS, statements: PARTS.statements.map(statement => ({ ...statement, id })) }
}

const report = buildReport(PARTS)

describe('a report', () => {
  test('adds up books and bank by outcome', () => {
    expect(
      report.outcomes.map(({ outcome, books, bank }) => [outcome, books.sum, bank.sum]),
    ).toEqual([
      ['paid', -10_000n, -10_035n],
      ['returned', 0n, 0n],
      ['fees', 0n, 0n],
      ['suspense-out', -35n, 0n],
      ['suspense-in', 1_234n, 1_234n],
    ])
    expect(report.total).toEqual({
      books: { count: 4, sum: -8_801n },
      bank: { count: 3, sum: -8_801n },
    })
    expect(report.standings.map(({ standing, count, sum }) => [standing, count, sum])).toEqual([
      ['in-transit', 1, -1_500n],
      ['unknown', 2, -1_000n],
      ['waiting', 0, 0n],
      ['failed', 3, -900n],
      ['cancelled', 0, 0n],
      ['refused', 0, 0n],
    ])
  })

  test('is clean without a finding and without a gap', () => {
    expect(isClean(report)).toBe(false)
    const clean = { ...PARTS, findings: [] }
    expect(isClean(buildReport(clean))).toBe(true)
    const gap = PARTS.statements.map(each => ({ ...each, closingBefore: 99_000n }))
    expect(isClean(buildReport({ ...clean, statements: gap }))).toBe(false)
  })

  test('adds a finding where the balances differ', () => {
    const statements = PARTS.statements.map(each => ({ ...each, books: 91_200n }))
    expect(buildReport({ ...PARTS, statements, findings: [] }).findings).toEqual([
      {
        kind: 'BALANCE_DIFFERS',
        place: { hash: HASH, statement: 1, line: 0, detail: 0 },
        payout: null,
        named: [],
        books: 91_200n,
        bank: 91_199n,
      },
    ])
  })

  test('lists no more findings than it may, and says so', () => {
    const findings = Array.from({ length: FINDINGS_MAX + 1 }, () => PARTS.findings[1]).flatMap(
      finding => finding ?? [],
    )
    const long = buildReport({ ...PARTS, findings })
    expect([long.findings.length, long.more]).toEqual([FINDINGS_MAX, true])
    for (const text of [reportAsText(long), reportAsCsv(long), reportAsHtml(long)])
      expect(text).toContain('more findings')
  })
})

test('a terminal shows books beside bank', () => {
  expect(reportAsText(report)).toBe(`Reconciliation of testbank, book main, in EUR/2

S1, statement 1 of file 0123456789ab: 2026-11-02 to 2026-11-03, 5 lines, 1 of them not booked, final
  Opening         1000.00
  Closing, bank    911.99
  Closing, books   911.99
  agrees

  At the bank                    Books        Bank  Difference
  Paid                      2  -100.00  2  -100.35       -0.35
  Returned                  0     0.00  0     0.00        0.00
  Fees of the bank          0     0.00  0     0.00        0.00
  Not ours, out (suspense)  1    -0.35  0     0.00        0.35
  Not ours, in (suspense)   1    12.34  1    12.34        0.00
  Total                     4   -88.01  3   -88.01        0.00

  Not at the bank
  In transit: paid, on no statement yet    1  -15.00
  Unknown: sent, no final answer, on hold  2  -10.00
  Waiting: not sent yet                    0    0.00
  Failed: given back                       3   -9.00
  Cancelled                                0    0.00
  Refused                                  0    0.00

  Clearing  15.00
  Suspense  12.34

3 findings.
  AMOUNT_DIFFERS    0123456789ab statement 1 line 2           PAY000000000001  books -50.00  bank -50.35  The bank moved another amount than our books say
  NOT_IN_OUR_BOOKS  0123456789ab statement 1 line 4 detail 2                                  bank 12.34  The bank moved money that our books know nothing of
  NOT_ON_STATEMENT                                            PAY000000000003  books -15.00               Our books say paid, and no final statement shows it
`)
})

test('a terminal is not given what a bank may print to command it', () => {
  const text = reportAsText(buildReport(withId('\u001b[2JS1\u202e')))
  expect(text).toContain('?[2JS1?, statement 1')
  expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u)
})

test('JSON has amounts as strings of minor units', () => {
  const parsed = JSON.parse(reportAsJson(report)) as typeof report
  expect(parsed.total.bank).toEqual({ count: 3, sum: '-8801' })
  expect(parsed.findings[0]).toMatchObject({ kind: 'AMOUNT_DIFFERS', books: '-5000' })
  expect(Object.keys(parsed)).toEqual(Object.keys(report))
})

describe('CSV', () => {
  test('has exact decimals, and a row for everything', () => {
    expect(reportAsCsv(report).split('\r\n')).toEqual([
      'section,name,where,payout,books count,books,bank count,bank,difference,note',
      'opening,"S1, statement 1 of file 0123456789ab",,,,,,1000.00,,"2026-11-02 to 2026-11-03, 5 lines, 1 of them not booked"',
      'closing,"S1, statement 1 of file 0123456789ab",,,,911.99,,911.99,,agrees',
      'at the bank,Paid,,,2,-100.00,2,-100.35,-0.35,',
      'at the bank,Returned,,,0,0.00,0,0.00,0.00,',
      'at the bank,Fees of the bank,,,0,0.00,0,0.00,0.00,',
      'at the bank,"Not ours, out (suspense)",,,1,-0.35,0,0.00,0.35,',
      'at the bank,"Not ours, in (suspense)",,,1,12.34,1,12.34,0.00,',
      'at the bank,Total,,,4,-88.01,3,-88.01,0.00,',
      'not at the bank,"In transit: paid, on no statement yet",,,1,-15.00,,,,',
      'not at the bank,"Unknown: sent, no final answer, on hold",,,2,-10.00,,,,',
      'not at the bank,Waiting: not sent yet,,,0,0.00,,,,',
      'not at the bank,Failed: given back,,,3,-9.00,,,,',
      'not at the bank,Cancelled,,,0,0.00,,,,',
      'not at the bank,Refused,,,0,0.00,,,,',
      'balance,clearing,,,,15.00,,,,',
      'balance,suspense,,,,12.34,,,,',
      'finding,AMOUNT_DIFFERS,0123456789ab statement 1 line 2,PAY000000000001,,-50.00,,-50.35,,The bank moved another amount than our books say',
      'finding,NOT_IN_OUR_BOOKS,0123456789ab statement 1 line 4 detail 2,,,,,12.34,,The bank moved money that our books know nothing of',
      'finding,NOT_ON_STATEMENT,,PAY000000000003,,-15.00,,,,"Our books say paid, and no final statement shows it"',
      '',
    ])
  })

  test.each([
    '=HYPERLINK("http://example.invalid")',
    '+1',
    '-1+1',
    '@SUM(A1)',
    "=cmd|' /C calc'!A0",
  ])('makes no formula of %s', id => {
    const csv = reportAsCsv(buildReport(withId(id)))
    expect(csv).toContain(`opening,"'${id.replaceAll('"', '""')}, statement 1`)
  })

  test('makes no formula of what begins with a tab or a line end', () => {
    for (const id of ['\t=1', '\r=1']) {
      expect(reportAsCsv(buildReport(withId(id)))).toContain('opening,"?=1, statement 1')
    }
  })
})

describe('HTML', () => {
  test('escapes everything', () => {
    const html = reportAsHtml(buildReport(withId(`<script>alert("x")</script>&'`)))
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&amp;&#39;')
    expect(html).not.toContain('<script')
  })

  test('needs nothing from anywhere, and forbids it', () => {
    const html = reportAsHtml(report)
    expect(html).toContain(`default-src 'none'`)
    expect(html).not.toMatch(/https?:|\bsrc=|\bhref=|@import|url\(/)
    expect(html).toContain('prefers-color-scheme: dark')
  })

  test('shows every number that the terminal shows', () => {
    const html = reportAsHtml(report)
    for (const [number] of reportAsText(report).matchAll(/-?\d+\.\d\d/g))
      expect(html).toContain(`>${number}<`)
    for (const { kind } of report.findings) expect(html).toContain(kind)
  })
})

test('every kind of finding can be reported', () => {
  const findings = FINDING_KINDS.flatMap(kind =>
    PARTS.findings.slice(0, 1).map(finding => ({ ...finding, kind })),
  )
  const text = reportAsText(buildReport({ ...PARTS, findings }))
  for (const kind of FINDING_KINDS) expect(text).toContain(kind)
})
