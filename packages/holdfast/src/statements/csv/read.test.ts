import { Buffer } from 'node:buffer'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { summarize, type FileJson, type LineJson } from '../statement-json.ts'
import { parseMapping, type CsvMapping } from './mapping.ts'
import { readCsv } from './read.ts'

function mappingOf(over: Record<string, unknown> = {}): CsvMapping {
  const result = parseMapping({
    encoding: 'utf-8',
    delimiter: ';',
    quote: '"',
    headerRows: 1,
    currency: { fixed: 'EUR' },
    booked: { column: 'Date', format: 'yyyy-mm-dd' },
    value: null,
    amount: { column: 'Amount' },
    number: { decimal: ',', thousands: '.', negative: ['leading-minus'] },
    refs: { text: 'Text' },
    ...over,
  })
  if (!result.ok) throw new Error(`${result.field} ${result.why}`)
  return result.mapping
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield await Promise.resolve(bytes.subarray(start, start + size))
}

function read(file: string | Uint8Array, mapping = mappingOf(), size = 5): Promise<FileJson> {
  const bytes = typeof file === 'string' ? Buffer.from(file) : file
  return summarize(readCsv(inChunks(bytes, size), mapping))
}

async function lines(
  file: string | Uint8Array,
  mapping = mappingOf(),
): Promise<readonly LineJson[]> {
  const result = await read(file, mapping)
  if (!result.accepted) throw new Error(JSON.stringify(result))
  return result.statements[0]?.lines ?? []
}

async function refusal(file: string, mapping = mappingOf()): Promise<string> {
  const result = await read(file, mapping)
  if (result.accepted) throw new Error('accepted')
  expect(result).toMatchObject({ format: 'csv', statements: [] })
  return `${result.place ?? 'file'}: ${result.why}`
}

const HEADER = 'Date;Amount;Text\n'
const SIDES = mappingOf({ amount: { debit: 'Out', credit: 'In' } })

