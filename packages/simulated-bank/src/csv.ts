import { printAmount } from './account.ts'
import { dayOf } from './instant.ts'
import type { DayStatement } from './statement.ts'

/** How a mapped-CSV reader is told what the columns of a bank's file mean. */
export interface CsvMapping {
  readonly encoding: 'utf-8'
  readonly delimiter: string
  readonly quote: string
  readonly headerRows: number
  readonly currency: { readonly column: string }
  readonly booked: { readonly column: string; readonly format: 'yyyy-mm-dd' }
  readonly value: { readonly column: string; readonly format: 'yyyy-mm-dd' }
  readonly amount: { readonly column: string }
  readonly number: {
    readonly decimal: string
    readonly thousands: null
    readonly negative: readonly ['leading-minus']
  }
  /** What may carry our id, or says whom a line is about, by the name it gets. */
  readonly refs: Readonly<Record<string, string>>
  /** The bank's own reference. */
  readonly bankRef: string
}

/** The mapping of this bank's CSV: a file for `--mapping`. A negative amount has left the account. */
export const csvMapping: CsvMapping = {
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  headerRows: 1,
  currency: { column: 'Currency' },
  booked: { column: 'Booking date', format: 'yyyy-mm-dd' },
  value: { column: 'Value date', format: 'yyyy-mm-dd' },
  amount: { column: 'Amount' },
  number: { decimal: '.', thousands: null, negative: ['leading-minus'] },
  refs: {
    endToEndId: 'End-to-end id',
    payee: 'Payee',
    payeeAccount: 'Payee account',
    type: 'Type',
    text: 'Text',
  },
  bankRef: 'Bank reference',
}

const HEADER = [
  'Booking date',
  'Value date',
  'Amount',
  'Currency',
  'End-to-end id',
  'Bank reference',
  'Payee',
  'Payee account',
  'Type',
  'Text',
]

/** A day's statement as CSV (RFC 4180): a header, then a row a line. It carries no balances. */
export function printCsv(statement: DayStatement): string {
  const { currency, scale } = statement.account
  const rows = statement.lines.map(line => [
    dayOf(line.at),
    dayOf(line.at),
    printAmount(line.amount, scale),
    currency,
    line.endToEndId ?? '',
    line.reference,
    line.party?.name ?? '',
    line.party?.account ?? '',
    line.kind,
    line.text,
  ])
  return [HEADER, ...rows].map(row => `${row.map(quoted).join(',')}\r\n`).join('')
}

function quoted(text: string): string {
  return /[",]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text
}
