import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseMapping, type CsvMapping } from './csv/mapping.ts'
import { readStatements } from './reader.ts'
import { summarize, type FileJson, type StatementJson } from './statement-json.ts'

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield await Promise.resolve(bytes.subarray(start, start + size))
}

function entry(amount: string, side: string, id: string): string {
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts>
    <BookgDt><Dt>2026-01-05</Dt></BookgDt><AcctSvcrRef>B-${id}</AcctSvcrRef><NtryDtls><TxDtls>
    <Refs><EndToEndId>${id}</EndToEndId></Refs><RmtInf><Ustrd>für é &amp; 日</Ustrd></RmtInf>
    </TxDtls></NtryDtls></Ntry>`
}

function balance(type: string, amount: string): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>
    <CdtDbtInd>CRDT</CdtDbtInd></Bal>`
}

function camt(entries: string): Buffer {
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Id>S1</Id>
<Acct><Id><IBAN>NL02ABNA0123456789</IBAN></Id></Acct>${balance('OPBD', '100.00')}
${balance('CLBD', '75.50')}${entries}</Stmt></BkToCstmrStmt></Document>`)
}

const VALID = camt(entry('30.00', 'DBIT', 'PO-1') + entry('5.50', 'CRDT', 'PO-2'))

function read(bytes: Uint8Array, mapping?: CsvMapping): Promise<FileJson> {
  return summarize(readStatements(inChunks(bytes, 100), mapping ? { mapping } : {}))
}

/** Opening, closing and booked lines, added up once more by the test itself. */
function addsUp({ opening, closing, lines }: StatementJson): boolean {
  if (opening === null || closing === null) return true
  const booked = lines.filter(line => line.status === 'booked')
  const net = booked.reduce(
    (sum, { amount, direction }) => sum + BigInt(amount) * (direction === 'debit' ? -1n : 1n),
    0n,
  )
  return BigInt(opening) + net === BigInt(closing)
}

describe('a camt.053 file', () => {
  test('is accepted as it is', async () => {
    const result = await read(VALID)
    expect(result).toMatchObject({ accepted: true, statements: [{ lines: [{}, {}] }] })
  })

  test('that is cut off at any byte is refused, with a reason', async () => {
    for (let bytes = 0; bytes < VALID.length; bytes += 1) {
      const result = await read(VALID.subarray(0, bytes))
      if (result.accepted) throw new Error(`accepted when cut off after ${bytes} bytes`)
      expect(result.why).toMatch(/^(?:empty file|cut off: )/)
    }
  })

  test('with a byte changed is refused, or still adds up', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(VALID.length - 1),
        fc.integer({ min: 0, max: 255 }),
        async (at, byte) => {
          const damaged = Buffer.from(VALID)
          damaged[at] = byte
          const result = await read(damaged)
          expect(result.statements.every(addsUp)).toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('with a piece taken out, doubled or moved is refused, or still adds up', async () => {
    const place = fc.nat(VALID.length)
    await fc.assert(
      fc.asyncProperty(place, place, place, async (from, to, into) => {
        const piece = VALID.subarray(Math.min(from, to), Math.max(from, to))
        const without = Buffer.concat([
          VALID.subarray(0, Math.min(from, to)),
          VALID.subarray(Math.max(from, to)),
        ])
        const doubled = Buffer.concat([VALID.subarray(0, into), piece, VALID.subarray(into)])
        const moved = Buffer.concat([without.subarray(0, into), piece, without.subarray(into)])
        for (const damaged of [without, doubled, moved])
          expect((await read(damaged)).statements.every(addsUp)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('with a whole entry lost or doubled does not add up', async () => {
    const one = entry('30.00', 'DBIT', 'PO-1')
    const other = entry('5.50', 'CRDT', 'PO-2')
    for (const entries of [one, other, one + one + other, ''])
      expect(await read(camt(entries))).toMatchObject({
        accepted: false,
        why: expect.stringMatching(/^does not add up by/) as string,
      })
  })
})

test('no bytes at all make a reader fail otherwise than by refusing', async () => {
  const parsed = parseMapping({
    encoding: 'windows-1252',
    delimiter: ',',
    quote: '"',
    headerRows: 0,
    currency: { fixed: 'EUR' },
    booked: { column: 1, format: 'yyyy-mm-dd' },
    amount: { column: 2 },
    number: { decimal: '.', thousands: ',', negative: ['leading-minus', 'parentheses'] },
    refs: { text: 3 },
  })
  if (!parsed.ok) throw new Error(parsed.why)
  const { mapping } = parsed
  const row = fc.constantFrom('2026-01-05,1.00,a\n', '2026-01-05,"1,000.00",b\r\n', '"', ',', '\r')
  const text = fc.array(fc.oneof(row, fc.string()), { maxLength: 8 }).map(rows => rows.join(''))
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        text.map(rows => Buffer.from(rows)),
        fc.uint8Array(),
      ),
      async bytes => {
        for (const result of [await read(bytes), await read(bytes, mapping)])
          expect(result.accepted || result.why !== '').toBe(true)
      },
    ),
    { numRuns: 1000 },
  )
})
