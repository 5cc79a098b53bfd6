import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AMOUNT_MAX } from './amount.ts'
import { split, splitBasisPoints } from './split.ts'

const gross = fc.bigInt({ min: 0n, max: AMOUNT_MAX })
const weights = fc
  .array(fc.bigInt({ min: 0n, max: 10n ** 12n }), { minLength: 1, maxLength: 50 })
  .filter(list => list.some(weight => weight > 0n))

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((left, right) => left + right, 0n)
}

describe('split', () => {
  test.each([
    [10n, [78n, 22n], [8n, 2n]],
    [10n, [22n, 78n], [2n, 8n]],
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [2n, [1n, 1n, 1n], [1n, 1n, 0n]],
    [1n, [1n, 0n], [1n, 0n]],
    [0n, [1n, 2n], [0n, 0n]],
    [5n, [1n], [5n]],
    [3n, [1n, 2n, 3n], [1n, 1n, 1n]],
  ])('%s over %s is %s', (amount, over, shares) => {
    expect(split(amount, over)).toEqual(shares)
  })

  test('the shares add up to the gross', () => {
    fc.assert(
      fc.property(gross, weights, (amount, over) => {
        expect(sum(split(amount, over))).toBe(amount)
      }),
    )
  })

  test('no share is a whole unit off its exact value, and no weight means no share', () => {
    fc.assert(
      fc.property(gross, weights, (amount, over) => {
        const total = sum(over)
        split(amount, over).forEach((share, index) => {
          const off = share * total - amount * (over[index] ?? 0n)
          expect(off > -total && off < total).toBe(true)
          if (over[index] === 0n) expect(share).toBe(0n)
        })
      }),
    )
  })

  test('of equal weights the first gets no less', () => {
    fc.assert(
      fc.property(gross, fc.integer({ min: 1, max: 50 }), (amount, count) => {
        const shares = split(amount, Array<bigint>(count).fill(7n))
        expect(shares).toEqual(shares.toSorted((a, b) => (a === b ? 0 : a > b ? -1 : 1)))
      }),
    )
  })

  test('what cannot be split is a bug of the caller', () => {
    expect(() => split(-1n, [1n])).toThrow('The gross amount -1 is negative')
    expect(() => split(1n, [2n, -1n])).toThrow('A weight is negative')
    expect(() => split(1n, [0n, 0n])).toThrow('The weights add up to 0')
    expect(() => split(1n, [])).toThrow('The weights add up to 0')
  })
})

describe('splitBasisPoints', () => {
  test('10p at 78/22 is 8 and 2', () => {
    expect(splitBasisPoints(10n, [7800, 2200])).toEqual([8n, 2n])
  })

  test('the shares are all of it', () => {
    expect(() => splitBasisPoints(10n, [7800, 2100])).toThrow('The shares are 9900 basis points')
    expect(() => splitBasisPoints(10n, [5000.5, 4999.5])).toThrow('A share is not a whole number')
    expect(() => splitBasisPoints(10n, [10_001, -1])).toThrow('A weight is negative')
    expect(() => splitBasisPoints(10n, [])).toThrow('The shares are 0 basis points')
  })
})
