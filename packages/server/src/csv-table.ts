import { CsvError, parse } from 'csv-parse/sync'
import { BadInput } from './bad-input.ts'
import { counted } from './counted.ts'
import { printable } from './table.ts'

/** The columns of a file. Their order is free; others than these are refused. */
export interface Columns<Required extends string, Optional extends string> {
  readonly required: readonly Required[]
  readonly optional: readonly Optional[]
}

/** A row: its number as a spreadsheet shows it (the header is row 1), and its cells by column. */
export interface CsvRow<Column extends string> {
  readonly row: number
  readonly cells: Readonly<Record<Column, string>>
}

const VALUE_SHOWN_MAX = 40

/** Collects what is wrong with the rows of a file, so that all of it is named at once. */
export class RowProblems {
  readonly #file: string
  readonly #problems: string[] = []

  constructor(file: string) {
    this.#file = file
  }

  /** `why` is a predicate: `"10.005" is not exact in 2 decimals`. */
  add(row: number, column: string, value: string, why: string): void {
    const shown = value.length > VALUE_SHOWN_MAX ? `${value.slice(0, VALUE_SHOWN_MAX)}…` : value
    this.#problems.push(`${this.#file} row ${row}, ${column}: "${printable(shown)}" ${why}`)
  }

  /** Adds a problem of a row as a whole. */
  addRow(row: number, why: string): void {
    this.#problems.push(`${this.#file} row ${row}: ${why}`)
  }

  /** Throws {@link BadInput} where anything was added. */
  throwIfAny(): void {
    if (this.#problems.length > 0) throw new BadInput(this.#problems)
  }
}

/** The values of a column in which none may stand twice. */
export class DistinctValues {
  readonly #rows = new Map<string, number>()

  /** Takes a row's value; gives what is wrong with it, null where it is the first of its kind. */
  whyRepeated(value: string, row: number): string | null {
    const earlier = this.#rows.get(value)
    if (earlier !== undefined) return `stands in row ${earlier} already`
    this.#rows.set(value, row)
    return null
  }
}

/**
 * Reads comma-separated text with a header (RFC 4180; a byte order mark has been taken off). An
 * optional column that is absent gives empty cells; empty lines are passed over. Throws
 * {@link BadInput} that names every missing, unknown or repeated column, or every uneven row.
 */
export function readCsv<Required extends string, Optional extends string>(
  file: string,
  text: string,
  columns: Columns<Required, Optional>,
): CsvRow<Required | Optional>[] {
  const [header = [], ...records] = parseRecords(file, text)
  const titles = header.map(title => title.trim().toLowerCase())
  checkHeader(file, titles, columns)
  const problems = new RowProblems(file)
  const known = [...columns.required, ...columns.optional]
  const rows: CsvRow<Required | Optional>[] = []
  for (const [index, record] of records.entries()) {
    const row = index + 2
    if (record.length === 1 && record[0]?.trim() === '' && titles.length > 1) continue
    if (record.length !== titles.length)
      problems.addRow(row, `${counted(record.length, 'cell')}, and the header has ${titles.length}`)
    const cells = known.map(column => [column, record[titles.indexOf(column)] ?? ''])
    rows.push({ row, cells: Object.fromEntries(cells) as Record<Required | Optional, string> })
  }
  problems.throwIfAny()
  if (rows.length === 0) throw new BadInput(`${file}: has a header and no rows`)
  return rows
}

/** What a parser cannot go on after, by the code of its error. */
const UNPARSABLE: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is not closed',
  CSV_INVALID_CLOSING_QUOTE: 'text after a closing quote',
  INVALID_OPENING_QUOTE: 'a quote inside a cell without quotes',
}

function parseRecords(file: string, text: string): string[][] {
  try {
    return parse(text, { relax_column_count: true })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const why = UNPARSABLE[error.code] ?? error.message
    throw new BadInput(`${file} row ${Number(error['records']) + 1}: ${why}`)
  }
}

function checkHeader(
  file: string,
  titles: readonly string[],
  { required, optional }: Columns<string, string>,
): void {
  const known = [...required, ...optional]
  const missing = required.filter(column => !titles.includes(column))
  const unknown = titles.filter(title => !known.includes(title))
  const repeated = titles.filter((title, at) => titles.indexOf(title) !== at)
  const problems = [
    ...missing.map(column => `the column ${column} is missing`),
    ...unknown.map(title => `"${printable(title.slice(0, VALUE_SHOWN_MAX))}" is no column`),
    ...repeated.map(title => `the column ${title} stands there twice`),
  ]
  if (problems.length === 0) return
  const separators = titles.length === 1 && titles[0]?.includes(';') ? ', separated by commas' : ''
  throw new BadInput([
    ...problems.map(problem => `${file} row 1: ${problem}`),
    `The columns are ${required.join(', ')}${optional.map(name => `, [${name}]`).join('')}${separators}`,
  ])
}
