import { Buffer } from 'node:buffer'
import { expect, test } from 'vitest'
import { summarize } from '../statement-json.ts'
import { readCamt053 } from './read.ts'

const ENTRIES = [
  ['3.00', 'CRDT', 'BOOK'],
  ['4.00', 'CRDT', 'BOOK'],
  ['5.00', 'DBIT', 'BOOK'],
  ['6.00', 'DBIT', 'PDNG'],
].map(
  ([amount = '', side = '', status = '']) =>
    `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>${status}</Sts></Ntry>`,
)

async function* file(summary: string, before: string, entries: string): AsyncGenerator<Uint8Array> {
  const inside = `<Stmt>${before}<TxsSummry>${summary}</TxsSummry>${entries}</Stmt>`
  yield await Promise.resolve(
    Buffer.from(`<Document><BkToCstmrStmt>${inside}</BkToCstmrStmt></Document>`),
  )
}

async function whyNot(
  summary: string,
  before = '',
  entries = ENTRIES.join(''),
): Promise<string | null> {
  const result = await summarize(readCamt053(file(summary, before, entries)))
  return result.accepted ? null : result.why
}

function group(name: string, inside: string): string {
  return `<${name}>${inside}</${name}>`
}

test.each([
  [group('TtlNtries', '<NbOfNtries>3</NbOfNtries><Sum>12.00</Sum>')],
  [group('TtlNtries', '<NbOfNtries>4</NbOfNtries><Sum>18.00</Sum>')],
  [group('TtlNtries', '<NbOfNtries>003</NbOfNtries><Sum>12</Sum>')],
  [group('TtlCdtNtries', '<NbOfNtries>2</NbOfNtries><Sum>7.000</Sum>')],
  [group('TtlDbtNtries', '<NbOfNtries>1</NbOfNtries><Sum>-5.00</Sum>')],
  [group('TtlNtries', '<TtlNetNtryAmt>2.00</TtlNetNtryAmt><CdtDbtInd>CRDT</CdtDbtInd>')],
  [group('TtlNtries', '<TtlNetNtryAmt>4.00</TtlNetNtryAmt><CdtDbtInd>DBIT</CdtDbtInd>')],
  [group('TtlNtries', '<TtlNetNtryAmt>2.00</TtlNetNtryAmt>')],
  [group('TtlNtries', '<TtlNetNtry><Amt>2.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></TtlNetNtry>')],
  [group('TtlNtries', '<NbOfNtries/><Sum></Sum>')],
  [group('TtlNtriesPerBkTxCd', '<NbOfNtries>99</NbOfNtries>')],
  [''],
])('agrees: %s', async summary => {
  expect(await whyNot(summary)).toBeNull()
})

const WRONG = 'control total does not add up: '

test.each([
  [
    `${WRONG}TtlNtries/NbOfNtries says 5, the lines give 3 or 4`,
    group('TtlNtries', '<NbOfNtries>5</NbOfNtries>'),
  ],
  [
    `${WRONG}TtlNtries/Sum says 1201, the lines give 1200 or 1800`,
    group('TtlNtries', '<Sum>12.01</Sum>'),
  ],
  [
    `${WRONG}TtlCdtNtries/NbOfNtries says 1, the lines give 2`,
    group('TtlCdtNtries', '<NbOfNtries>1</NbOfNtries>'),
  ],
  [
    `${WRONG}TtlCdtNtries/Sum says 701, the lines give 700`,
    group('TtlCdtNtries', '<Sum>7.01</Sum>'),
  ],
  [
    `${WRONG}TtlDbtNtries/Sum says 0, the lines give 500 or 1100`,
    group('TtlDbtNtries', '<Sum>0</Sum>'),
  ],
  [
    `${WRONG}TtlNtries/TtlNetNtry says -200, the lines give 200 or -400`,
    group('TtlNtries', '<TtlNetNtryAmt>2.00</TtlNetNtryAmt><CdtDbtInd>DBIT</CdtDbtInd>'),
  ],
  [
    `${WRONG}TtlNtries/TtlNetNtry says 300, the lines give 200 or -400`,
    group('TtlNtries', '<TtlNetNtry><Amt>3</Amt><CdtDbtInd>CRDT</CdtDbtInd></TtlNetNtry>'),
  ],
  ['control total 7.005 is not exact in 2 decimals', group('TtlCdtNtries', '<Sum>7.005</Sum>')],
  ['control total two is not a number', group('TtlCdtNtries', '<NbOfNtries>two</NbOfNtries>')],
])('%s', async (why, summary) => {
  expect(await whyNot(summary)).toBe(why)
})

test('with an entry in another currency only the counts are compared', async () => {
  const entries = ENTRIES.join('').replace('"EUR">6.00', '"SEK">6.00')
  const account = '<Acct><Ccy>EUR</Ccy></Acct>'
  expect(await whyNot(group('TtlNtries', '<Sum>99</Sum>'), account, entries)).toBeNull()
  expect(
    await whyNot(group('TtlNtries', '<NbOfNtries>9</NbOfNtries>'), account, entries),
  ).not.toBeNull()
})

test('on one of several pages they may be those of all pages', async () => {
  const summary = group('TtlNtries', '<NbOfNtries>99</NbOfNtries>')
  const page = (number: number, last: boolean): string =>
    `<StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${String(last)}</LastPgInd></StmtPgntn>`
  expect(await whyNot(summary, page(1, false))).toBeNull()
  expect(await whyNot(summary, page(2, true))).toBeNull()
  expect(await whyNot(summary, page(1, true))).not.toBeNull()
})