describe('readCsv', () => {
  test('makes one statement of a file, a line a row', async () => {
    expect(await read(`${HEADER}2026-01-05;-1.234,56;PO-1\n2026-01-06;7,5;\n`)).toEqual({
      format: 'csv',
      accepted: true,
      statements: [
        {
          id: null,
          account: null,
          currency: 'EUR',
          opening: null,
          closing: null,
          balances_add_up: null,
          lines: [
            {
              amount: '123456',
              currency: 'EUR',
              direction: 'debit',
              status: 'booked',
              reversal: false,
              booked: '2026-01-05',
              value: null,
              bankRef: null,
              refs: { text: 'PO-1' },
              batch: null,
            },
            {
              amount: '750',
              currency: 'EUR',
              direction: 'credit',
              status: 'booked',
              reversal: false,
              booked: '2026-01-06',
              value: null,
              bankRef: null,
              refs: {},
              batch: null,
            },
          ],
        },
      ],
    })
  })

  test.each(['\n', '\r\n', '\r'])('any line end, also none at the end: %j', async end => {
    const rows = ['Date;Amount;Text', '2026-01-05;1,00;"a;b"', '', '2026-01-06;2,00;c']
    for (const file of [rows.join(end), rows.join(end) + end, rows.join(end) + end + end])
      expect((await lines(file)).map(line => line.refs)).toEqual([{ text: 'a;b' }, { text: 'c' }])
  })

  test('line ends may differ, and stand inside quotes', async () => {
    const file = 'Date;Amount;Text\r\n2026-01-05;1,00;"a\r\nb ""c"""\n2026-01-06;2,00;d\r\n'
    expect((await lines(file)).map(line => line.refs)).toEqual([
      { text: 'a\r\nb "c"' },
      { text: 'd' },
    ])
  })

  test('two equal rows are two payments', async () => {
    expect(await lines(`${HEADER}2026-01-05;1,00;a\n2026-01-05;1,00;a\n`)).toHaveLength(2)
  })

  test('a statement without lines is one', async () => {
    expect(await lines(HEADER)).toEqual([])
    expect(await lines('Date;Amount;Text')).toEqual([])
  })

  test('encodings, with or without a byte order mark', async () => {
    const file = `Däte;Amount;Text\n2026-01-05;1,00;Žižka – 5 €\n`
    const mapping = (encoding: string): CsvMapping =>
      mappingOf({ encoding, booked: { column: 'Däte', format: 'yyyy-mm-dd' } })
    const text = [{ text: 'Žižka – 5 €' }]
    const refs = async (bytes: Uint8Array, encoding: string): Promise<unknown> =>
      (await lines(bytes, mapping(encoding))).map(line => line.refs)
    expect(await refs(iconv.encode(file, 'windows-1252'), 'windows-1252')).toEqual(text)
    expect(await refs(Buffer.from(`\ufeff${file}`), 'windows-1252')).toEqual(text)
    expect(await refs(iconv.encode(file, 'utf-16le', { addBOM: true }), 'utf-8')).toEqual(text)
    expect(await refs(iconv.encode(file, 'utf-16le'), 'utf-16')).toEqual(text)
  })

  test('references are read exactly, whatever a spreadsheet would make of them', async () => {
    const file = `${HEADER}2026-01-05;1,00;"\t=cmd|' /C calc'!A0"\n2026-01-05;1,00;-2+3\n`
    expect((await lines(file)).map(line => line.refs['text'])).toEqual([
      "\t=cmd|' /C calc'!A0",
      '-2+3',
    ])
  })

  test('title rows may have any width, and blank ones count', async () => {
    const file = `Account export\n\n${HEADER}2026-01-05;1,00;a\n`
    expect(await lines(file, mappingOf({ headerRows: 3 }))).toHaveLength(1)
  })

  test('without a header, by the numbers of columns', async () => {
    const mapping = mappingOf({
      headerRows: 0,
      booked: { column: 1, format: 'yyyy-mm-dd' },
      amount: { column: 3 },
      refs: { text: 2 },
    })
    expect(await lines('2026-01-05;a;1,00\n', mapping)).toMatchObject([
      { amount: '100', refs: { text: 'a' } },
    ])
    expect(await refusal('2026-01-05;a\n', mapping)).toBe('row 1, column 3: missing column')
  })

  test('a file without quotes has quotes as text', async () => {
    const file = `${HEADER}2026-01-05;1,00;5" pipe\n`
    expect((await lines(file, mappingOf({ quote: null })))[0]?.refs).toEqual({ text: '5" pipe' })
  })

  test('the account, the bank’s reference and the value date, where the mapping has them', async () => {
    const mapping = mappingOf({
      account: 'NL02ABNA0123456789',
      bankRef: 'Text',
      value: { column: 'Value', format: 'dd.mm.yyyy' },
      refs: {},
    })
    const file =
      'Date;Amount;Text;Value\n2026-01-05;1,00; B1 ;06.01.2026\n2026-01-05;1,00;;30.02.2026\n2026-01-05;1,00;;\n'
    const result = await read(file, mapping)
    expect(result.statements[0]?.account).toBe('NL02ABNA0123456789')
    const [first, second, third] = await lines(file, mapping)
    expect(first).toMatchObject({ bankRef: 'B1', value: '2026-01-06', refs: {} })
    expect(second).toMatchObject({ bankRef: null, value: null, valueRaw: '30.02.2026' })
    expect(third).toMatchObject({ value: null })
    expect(third).not.toHaveProperty('valueRaw')
  })

  test('the currency of the file, where it has one', async () => {
    const mapping = mappingOf({ currency: { column: 'Text' }, refs: {} })
    const currencyOf = async (...codes: string[]): Promise<unknown> => {
      const rows = codes.map(code => `2026-01-05;1,00;${code}\n`)
      return (await read(HEADER + rows.join(''), mapping)).statements[0]?.currency
    }
    expect(await currencyOf('EUR', 'eur ')).toBe('EUR')
    expect(await currencyOf('EUR', 'USD')).toBeNull()
    expect(await currencyOf()).toBeNull()
    expect((await read(HEADER)).statements[0]?.currency).toBe('EUR')
  })

  test('of a debit and a credit column one is filled in', async () => {
    const file = `Date;Out;In;Text\n2026-01-05;2,50;;a\n2026-01-05;;3,00;b\n2026-01-05;0,00;4,00;c\n2026-01-05;5,00;0;d\n2026-01-05;0,00;;e\n2026-01-05;0;0;f\n`
    expect((await lines(file, SIDES)).map(({ amount, direction }) => [amount, direction])).toEqual([
      ['250', 'debit'],
      ['300', 'credit'],
      ['400', 'credit'],
      ['500', 'debit'],
      ['0', 'debit'],
      ['0', 'credit'],
    ])
  })
})

