import { pipeline, Readable } from 'node:stream'
import { CsvError, parse, type Info } from 'csv-parse'
import { decode } from '../decode.ts'
import { StatementRefused } from '../statement-refused.ts'
import type { CsvMapping } from './mapping.ts'

/** No row is longer than this. */
const ROW_CHARACTERS_MAX = 1_048_576

/** A row of the file, blank ones too; `row` counts from 1 as a spreadsheet does. */
export interface Row {
  readonly row: number
  readonly fields: readonly string[]
}

/** The rows of a CSV file (RFC 4180, any line end), one by one. Refuses a quote out of place. */
export async function* readRows(
  chunks: AsyncIterable<Uint8Array>,
  mapping: Pick<CsvMapping, 'encoding' | 'delimiter' | 'quote'>,
): AsyncGenerator<Row> {
  const parser = parse({
    delimiter: mapping.delimiter,
    quote: mapping.quote,
    ...(mapping.quote === null ? {} : { escape: mapping.quote }),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    max_record_size: ROW_CHARACTERS_MAX,
    info: true,
  })
  const texts = Readable.from(decode(chunks, () => mapping.encoding))
  // Errors of either end reach the loop below through the parser.
  pipeline(texts, parser, () => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>)
      yield { row: info.records, fields: record }
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error) : error
  }
}

const REASONS: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'cut off: a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quote',
  INVALID_OPENING_QUOTE: 'a quote inside a field without quotes',
  CSV_MAX_RECORD_SIZE: `a row of more than ${ROW_CHARACTERS_MAX} characters`,
}

function refusalOf(error: CsvError): StatementRefused {
  const { records, column } = error
  const place = `row ${Number(records) + 1}, column ${Number(column) + 1}`
  return new StatementRefused(REASONS[error.code] ?? error.message, place)
}
