import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RefundRequest } from '../../src/charges/refund.ts'
import { BUYER, Scene, SELLER } from './scene.ts'

async function sold(price = 100n, { prepaid = 1_000n, trial = 0n } = {}): Promise<Scene> {
  const scene = await new Scene().open({ prepaid, trial })
  const request = { key: 'call-1', buyer: BUYER, seller: SELLER, price }
  expect(await scene.charges.charge(request)).toMatchObject({ ok: true })
  return scene
}

const part = (key: string, amount?: bigint, more: Partial<RefundRequest> = {}): RefundRequest => ({
  key,
  of: 'call-1',
  ...(amount === undefined ? {} : { amount }),
  ...more,
})

const payOut = (scene: Scene, amount: bigint) =>
  scene.given(
    {
      do: 'hold',
      key: `PAYOUT${amount}`,
      legs: [{ from: `earned:${SELLER}/GBP/2`, to: 'clearing:bank', asset: 'GBP/2', amount }],
    },
    { do: 'settle', hold: `PAYOUT${amount}` },
  )

describe('a refund', () => {
  test('of the whole gives everything back', async () => {
    const scene = await sold()
    expect(await scene.charges.refund(part('r'))).toMatchObject({
      ok: true,
      replayed: false,
      refunded: { amount: 100n, shares: [{ amount: 78n }, { amount: 22n }] },
    })
    expect([await scene.prepaid(), await scene.earned()]).toEqual([1_000n, 0n])
    await scene.expectSound()
  })

  test('of a part is in the proportion of the split; the parts come to the whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: 1n, max: 300n }),
        fc.array(fc.bigInt({ min: 1n, max: 60n }), { maxLength: 5 }),
        async (price, parts) => {
          const scene = await sold(price)
          let left = price
          for (const [index, amount] of parts.entries()) {
            const result = await scene.charges.refund(part(`r${index}`, amount))
            expect(result.ok).toBe(amount <= left)
            left -= result.ok ? amount : 0n
            expect(await scene.prepaid()).toBe(1_000n - left)
            // No share is a whole unit or more off its proportion for each refund so far.
            const off = (await scene.earned()) * 100n - left * 78n
            const bound = 100n * BigInt(index + 2)
            expect(off < bound && off > -bound).toBe(true)
          }
          expect((await scene.charges.refund(part('rest'))).ok).toBe(left > 0n)
          expect([await scene.prepaid(), await scene.earned()]).toEqual([1_000n, 0n])
        },
      ),
      { numRuns: 60 },
    )
  })

  test('is at most what is left', async () => {
    const scene = await sold()
    await scene.charges.refund(part('r1', 60n))
    expect(await scene.charges.refund(part('r2', 41n))).toMatchObject({
      refusal: { code: 'AMOUNT_EXCEEDS_CHARGE', available: 40n, asked: 41n },
    })
    expect(await scene.charges.refund(part('r2', 40n))).toMatchObject({ ok: true })
    expect(await scene.charges.refund(part('r3'))).toMatchObject({
      refusal: { code: 'AMOUNT_EXCEEDS_CHARGE', available: 0n },
    })
  })

  test('gives back what was paid in before trial credit', async () => {
    const scene = await sold(100n, { trial: 30n })
    expect([await scene.trial(), await scene.prepaid()]).toEqual([0n, 930n])
    await scene.charges.refund(part('r'))
    expect([await scene.trial(), await scene.prepaid()]).toEqual([30n, 1_000n])
  })

  test('of what was captured, and not of what is only on hold', async () => {
    const scene = await new Scene().open({ prepaid: 100n, trial: 50n })
    const request = { key: 'call-1', buyer: BUYER, seller: SELLER, ceiling: 100n, expiresInMs: 9 }
    const result = await scene.charges.authorise(request)
    if (!result.ok) throw new Error(result.refusal.message)
    expect(await scene.charges.refund(part('r'))).toMatchObject({
      refusal: { code: 'CHARGE_NOT_FOUND' },
    })
    expect(await scene.charges.capture(result.authorisation, 10n)).toMatchObject({ ok: true })
    expect(await scene.charges.refund(part('r', 4n))).toMatchObject({ refunded: { amount: 4n } })
    expect(await scene.charges.refund(part('r2', 7n))).toMatchObject({
      refusal: { code: 'AMOUNT_EXCEEDS_CHARGE', available: 6n },
    })
    expect(await scene.trial()).toBe(44n)
  })

  test('does not give a limit back', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const limits = { dayMax: 15n }
    const charge = { key: 'call-1', buyer: BUYER, seller: SELLER, price: 10n, limits }
    await scene.charges.charge(charge)
    expect(await scene.charges.refund(part('r'))).toMatchObject({ refunded: { amount: 10n } })
    expect(await scene.charges.charge({ ...charge, key: 'call-2' })).toMatchObject({
      refusal: { code: 'LIMIT_EXCEEDED' },
    })
  })
})

