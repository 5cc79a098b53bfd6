import { Buffer } from 'node:buffer'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { parseMapping, type CsvMapping } from './csv/mapping.ts'
import { readStatements, type ReadOptions } from './reader.ts'
import { StatementRefused } from './statement-refused.ts'
import { summarize, type FileJson } from './statement-json.ts'

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
  })
  if (!result.ok) throw new Error(result.why)
  return result.mapping
}

const CAMT =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt/></BkToCstmrStmt></Document>'
const CSV = 'Date,Amount\n2026-01-05,1.00\n'

/** A stream that knows whether it was closed. */
class Source {
  closed = false
  readonly #chunks: readonly Uint8Array[]
  constructor(...chunks: readonly (string | Uint8Array)[]) {
    this.#chunks = chunks.map(chunk => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (const chunk of this.#chunks) yield await Promise.resolve(chunk)
    } finally {
      this.closed = true
    }
  }
}

function read(source: Source, options?: ReadOptions): Promise<FileJson> {
  return summarize(readStatements(source, options))
}

describe('readStatements', () => {
  test('finds the reader by the file', async () => {
    expect(await read(new Source(CAMT))).toMatchObject({
      format: 'camt.053.001.08',
      accepted: true,
    })
    expect(await read(new Source(...CAMT))).toMatchObject({ accepted: true })
    expect(await read(new Source(`\ufeff\r\n ${CAMT}`))).toMatchObject({ accepted: true })
    expect(await read(new Source(iconv.encode(CAMT, 'utf-16be')))).toMatchObject({ accepted: true })
    expect(await read(new Source(CSV), { mapping: csvMapping() })).toMatchObject({
      format: 'csv',
      accepted: true,
    })
    expect(await read(new Source(CAMT), { mapping: csvMapping() })).toMatchObject({
      format: 'camt.053.001.08',
      accepted: true,
    })
  })

  test.each([
    ['empty file', []],
    ['empty file', ['']],
    ['a binary file', [Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0])]],
    ['a binary file', [Buffer.alloc(3000)]],
    ['a file of no known format; CSV needs a mapping', ['%PDF-1.7']],
    ['a file of no known format; CSV needs a mapping', [CSV]],
  ])('%s', async (why, chunks) => {
    const source = new Source(...chunks)
    expect(await read(source)).toEqual({
      format: null,
      accepted: false,
      why,
      place: null,
      statements: [],
    })
    expect(source.closed).toBe(true)
  })

  test('a binary file is none with a mapping either', async () => {
    const source = new Source(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 13]))
    expect(await read(source, { mapping: csvMapping() })).toMatchObject({ why: 'a binary file' })
  })

  test.each(['after the first event', 'by a refusal', 'by its end'])(
    'closes the stream: %s',
    async how => {
      for (const [options, file] of [
        [{}, how === 'by a refusal' ? CAMT.slice(0, -9) : CAMT],
        [{ mapping: csvMapping() }, how === 'by a refusal' ? 'Date\n' : CSV],
      ] as const) {
        const source = new Source(file, ' '.repeat(2000), ' ')
        const events = readStatements(source, options)
        if (how === 'after the first event') {
          await events.next()
          await events.return(undefined)
        } else await summarize(events).catch(() => undefined)
        await new Promise(resolve => setImmediate(resolve))
        expect(source.closed).toBe(true)
      }
    },
  )

  test('a refusal is an error of its own, with the format, the reason and the place', async () => {
    const count = async (): Promise<number> => {
      let events = 0
      for await (const event of readStatements(new Source(CAMT.slice(0, -9))))
        events += event.statement + 1
      return events
    }
    const error: unknown = await count().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(StatementRefused)
    expect(error).toMatchObject({
      name: 'StatementRefused',
      message: 'cut off: the XML ends inside an element (line 1, column 105, in Document)',
      why: 'cut off: the XML ends inside an element',
      place: 'line 1, column 105, in Document',
      format: 'camt.053.001.08',
    })
  })
})
