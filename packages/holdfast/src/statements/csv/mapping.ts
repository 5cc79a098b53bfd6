import { minorUnits } from '../../money/currency.ts'
import { extendsAscii } from '../decode.ts'
import { dateReader } from './date-format.ts'
import type { NegativeMark, NumberFormat } from './number-format.ts'

/** A column: its name in the header, or, in a file without one, its number counted from 1. */
export type Column = string | number

/** Where a day stands, and how it is written: `dd/mm/yyyy`, `yyyymmdd`, `d.m.yy`, `dd-mmm-yyyy`. */
export interface DateColumn {
  readonly column: Column
  readonly format: string
}

/** How a bank's CSV file becomes lines: the shape of a mapping file, which is JSON. */
export interface CsvMapping {
  readonly encoding: string
  readonly delimiter: string
  /** Null where the file does not quote. */
  readonly quote: string | null
  /** Rows before the first line; the last of them names the columns. */
  readonly headerRows: number
  readonly currency: { readonly column: Column } | { readonly fixed: string }
  readonly booked: DateColumn
  readonly value: DateColumn | null
  /** One signed column (positive is money in), or two of which each row fills one. */
  readonly amount: { readonly column: Column } | { readonly debit: Column; readonly credit: Column }
  readonly number: NumberFormat
  /** Columns that may carry our id or say whom a payment was for, by the name they get. */
  readonly refs: Readonly<Record<string, Column>>
  /** The column with the bank's own reference, where there is one. */
  readonly bankRef: Column | null
  /** The account that the file is about, where it shall stand on the statement. */
  readonly account: string | null
}

/** A mapping, or what is wrong with it: the field, `amount.column`, and a predicate on it. */
export type ParsedMapping =
  | { readonly ok: true; readonly mapping: CsvMapping }
  | { readonly ok: false; readonly field: string; readonly why: string }

const HEADER_ROWS_MAX = 100
const UTF_16: readonly string[] = ['utf-16', 'utf-16le', 'utf-16be']
const NEGATIVE_MARKS: readonly string[] = ['leading-minus', 'trailing-minus', 'parentheses']

/**
 * Checks a mapping, as it comes out of `JSON.parse`, part by part. Everything must be there but
 * `value`, `refs`, `bankRef` and `account`, and nothing else may be.
 */
export function parseMapping(json: unknown): ParsedMapping {
  try {
    return { ok: true, mapping: mappingOf(json) }
  } catch (error) {
    if (error instanceof WrongField) return { ok: false, field: error.field, why: error.why }
    throw error
  }
}

/** How the checks below end early; it never leaves this file. */
class WrongField extends Error {
  readonly field: string
  readonly why: string
  constructor(field: string, why: string) {
    super(`${field} ${why}`)
    this.field = field
    this.why = why
  }
}

type Fields = Readonly<Record<string, unknown>>

function mappingOf(json: unknown): CsvMapping {
  const fields = objectOf('mapping', json, [
    ...['encoding', 'delimiter', 'quote', 'headerRows', 'currency', 'booked', 'value', 'amount'],
    ...['number', 'refs', 'bankRef', 'account'],
  ])
  const delimiter = characterOf('delimiter', fields['delimiter'])
  const quote = fields['quote'] === null ? null : characterOf('quote', fields['quote'])
  if (quote === delimiter) throw new WrongField('quote', 'is the delimiter too')
  const headerRows = headerRowsOf(fields['headerRows'])
  const column = (field: string, value: unknown): Column => columnOf(field, value, headerRows > 0)
  return {
    encoding: encodingOf(fields['encoding']),
    delimiter,
    quote,
    headerRows,
    currency: currencyOf(fields['currency'], column),
    booked: dateOf('booked', fields['booked'], column),
    value: absent(fields['value']) ? null : dateOf('value', fields['value'], column),
    amount: amountOf(fields['amount'], column),
    number: numberOf(fields['number']),
    refs: refsOf(fields['refs'] ?? {}, column),
    bankRef: absent(fields['bankRef']) ? null : column('bankRef', fields['bankRef']),
    account: absent(fields['account']) ? null : textOf('account', fields['account']),
  }
}

function absent(value: unknown): boolean {
  return value === undefined || value === null
}

type ReadColumn = (field: string, value: unknown) => Column

