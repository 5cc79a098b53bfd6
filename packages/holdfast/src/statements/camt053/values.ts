import { readMoney } from '../amounts.ts'
import { isoDay } from '../dates.ts'
import type { Money } from '../statement.ts'
import { elementAt, onlyChild, refusedAt, textAt, textOf, type XmlElement } from '../xml.ts'

/** The mark of a template that nobody filled in. */
const PLACEHOLDER = /\{\{|\{%/

/** What XML Schema's decimal allows and a plain decimal number does not: a plus, a bare point. */
const SCHEMA_DECIMAL = /^\+?(?=\.?\d)(\d*)(?:\.(\d*))?$/

/**
 * The amount in a child of an entry, balance or detail: exact, with its currency. Refuses others.
 */
export function amountIn(element: XmlElement): Money {
  const amount = onlyChild(element, 'Amt')
  if (amount === null) throw refusedAt(element, 'missing amount: no Amt')
  return amountOf(amount)
}

/** The amount that an element is: exact, with its currency. Refuses anything else. */
export function amountOf(element: XmlElement): Money {
  const text = textOf(element)
  if (text === null) throw refusedAt(element, 'missing amount')
  refuseTemplate(element, text)
  const currency = element.attributes['Ccy']?.trim() ?? ''
  if (currency === '') throw refusedAt(element, `amount ${text} without a currency`)
  const read = readMoney(plainDecimal(text), currency)
  if (!read.ok) throw refusedAt(element, read.why)
  return read.money
}

/** An XML Schema decimal as a plain decimal number; another text as it is. */
export function plainDecimal(text: string): string {
  const [, whole, fraction = ''] = SCHEMA_DECIMAL.exec(text) ?? []
  if (whole === undefined) return text
  return (whole === '' ? '0' : whole) + (fraction === '' ? '' : `.${fraction}`)
}

/**
 * The side that `CdtDbtInd` names, seen from the account. Refuses a side that is missing or
 * unknown.
 */
export function directionOf(element: XmlElement): 'debit' | 'credit' {
  const code = textOf(onlyChild(element, 'CdtDbtInd'))
  if (code === 'CRDT') return 'credit'
  if (code === 'DBIT') return 'debit'
  throw refusedAt(element, code === null ? 'missing CdtDbtInd' : `unknown CdtDbtInd ${code}`)
}

/** A day as printed, and the calendar day that it is, or null where there is none. */
export interface PrintedDay {
  readonly printed: string
  readonly day: string | null
}

/**
 * The day in a child with a choice of `Dt` and `DtTm`, without a change of zone; null where none
 * is.
 */
export function dayIn(element: XmlElement, name: string): PrintedDay | null {
  const choice = elementAt(element, name)
  if (choice === null) return null
  const printed = textAt(choice, 'Dt') ?? textAt(choice, 'DtTm') ?? textOf(choice)
  if (printed === null) return null
  refuseTemplate(choice, printed)
  return { printed, day: isoDay(printed) }
}

function refuseTemplate(element: XmlElement, text: string): void {
  if (PLACEHOLDER.test(text))
    throw refusedAt(element, `a template, not data: ${element.name} is the placeholder ${text}`)
}
