import { describe, expect, test } from 'vitest'
import { paymentProblem, servePaid, type PaidRequest } from '../../src/charges/paid.ts'
import { BUYER, Scene, SELLER } from './scene.ts'

const request: PaidRequest = {
  key: 'call-1',
  buyer: BUYER,
  seller: SELLER,
  price: 10n,
  expiresInMs: 60_000,
}

async function balances(scene: Scene): Promise<(bigint | undefined)[]> {
  const buyer = await scene.ledger.account(`prepaid:${BUYER}/GBP/2`)
  return [buyer?.posted, buyer?.held, await scene.earned()]
}

describe('a call that is served for money', () => {
  test('holds the price while it is served, and is charged afterwards', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const result = await servePaid(scene.charges, request, async () => {
      expect(await balances(scene)).toEqual([100n, 10n, 0n])
      return { value: 'answer' }
    })
    expect(result).toMatchObject({ ok: true, value: 'answer', charged: { price: 10n } })
    expect(await balances(scene)).toEqual([90n, 0n, 8n])
    await scene.expectSound()
  })

  test('is charged what it came to, and nothing where it came to nothing', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const some = () => Promise.resolve({ value: 1, amount: 5n })
    expect(await servePaid(scene.charges, request, some)).toMatchObject({ charged: { price: 5n } })
    const none = () => Promise.resolve({ value: 1, amount: 0n })
    const free = { ...request, key: 'call-2' }
    expect(await servePaid(scene.charges, free, none)).toEqual({
      ok: true,
      value: 1,
      charged: null,
    })
    expect(await balances(scene)).toEqual([95n, 0n, 4n])
  })

  test('is not served where the money is not there', async () => {
    const scene = await new Scene().open({ prepaid: 9n })
    const result = await servePaid(scene.charges, request, () => {
      throw new Error('it was served')
    })
    if (result.ok) throw new Error('it was served')
    expect(paymentProblem(result.refusal, 'GBP/2')).toStrictEqual({
      type: 'about:blank',
      title: 'Payment Required',
      status: 402,
      detail: result.refusal.message,
      code: 'INSUFFICIENT_FUNDS',
      asset: 'GBP/2',
      available: expect.stringMatching(/^\d+$/) as string,
      asked: expect.stringMatching(/^\d+$/) as string,
    })
    expect(await balances(scene)).toEqual([9n, 0n, 0n])
  })

  test('gives the money back where serving throws, and throws on', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const fails = () => Promise.reject(new Error('the model is away'))
    await expect(servePaid(scene.charges, request, fails)).rejects.toThrow('the model is away')
    expect(await balances(scene)).toEqual([100n, 0n, 0n])
  })

  test('hands nothing out where it took too long', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const result = await servePaid(scene.charges, request, () => {
      scene.clock.pass(60_000)
      return Promise.resolve({ value: 'late' })
    })
    expect(result).toMatchObject({ ok: false, refusal: { code: 'HOLD_EXPIRED' } })
    expect(result).not.toHaveProperty('value')
    if (!result.ok) expect(paymentProblem(result.refusal, 'GBP/2').status).toBe(409)
    expect(await scene.earned()).toBe(0n)
  })

  test('is charged once however often it is asked for, at once and afterwards', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const serve = () => Promise.resolve({ value: 'answer' })
    const calls = Array.from({ length: 10 }, () => servePaid(scene.charges, request, serve))
    for (const result of await Promise.all(calls)) expect(result).toMatchObject({ ok: true })
    expect(await servePaid(scene.charges, request, serve)).toMatchObject({ ok: true })
    expect(await balances(scene)).toEqual([90n, 0n, 8n])
    const dearer = await servePaid(scene.charges, { ...request, price: 11n }, serve)
    expect(dearer).toMatchObject({ ok: false, refusal: { code: 'KEY_REUSED' } })
    if (!dearer.ok) expect(paymentProblem(dearer.refusal, 'GBP/2').status).toBe(409)
  })

  test('is refused with its field where the request is wrong', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const serve = () => Promise.resolve({ value: 'answer' })
    const result = await servePaid(scene.charges, { ...request, expiresInMs: 0 }, serve)
    if (result.ok) throw new Error('it was served')
    expect(paymentProblem(result.refusal, 'GBP/2')).toMatchObject({
      status: 400,
      code: 'INVALID_EXPIRY',
    })
  })
})