describe('refused', () => {
  test.each([
    ['file: empty file', ''],
    ['row 1, column Date: missing column', '\n'],
    ['row 1, column Date: missing column', 'date;Amount;Text\n'],
    ['row 1, column Text: missing column', 'Date;Amount\n'],
    ['row 1, column Amount: column twice', 'Date;Amount;Text;Amount\n'],
    ['row 3: 2 fields, not 3', `${HEADER}2026-01-05;1,00;a\n2026-01-05;1,00\n`],
    ['row 2: 4 fields, not 3', `${HEADER}2026-01-05;1,00;a;b\n`],
    ['row 4: 1 fields, not 3', `${HEADER}2026-01-05;1,00;"a\nb"\n\nTotal\n`],
    ['row 2, column Amount: missing amount', `${HEADER}2026-01-05; ;a\n`],
    ['row 2, column Amount: missing amount', `${HEADER};;\n`],
    ['row 2, column Amount: "1e3" is no number as the mapping says', `${HEADER}2026-01-05;1e3;a\n`],
    [
      'row 2, column Amount: "1.00" is no number as the mapping says',
      `${HEADER}2026-01-05;1.00;a\n`,
    ],
    [
      'row 2, column Amount: amount "10.005" EUR is not exact in 2 decimals',
      `${HEADER}2026-01-05;10,005;a\n`,
    ],
    [
      'row 2, column Amount: amount "92233720368547758.08" EUR is over 2^63-1 minor units',
      `${HEADER}2026-01-05;92233720368547758,08;a\n`,
    ],
    ['row 2, column Date: missing booking date', `${HEADER};1,00;a\n`],
    ['row 2, column Date: impossible booking date: 2026-02-30', `${HEADER}2026-02-30;1,00;a\n`],
    ['row 2, column Date: impossible booking date: 05.01.2026', `${HEADER}05.01.2026;1,00;a\n`],
    ['row 2, column 3: cut off: a quote is not closed', `${HEADER}2026-01-05;1,00;"a\n`],
    ['row 2, column 3: a quote inside a field without quotes', `${HEADER}2026-01-05;1,00;a"b"\n`],
    ['row 2, column 3: text after a closing quote', `${HEADER}2026-01-05;1,00;"a"b\n`],
  ])('%s', async (reason, file) => {
    expect(await refusal(file)).toBe(reason)
  })

  test.each([
    ['row 2, column Out and row 2, column In: an amount on both sides', '1,00;1,00'],
    ['row 2, column Out and row 2, column In: missing amount on both sides', ';'],
    ['row 2, column Out: a negative amount in a column of one side', '-1,00;'],
    ['row 2, column In: a negative amount in a column of one side', ';-1,00'],
  ])('%s', async (reason, cells) => {
    expect(await refusal(`Date;Out;In;Text\n2026-01-05;${cells};a\n`, SIDES)).toBe(reason)
  })

  test('a currency that is missing or unknown', async () => {
    const mapping = mappingOf({ currency: { column: 'Text' }, refs: {} })
    expect(await refusal(`${HEADER}2026-01-05;1,00;\n`, mapping)).toBe(
      'row 2, column Text: missing currency',
    )
    expect(await refusal(`${HEADER}2026-01-05;1,00;EUX\n`, mapping)).toBe(
      'row 2, column Text: unknown currency "EUX"',
    )
  })

  test('a file that ends before its header', async () => {
    expect(await refusal('Export\n', mappingOf({ headerRows: 2 }))).toBe(
      'file: cut off: no header row',
    )
  })

  test('a row that does not end', async () => {
    const result = await read(
      `${HEADER}2026-01-05;1,00;${'x'.repeat(1_100_000)}`,
      mappingOf(),
      65_536,
    )
    expect(result).toMatchObject({ accepted: false, why: 'a row of more than 1048576 characters' })
  })
})

test('an error of the disk is no refusal, and reaches the caller', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(HEADER))
    throw new Error('EIO')
  }
  await expect(summarize(readCsv(failing(), mappingOf()))).rejects.toThrow('EIO')
})