function currencyOf(json: unknown, column: ReadColumn): CsvMapping['currency'] {
  const fields = objectOf('currency', json, ['column', 'fixed'])
  if ((fields['column'] === undefined) === (fields['fixed'] === undefined))
    throw new WrongField('currency', 'needs either a column or a fixed code')
  if (fields['fixed'] === undefined) return { column: column('currency.column', fields['column']) }
  const fixed = textOf('currency.fixed', fields['fixed'])
  if (minorUnits(fixed) === null) throw new WrongField('currency.fixed', 'is no ISO 4217 code')
  return { fixed }
}

function dateOf(field: string, json: unknown, column: ReadColumn): DateColumn {
  const fields = objectOf(field, json, ['column', 'format'])
  const format = textOf(`${field}.format`, fields['format'])
  if (dateReader(format) === null)
    throw new WrongField(`${field}.format`, 'is no date format such as yyyy-mm-dd or d.m.yy')
  return { column: column(`${field}.column`, fields['column']), format }
}

function amountOf(json: unknown, column: ReadColumn): CsvMapping['amount'] {
  const fields = objectOf('amount', json, ['column', 'debit', 'credit'])
  const isSigned = fields['column'] !== undefined
  if (isSigned === (fields['debit'] !== undefined || fields['credit'] !== undefined))
    throw new WrongField('amount', 'needs either a column, or a debit and a credit column')
  if (isSigned) return { column: column('amount.column', fields['column']) }
  const debit = column('amount.debit', fields['debit'])
  const credit = column('amount.credit', fields['credit'])
  if (debit === credit) throw new WrongField('amount.credit', 'is the debit column too')
  return { debit, credit }
}

function numberOf(json: unknown): NumberFormat {
  const fields = objectOf('number', json, ['decimal', 'thousands', 'negative'])
  const decimal = separatorOf('number.decimal', fields['decimal'])
  const thousands =
    fields['thousands'] === null ? null : separatorOf('number.thousands', fields['thousands'])
  if (thousands === decimal) throw new WrongField('number.thousands', 'is the decimal mark too')
  const negative = fields['negative']
  if (!Array.isArray(negative) || !negative.every(isNegativeMark))
    throw new WrongField('number.negative', `is no list of ${NEGATIVE_MARKS.join(', ')}`)
  return { decimal, thousands, negative }
}

function isNegativeMark(value: unknown): value is NegativeMark {
  return typeof value === 'string' && NEGATIVE_MARKS.includes(value)
}

function refsOf(json: unknown, column: ReadColumn): CsvMapping['refs'] {
  return Object.fromEntries(
    Object.entries(objectOf('refs', json)).map(([name, value]) => [
      name,
      column(`refs.${name}`, value),
    ]),
  )
}

function headerRowsOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > HEADER_ROWS_MAX)
    throw new WrongField('headerRows', `is no whole number of 0 to ${HEADER_ROWS_MAX}`)
  return value
}

function columnOf(field: string, value: unknown, hasHeader: boolean): Column {
  if (hasHeader) return textOf(field, value).trim()
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw new WrongField(field, 'is no number of a column, counted from 1, as headerRows is 0')
  return value
}

function encodingOf(value: unknown): string {
  const encoding = textOf('encoding', value)
  if (!UTF_16.includes(encoding.toLowerCase()) && !extendsAscii(encoding))
    throw new WrongField('encoding', 'is no known character encoding')
  return encoding
}

function separatorOf(field: string, value: unknown): string {
  const character = characterOf(field, value)
  if (/[\d+()-]/.test(character)) throw new WrongField(field, 'is a part of numbers itself')
  return character
}

function characterOf(field: string, value: unknown): string {
  if (typeof value !== 'string' || value.length !== 1 || value === '\n' || value === '\r')
    throw new WrongField(field, 'is not one character')
  return value
}

function textOf(field: string, value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') throw new WrongField(field, 'is no text')
  return value
}

function objectOf(field: string, value: unknown, known?: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new WrongField(field, 'is no object')
  const unknown = known && Object.keys(value).find(name => !known.includes(name))
  if (unknown !== undefined)
    throw new WrongField(field === 'mapping' ? unknown : `${field}.${unknown}`, 'is not known')
  return value as Fields
}
