import { describe, expect, test } from 'vitest'
import { BUYER, Scene, SELLER } from './scene.ts'

const OTHER = `earned:${SELLER}/GBP/2`

async function earning(price: bigint): Promise<Scene> {
  const scene = await new Scene({ asset: 'GBP/6' }).open({ prepaid: 100_000_000n })
  await scene.charges.charge({ key: 'call-1', buyer: BUYER, seller: SELLER, price })
  return scene
}
const request = { key: 'c', seller: SELLER, to: 'GBP/2' }

describe('a conversion', () => {
  test('turns whole units into the payable asset and keeps the rest', async () => {
    const scene = await earning(100_001n)
    expect(await scene.earned()).toBe(78_001n)
    expect(await scene.charges.convert(request)).toEqual({
      ok: true,
      replayed: false,
      converted: { key: 'c', given: 70_000n, got: 7n },
    })
    expect([await scene.earned(), await scene.balance(OTHER)]).toEqual([8_001n, 7n])
    expect(await scene.balance('exchange/GBP/6')).toBe(70_000n)
    expect(await scene.balance('exchange/GBP/2')).toBe(-7n)
    await scene.expectSound()
  })

  test('the same again gives the first answer, whatever has been earned since', async () => {
    const scene = await earning(100_000n)
    const first = await scene.charges.convert(request)
    const more = { key: 'call-2', buyer: BUYER, seller: SELLER, price: 1_000_000n }
    await scene.charges.charge(more)
    expect(await scene.charges.convert(request)).toEqual({ ...first, replayed: true })
    expect(await scene.charges.convert({ ...request, seller: 'seller:8' })).toMatchObject({
      refusal: { code: 'KEY_REUSED', fields: ['seller'] },
    })
    expect(await scene.charges.convert({ ...request, key: 'in' })).toMatchObject({
      refusal: { code: 'KEY_REUSED', fields: ['do'] },
    })
  })

  test('the same at once converts once', async () => {
    const scene = await earning(1_000_000n)
    const results = await Promise.all(
      Array.from({ length: 10 }, () => scene.charges.convert(request)),
    )
    expect(results.filter(each => each.ok && !each.replayed)).toHaveLength(1)
    expect(results.every(each => each.ok)).toBe(true)
    expect(await scene.balance(OTHER)).toBe(78n)
  })

  test.each([
    ['a refund', -100_000n, 70n, 'other'],
    ['a sale, and the same conversion', 100_000n, 85n, 'c'],
  ])('where %s comes between its reading and its writing, it is made anew', async (...row) => {
    const [, change, got, key] = row
    const scene = await earning(1_000_000n)
    let reads = 0
    const late = scene.through({
      account: async id => {
        const before = await scene.ledger.account(id)
        reads += 1
        if (reads > 1) return before
        const sale = { buyer: BUYER, seller: SELLER, price: change }
        if (change > 0n) await scene.charges.charge({ ...sale, key: 'call-2' })
        else await scene.charges.refund({ key, of: 'call-1', amount: -change })
        if (key === 'c') await scene.charges.convert(request)
        return before
      },
    })
    const replayed = key === 'c'
    expect(await late.convert(request)).toMatchObject({ ok: true, replayed, converted: { got } })
    expect(await scene.balance(OTHER)).toBe(got)
  })

  test('of less than one unit is refused', async () => {
    const scene = await earning(100n)
    expect(await scene.charges.convert(request)).toMatchObject({
      refusal: { code: 'NOTHING_TO_CONVERT', available: 78n },
    })
    expect(await scene.charges.convert({ ...request, seller: 'nobody' })).toMatchObject({
      refusal: { code: 'NOTHING_TO_CONVERT', available: 0n },
    })
  })

  test.each(['EUR/2', 'GBP/6', 'GBP/8', 'GBP', 'x'])('to %s is refused', async to => {
    const scene = await earning(100_000n)
    expect(await scene.charges.convert({ ...request, to })).toMatchObject({
      refusal: { code: 'INVALID_ASSET', field: 'to' },
    })
  })
})