describe('the same refund again', () => {
  test.each([[undefined], [60n]])('of %s gives the first answer', async amount => {
    const scene = await sold()
    const first = await scene.charges.refund(part('r', amount))
    expect(await scene.charges.refund(part('r', amount))).toEqual({ ...first, replayed: true })
    expect(await scene.charges.refund(part('r', 59n))).toMatchObject({
      refusal: { code: 'KEY_REUSED', fields: ['amount'] },
    })
  })

  test('also where others came in between', async () => {
    const scene = await sold()
    const first = await scene.charges.refund(part('r', 33n))
    await scene.charges.refund(part('other', 67n))
    expect(await scene.charges.refund(part('r', 33n))).toEqual({ ...first, replayed: true })
  })

  test('also where the same and another one come between its reading and its writing', async () => {
    const scene = await sold()
    let reads = 0
    const late = scene.through({
      reversed: async of => {
        const before = await scene.ledger.reversed(of)
        reads += 1
        if (reads > 1) return before
        // Each penny is the seller's by rounding, so the proportion of what is left changes.
        for (let penny = 0; penny < 10; penny += 1)
          await scene.charges.refund(part(`other-${penny}`, 1n))
        await scene.charges.refund(part('r', 33n))
        return before
      },
    })
    expect(await late.refund(part('r', 33n))).toMatchObject({ ok: true, replayed: true })
    expect(await scene.prepaid()).toBe(943n)
  })

  test('with a key of something else it is KEY_REUSED', async () => {
    const scene = await sold()
    expect(await scene.charges.refund(part('in', 1n))).toMatchObject({
      refusal: { code: 'KEY_REUSED', fields: ['do'] },
    })
  })
})

describe('money that has been paid out', () => {
  test('is not refunded where the seller may not owe', async () => {
    const scene = await sold()
    await payOut(scene, 78n)
    expect(await scene.charges.refund(part('r'))).toMatchObject({
      refusal: { code: 'INSUFFICIENT_FUNDS' },
    })
    expect(await scene.prepaid()).toBe(900n)
  })

  test('is a debt after a dispute, which later sales repay first', async () => {
    const scene = await sold()
    await payOut(scene, 78n)
    expect(await scene.charges.dispute({ key: 'd', of: 'call-1' })).toMatchObject({ ok: true })
    expect(await scene.earned()).toBe(-78n)
    const sale = { buyer: BUYER, seller: SELLER, price: 100n }
    await scene.charges.charge({ ...sale, key: 'call-2' })
    expect(await scene.earned()).toBe(0n)
    await scene.charges.charge({ ...sale, key: 'call-3' })
    expect(await scene.earned()).toBe(78n)
    await scene.expectSound()
  })
})

test.each([
  [{ key: '' }, 'INVALID_KEY', 'key'],
  [{ of: '' }, 'INVALID_KEY', 'of'],
  [{ amount: 0n }, 'INVALID_AMOUNT', 'amount'],
])('a bad refund names the field: %o', async (more, code, field) => {
  const scene = await sold()
  expect(await scene.charges.refund(part('r', 1n, more))).toMatchObject({
    refusal: { code, field },
  })
})
