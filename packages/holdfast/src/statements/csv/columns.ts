import { StatementRefused } from '../statement-refused.ts'
import type { Column, CsvMapping } from './mapping.ts'
import type { Row } from './rows.ts'

/** A field of a row, as printed, and how its place is named. */
export interface Cell {
  readonly text: string
  readonly place: string
}

/** The cells of one row, by column. */
export type Cells = (column: Column) => Cell

/**
 * Finds a file's columns by its header row, or by number where `header` is null, and gives a reader
 * for the cells of its rows. Refuses a mapped column that is missing or there twice, and later each
 * row that has another number of fields than the header (the first row, where there is none).
 */
export function columnsOf(mapping: CsvMapping, header: Row | null): (row: Row) => Cells {
  const positions = new Map(
    mappedColumns(mapping).map(column => [column, positionOf(column, header)] as const),
  )
  let width = header?.fields.length ?? null
  return ({ row, fields }) => {
    width ??= fields.length
    if (fields.length !== width)
      throw new StatementRefused(`${fields.length} fields, not ${width}`, `row ${row}`)
    return column => {
      const place = `row ${row}, column ${column}`
      const text = fields[positions.get(column) ?? -1]
      if (text === undefined) throw new StatementRefused('missing column', place)
      return { text, place }
    }
  }
}

function mappedColumns(mapping: CsvMapping): Column[] {
  const { amount, currency, booked, value, refs, bankRef } = mapping
  return [
    booked.column,
    ...('column' in amount ? [amount.column] : [amount.debit, amount.credit]),
    ...('column' in currency ? [currency.column] : []),
    ...(value === null ? [] : [value.column]),
    ...(bankRef === null ? [] : [bankRef]),
    ...Object.values(refs),
  ]
}

function positionOf(column: Column, header: Row | null): number {
  if (typeof column === 'number') return column - 1
  const names = header?.fields.map(name => name.trim()) ?? []
  const position = names.indexOf(column)
  const place = `row ${header?.row ?? 1}, column ${column}`
  if (position < 0) throw new StatementRefused('missing column', place)
  if (names.includes(column, position + 1)) throw new StatementRefused('column twice', place)
  return position
}
