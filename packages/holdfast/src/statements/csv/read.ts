import { StatementRefused, withFormat } from '../statement-refused.ts'
import type { StatementEvent } from '../statement.ts'
import { columnsOf } from './columns.ts'
import { lineReader } from './line.ts'
import type { CsvMapping } from './mapping.ts'
import { readRows, type Row } from './rows.ts'

const FORMAT = 'csv'

/**
 * Reads a bank's CSV file by a mapping: one statement without balances, one booked line a row. Two
 * equal rows are two lines. Memory does not grow with the number of rows. Throws a
 * `StatementRefused` that names the row and the column. A file that was cut off between two rows
 * cannot be told from a whole one.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  mapping: CsvMapping,
): AsyncGenerator<StatementEvent> {
  try {
    yield* statementOf(readRows(chunks, mapping), mapping)
  } catch (error) {
    throw withFormat(error, FORMAT)
  }
}

async function* statementOf(
  rows: AsyncGenerator<Row>,
  mapping: CsvMapping,
): AsyncGenerator<StatementEvent> {
  const header = await headerOf(rows, mapping.headerRows)
  const cellsOf = columnsOf(mapping, header)
  const readLine = lineReader(mapping)
  const currencies = new Set('fixed' in mapping.currency ? [mapping.currency.fixed] : [])
  yield { type: 'statement', statement: 0, format: FORMAT }
  for await (const row of rows) {
    if (isBlank(row)) continue
    const line = readLine(cellsOf(row))
    currencies.add(line.currency)
    yield { type: 'line', statement: 0, line }
  }
  const [currency, second] = currencies
  const head = {
    id: null,
    account: mapping.account,
    currency: second === undefined ? (currency ?? null) : null,
    opening: null,
    closing: null,
    balancesAddUp: null,
  }
  yield { type: 'end', statement: 0, head }
}

/** Takes the header rows off; the last of them names the columns. Null where there are none. */
async function headerOf(rows: AsyncGenerator<Row>, count: number): Promise<Row | null> {
  let header: Row | null = null
  for (let taken = 0; taken < count; taken += 1) {
    const next = await rows.next()
    if (next.done === true)
      throw new StatementRefused(taken === 0 ? 'empty file' : 'cut off: no header row', null)
    header = next.value
  }
  return header
}

function isBlank({ fields }: Row): boolean {
  const [only, second] = fields
  return second === undefined && (only === undefined || only.trim() === '')
}
