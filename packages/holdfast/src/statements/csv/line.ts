import { minorUnits } from '../../money/currency.ts'
import { readMoney } from '../amounts.ts'
import { gatherReferences } from '../refs.ts'
import { StatementRefused } from '../statement-refused.ts'
import type { StatementLine } from '../statement.ts'
import type { Cell, Cells } from './columns.ts'
import { dateReader, type DateReader } from './date-format.ts'
import type { CsvMapping } from './mapping.ts'
import { numberReader, type PrintedNumber } from './number-format.ts'

type Amount = Pick<StatementLine, 'amount' | 'currency' | 'direction'>

/** Makes a line of a row's cells. Throws a `StatementRefused` that names the row and the column. */
export function lineReader(mapping: CsvMapping): (cells: Cells) => StatementLine {
  const number = numberReader(mapping.number)
  const booked = dateReader(mapping.booked.format)
  const value = mapping.value && dateReader(mapping.value.format)
  return cells => ({
    ...amountOf(cells, mapping, number),
    status: 'booked',
    reversal: false,
    booked: bookingDay(cells(mapping.booked.column), booked),
    ...(mapping.value ? valueDay(cells(mapping.value.column), value) : { value: null }),
    bankRef: mapping.bankRef === null ? null : cells(mapping.bankRef).text.trim() || null,
    refs: gatherReferences(
      Object.entries(mapping.refs).map(([name, column]) => [name, cells(column).text] as const),
    ),
    batch: null,
  })
}

function bookingDay(cell: Cell, read: DateReader | null): string {
  const text = cell.text.trim()
  const day = read?.(text) ?? null
  if (day !== null) return day
  throw new StatementRefused(
    text === '' ? 'missing booking date' : `impossible booking date: ${text}`,
    cell.place,
  )
}

/** A value date may be 30 February (30/360 interest), which is no day: then it stays as printed. */
function valueDay(cell: Cell, read: DateReader | null): Pick<StatementLine, 'value' | 'valueRaw'> {
  const text = cell.text.trim()
  const day = read?.(text) ?? null
  return day === null && text !== '' ? { value: null, valueRaw: text } : { value: day }
}

type NumberReader = (text: string) => PrintedNumber | null

function amountOf(cells: Cells, mapping: CsvMapping, read: NumberReader): Amount {
  const { amount } = mapping
  const currency = currencyOf(cells, mapping)
  if ('column' in amount) {
    const cell = cells(amount.column)
    const printed = numberIn(cell, read)
    if (printed === null) throw new StatementRefused('missing amount', cell.place)
    return moneyOf(cell, printed, currency, printed.negative ? 'debit' : 'credit')
  }
  return sidedAmount(cells(amount.debit), cells(amount.credit), currency, read)
}

/**
 * Of two columns one is filled in, or one has a zero. A number in the debit column is money out.
 */
function sidedAmount(debit: Cell, credit: Cell, currency: string, read: NumberReader): Amount {
  const out = unsignedIn(debit, read)
  const into = unsignedIn(credit, read)
  if (out && into && !isZero(out) && !isZero(into))
    throw new StatementRefused('an amount on both sides', `${debit.place} and ${credit.place}`)
  if (out && (into === null || !isZero(out))) return moneyOf(debit, out, currency, 'debit')
  if (into) return moneyOf(credit, into, currency, 'credit')
  throw new StatementRefused('missing amount on both sides', `${debit.place} and ${credit.place}`)
}

/** A minus in a column that already is a side says nothing that can be relied on. */
function unsignedIn(cell: Cell, read: NumberReader): PrintedNumber | null {
  const printed = numberIn(cell, read)
  if (printed?.negative === true && !isZero(printed))
    throw new StatementRefused('a negative amount in a column of one side', cell.place)
  return printed
}

function numberIn(cell: Cell, read: NumberReader): PrintedNumber | null {
  const text = cell.text.trim()
  if (text === '') return null
  const printed = read(text)
  if (printed === null)
    throw new StatementRefused(
      `${JSON.stringify(text)} is no number as the mapping says`,
      cell.place,
    )
  return printed
}

function isZero(printed: PrintedNumber): boolean {
  return /^[0.]*$/.test(printed.decimal)
}

function moneyOf(
  cell: Cell,
  printed: PrintedNumber,
  currency: string,
  direction: Amount['direction'],
): Amount {
  const read = readMoney(printed.decimal, currency)
  if (!read.ok) throw new StatementRefused(read.why, cell.place)
  return { ...read.money, direction }
}

function currencyOf(cells: Cells, { currency }: CsvMapping): string {
  if ('fixed' in currency) return currency.fixed
  const cell = cells(currency.column)
  const code = cell.text.trim().toUpperCase()
  if (code === '') throw new StatementRefused('missing currency', cell.place)
  if (minorUnits(code) === null)
    throw new StatementRefused(`unknown currency ${JSON.stringify(code)}`, cell.place)
  return code
}
