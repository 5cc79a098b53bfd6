import { parseDecimal } from '../money/amount.ts'
import { minorUnits } from '../money/currency.ts'
import type { Money } from './statement.ts'

/**
 * Money as printed, or why it is none, as a clause: "amount 10.005 EUR is not exact in 2 decimals".
 */
export type ReadMoney =
  { readonly ok: true; readonly money: Money } | { readonly ok: false; readonly why: string }

/**
 * A plain decimal number in a currency (an ISO 4217 code), exact by value in its minor unit: 18.150
 * EUR and 5000.00 JPY are, 10.005 EUR is refused.
 */
export function readMoney(decimal: string, currency: string): ReadMoney {
  const scale = minorUnits(currency)
  if (scale === null) return { ok: false, why: `unknown currency ${JSON.stringify(currency)}` }
  const parsed = parseDecimal(decimal, scale)
  if (!parsed.ok)
    return { ok: false, why: `amount ${JSON.stringify(decimal)} ${currency} ${parsed.why}` }
  return { ok: true, money: { amount: parsed.amount, currency } }
}
