import { BankNotStarted } from './refusal.ts'

/** The one account the bank keeps. Amounts are in minor units of the currency. */
export interface Account {
  readonly iban: string
  readonly owner: string
  /** An ISO 4217 code. */
  readonly currency: string
  /** Digits after the point, 0 to 5 (what camt.053 can print). */
  readonly scale: number
  /** Booked before the first day; may be negative. */
  readonly opening: bigint
  /** What the bank takes for each payment, booked as a line of its own; 0n for none. */
  readonly fee: bigint
}

/** The account of a bank that is started without one: EUR 1,000,000.00, a fee of 0.20 a payment. */
export const defaultAccount: Account = {
  iban: 'NL94SIMB0000000001',
  owner: 'Payday Ltd',
  currency: 'EUR',
  scale: 2,
  opening: 100_000_000n,
  fee: 20n,
}

/** Whether a text has the form of an IBAN, `IBAN2007Identifier` of ISO 20022. */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[a-zA-Z0-9]{1,30}$/.test(text)
}

const CURRENCY = /^[A-Z]{3}$/
const SCALE_MAX = 5

/** Throws a {@link BankNotStarted} that names the field where an account cannot be printed as camt.053. */
export function checkAccount(account: Account): void {
  const wrong = (field: string, rule: string): never => {
    throw new BankNotStarted('INVALID_OPTION', `account.${field} must be ${rule}`)
  }
  if (!isIban(account.iban)) wrong('iban', 'an IBAN without spaces')
  if (!isPrintable(account.owner, 140)) wrong('owner', '1 to 140 printable characters')
  if (!CURRENCY.test(account.currency)) wrong('currency', 'an ISO 4217 code, three capitals')
  if (!Number.isInteger(account.scale) || account.scale < 0 || account.scale > SCALE_MAX) {
    wrong('scale', `0 to ${SCALE_MAX}`)
  }
  if (account.fee < 0n) wrong('fee', '0 or more')
}

/** Whether a text has 1 to `max` characters, all of them printable and allowed in XML 1.0. */
export function isPrintable(text: string, max: number): boolean {
  const length = Array.from(text).length
  return length >= 1 && length <= max && !UNPRINTABLE.test(text)
}

const UNPRINTABLE = /[^ -~\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

/** An amount in minor units as a decimal, `-1234n` at scale 2 is `-12.34`. */
export function printAmount(amount: bigint, scale: number): string {
  const sign = amount < 0n ? '-' : ''
  const digits = String(amount < 0n ? -amount : amount).padStart(scale + 1, '0')
  if (scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
