import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AMOUNT_MAX, sum } from '../money/amount.ts'
import { FeeSchedule, type Fee, type ScheduleVersion } from './schedule.ts'
import { sharesOf, unknownRole } from './shares.ts'

const version = (...fees: Fee[]): ScheduleVersion => ({
  from: '2026-01-01',
  fees,
  accounts: Object.fromEntries(fees.map(fee => [fee.role, `fees:${fee.role}`])),
})
const bp = (role: string, basisPoints: number, more: Partial<Fee> = {}): Fee => ({
  role,
  rate: { basisPoints },
  ...more,
})
const amounts = (of: ScheduleVersion, gross: bigint) =>
  sharesOf(of, gross).map(share => share.amount)

describe('one rounding', () => {
  test('10p at 78/22 is 8 and 2', () => {
    expect(amounts(version(bp('platform', 2_200)), 10n)).toEqual([8n, 2n])
  })

  const direct = version(bp('platform', 2_200))
  const byWayOfTheRest = version(bp('platform', 250), bp('platform', 2_000, { of: 'rest' }))

  test('78% direct and 2.5% and then 80/20 are the same for every amount', () => {
    for (let gross = 1n; gross <= 100_000n; gross += 1n) {
      const shares = amounts(direct, gross)
      expect(amounts(byWayOfTheRest, gross)).toEqual(shares)
      if (sum(shares) !== gross) expect.fail(`the shares of ${gross} add up to ${sum(shares)}`)
    }
  })
})

const aRate = fc.oneof(
  fc.integer({ min: 1, max: 10_000 }).map(basisPoints => ({ basisPoints })),
  fc
    .tuple(fc.bigInt({ min: 1n, max: 1_000n }), fc.bigInt({ min: 1n, max: 1_000n }))
    .map(([a, b]) => ({ numerator: a < b ? a : b, denominator: a < b ? b : a })),
)
const anAmount = fc.bigInt({ min: 1n, max: 500n })
const aFee: fc.Arbitrary<Fee> = fc
  .record(
    {
      role: fc.constantFrom('platform', 'tax', 'affiliate', 'referrer'),
      rate: aRate,
      of: fc.constantFrom('gross', 'rest'),
      fixed: anAmount,
      bounds: fc.tuple(anAmount, anAmount),
    },
    { requiredKeys: ['role', 'rate'] },
  )
  .map(({ bounds, ...fee }) =>
    bounds
      ? {
          ...fee,
          minimum: bounds[0] < bounds[1] ? bounds[0] : bounds[1],
          maximum: bounds[0] < bounds[1] ? bounds[1] : bounds[0],
        }
      : fee,
  )
const aVersion = fc.array(aFee, { maxLength: 6 }).map(fees => version(...fees))
const aGross = fc.oneof(
  fc.bigInt({ min: 1n, max: 100_000n }),
  fc.bigInt({ min: 1n, max: AMOUNT_MAX }),
)

describe('for any schedule and any amount', () => {
  test('the shares add up to the gross, and none is negative', () => {
    fc.assert(
      fc.property(aVersion, aGross, (of, gross) => {
        expect(() => new FeeSchedule('GBP/2', [of])).not.toThrow()
        const shares = amounts(of, gross)
        expect(sum(shares)).toBe(gross)
        expect(shares.every(each => each >= 0n)).toBe(true)
      }),
    )
  })

  test('no share is a whole unit off its exact value', () => {
    fc.assert(
      fc.property(aVersion, aGross, (of, gross) => {
        for (const { amount, exact } of sharesOf(of, gross)) {
          const off = amount * exact.denominator - exact.numerator
          expect(off < exact.denominator && off > -exact.denominator).toBe(true)
        }
      }),
    )
  })

  test('a fee by itself keeps its minimum and maximum, and leaves nobody with less than 0', () => {
    fc.assert(
      fc.property(aFee, aGross, (fee, gross) => {
        const [, share = 0n] = amounts(version(fee), gross)
        if (fee.maximum !== undefined) expect(share <= fee.maximum).toBe(true)
        if (fee.minimum !== undefined) expect(share >= fee.minimum || share === gross).toBe(true)
      }),
    )
  })

  test('every amount from 1 to 100,000 adds up, with three fees', () => {
    const three = version(
      bp('platform', 1_234, { fixed: 3n, minimum: 5n, maximum: 2_000n }),
      { role: 'tax', rate: { numerator: 1n, denominator: 6n }, of: 'rest' },
      bp('affiliate', 333),
    )
    for (let gross = 1n; gross <= 100_000n; gross += 1n)
      if (sum(amounts(three, gross)) !== gross) expect.fail(`${gross} does not add up`)
  })
})

describe('fees in order', () => {
  test('a fixed fee takes no more than there is', () => {
    const of = version({ role: 'platform', fixed: 30n }, { role: 'tax', fixed: 5n })
    expect(amounts(of, 20n)).toEqual([0n, 20n, 0n])
    expect(amounts(of, 33n)).toEqual([0n, 30n, 3n])
    expect(amounts(of, 100n)).toEqual([65n, 30n, 5n])
  })

  test('a role without an account has a share only where the charge names its recipient', () => {
    const of = { ...version(bp('affiliate', 1_000)), accounts: {} }
    expect(sharesOf(of, 100n).map(({ role }) => role)).toEqual(['seller'])
    expect(sharesOf(of, 100n, { affiliate: 'affiliate:9' })).toMatchObject([
      { role: 'seller', amount: 90n },
      { role: 'affiliate', account: 'affiliate:9', amount: 10n },
    ])
    expect(unknownRole(of, { affiliate: 'x' })).toBe(null)
    expect(unknownRole(of, { tax: 'x' })).toBe('tax')
  })
})
