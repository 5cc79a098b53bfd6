import { Buffer } from 'node:buffer'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { parseMapping, type CsvMapping } from './csv/mapping.ts'
import { readStatements, type ReadOptions } from './reader.ts'
import { rounds } from '#testing/rounds.ts'

const LARGE = rounds({ usual: 50_000, long: 200_000 })
const SMALL = 2_000

/**
 * What the heap may grow by between a small file and a large one. All lines would be over 25 MB.
 */
const GROWTH_BYTES_MAX = 4_000_000

/** How many lines go by between two looks at the heap. */
const LINES_A_LOOK = 10_000

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function camtEntry(index: number): string {
  return `<Ntry><NtryRef>${index}</NtryRef><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd>
<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt><NtryDtls><TxDtls><Refs>
<EndToEndId>PO-${index}</EndToEndId></Refs><RmtInf><Ustrd>Payout ${index} of a long day</Ustrd></RmtInf>
</TxDtls></NtryDtls></Ntry>\n`
}

function camtBalance(type: string, amount: number): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`
}

async function* generated(
  before: string,
  count: number,
  one: (index: number) => string,
  after: string,
): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(before))
  for (let index = 0; index < count; index += 100) {
    const pieces = Array.from({ length: 100 }, (_, offset) => one(index + offset))
    yield Buffer.from(pieces.join(''))
  }
  yield Buffer.from(after)
}

function camt(count: number): AsyncGenerator<Uint8Array> {
  const balances = camtBalance('OPBD', 0) + camtBalance('CLBD', count)
  return generated(
    `<Document><BkToCstmrStmt><Stmt>${balances}`,
    count,
    camtEntry,
    '</Stmt></BkToCstmrStmt></Document>',
  )
}

function csv(count: number): AsyncGenerator<Uint8Array> {
  const row = (index: number): string => `2026-01-05,1.00,"PO-${index}, of a long day"\n`
  return generated('Date,Amount,Text\n', count, row, '')
}

function csvMapping(): CsvMapping {
  const result = parseMapping({
    encoding: 'utf-8',
    delimiter: ',',
    quote: '"',
    headerRows: 1,
    currency: { fixed: 'EUR' },
    booked: { column: 'Date', format: 'yyyy-mm-dd' },
    amount: { column: 'Amount' },
    number: { decimal: '.', thousands: null, negative: [] },
    refs: { text: 'Text' },
  })
  if (!result.ok) throw new Error(result.why)
  return result.mapping
}

/** Reads a file to its end: how many lines it had, and the most that was alive at one look. */
async function peakOf(
  file: AsyncIterable<Uint8Array>,
  options: ReadOptions,
): Promise<{ lines: number; heapBytes: number }> {
  let lines = 0
  let heapBytes = 0
  const look = (): void => {
    collectGarbage()
    heapBytes = Math.max(heapBytes, process.memoryUsage().heapUsed)
  }
  for await (const event of readStatements(file, options)) {
    if (event.type !== 'line') continue
    lines += 1
    if (lines % LINES_A_LOOK === 1) look()
  }
  return { lines, heapBytes }
}

describe('memory does not grow with the file', () => {
  test.each([
    ['camt.053', camt, {}],
    ['CSV', csv, { mapping: csvMapping() }],
  ])(
    '%s',
    async (_format, file, options) => {
      await peakOf(file(SMALL), options)
      const small = await peakOf(file(SMALL), options)
      const large = await peakOf(file(LARGE), options)
      expect(small.lines).toBe(SMALL)
      expect(large.lines).toBe(LARGE)
      expect(large.heapBytes - small.heapBytes).toBeLessThan(GROWTH_BYTES_MAX)
    },
    600_000,
  )
})
