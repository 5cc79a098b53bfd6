/** No amount, balance, or sum on an account lies further from zero than this, in minor units: 2^63-1. */
export const AMOUNT_MAX: bigint = 2n ** 63n - 1n

/** An amount in minor units, or why the text is none: a predicate, as in "10.005 `why`". */
export type ParsedAmount =
  { readonly ok: true; readonly amount: bigint } | { readonly ok: false; readonly why: string }

/** A text longer than this is not looked at; 2^63-1 with 18 decimals has 20 characters. */
const DECIMAL_CHARACTERS_MAX = 64

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/**
 * Reads a decimal number into minor units, exactly: `parseDecimal('10.05', 2)` is 1005n. There is
 * one rule for people and for files: a number counts by its value, so that `10.050` and `010.05`
 * are 1005n at scale 2 and `10.005` is refused. Digits, at most one point between digits and, where
 * `negative` allows it, a leading minus are all that may stand in it: no exponent, no separators,
 * no plus, no spaces. At most 2^63-1 minor units either way.
 */
export function parseDecimal(
  text: unknown,
  scale: number,
  options: { readonly negative?: boolean } = {},
): ParsedAmount {
  if (typeof text !== 'string') return refused('is not a text')
  if (text === '') return refused('is empty')
  if (text.length > DECIMAL_CHARACTERS_MAX)
    return refused(`is longer than ${DECIMAL_CHARACTERS_MAX} characters`)
  const [, sign, whole, decimals = ''] = DECIMAL.exec(text) ?? []
  if (whole === undefined) return refused('is not a plain decimal number')
  if (sign === '-' && options.negative !== true) return refused('is negative')
  const fraction = decimals.replace(/0+$/, '')
  if (fraction.length > scale) return refused(`is not exact in ${scale} decimals`)
  const amount = BigInt(whole + fraction.padEnd(scale, '0'))
  if (amount > AMOUNT_MAX) return refused('is over 2^63-1 minor units')
  return { ok: true, amount: sign === '-' ? -amount : amount }
}

/**
 * Prints minor units as a decimal number: `formatDecimal(1005n, 2)` is `10.05`, `-5n` is `-0.05`.
 */
export function formatDecimal(amount: bigint, scale: number): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(scale + 1, '0')
  if (scale === 0) return sign + digits
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** What amounts add up to; 0 for none. */
export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

function refused(why: string): ParsedAmount {
  return { ok: false, why }
}
