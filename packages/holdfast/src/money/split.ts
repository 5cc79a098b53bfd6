import { sum } from './amount.ts'

/** All of a gross amount, in basis points. */
const WHOLE_IN_BASIS_POINTS = 10_000

/**
 * Splits a gross amount, in minor units, over weights by largest remainder (Hamilton's method):
 * each gets its share rounded down, and what is left goes by one unit to the largest remainders, of
 * equal ones to the first. The shares add up to the gross, and none is a whole unit off its exact
 * value. Throws a `RangeError` for a negative gross or weight, and where the weights are all 0 or
 * none.
 */
export function split(gross: bigint, weights: readonly bigint[]): bigint[] {
  const total = sum(weights)
  if (gross < 0n) throw new RangeError(`The gross amount ${gross} is negative`)
  if (weights.some(weight => weight < 0n)) throw new RangeError('A weight is negative')
  if (total === 0n) throw new RangeError('The weights add up to 0')
  const parts = weights.map((weight, index) => ({
    index,
    share: (gross * weight) / total,
    remainder: (gross * weight) % total,
  }))
  const left = Number(gross - sum(parts.map(part => part.share)))
  const lucky = new Set(
    parts
      .toSorted((a, b) => (a.remainder === b.remainder ? 0 : a.remainder > b.remainder ? -1 : 1))
      .slice(0, left)
      .map(part => part.index),
  )
  return parts.map(part => (lucky.has(part.index) ? part.share + 1n : part.share))
}

/**
 * Splits a gross amount, in minor units, over shares in basis points: 10p at `[7800, 2200]` is 8
 * and 2. Throws a `RangeError` where the shares are not whole numbers that add up to 10,000.
 */
export function splitBasisPoints(gross: bigint, shares: readonly number[]): bigint[] {
  if (!shares.every(Number.isSafeInteger)) throw new RangeError('A share is not a whole number')
  const whole = shares.reduce((left, right) => left + right, 0)
  if (whole !== WHOLE_IN_BASIS_POINTS)
    throw new RangeError(`The shares are ${whole} basis points, not ${WHOLE_IN_BASIS_POINTS}`)
  return split(gross, shares.map(BigInt))
}
