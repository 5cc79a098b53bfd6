import { describe, expect, test } from 'vitest'
import type { ChargeRequest } from '../../src/charges/request.ts'
import { BUYER, Scene, SELLER, VERSION } from './scene.ts'

const aCharge = (more: Partial<ChargeRequest> = {}): ChargeRequest => ({
  key: 'call-1',
  buyer: BUYER,
  seller: SELLER,
  price: 10n,
  ...more,
})

describe('a charge', () => {
  test('takes the price and credits every share, in one movement', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const result = await scene.charges.charge(aCharge())
    expect(result).toMatchObject({
      ok: true,
      replayed: false,
      charged: {
        key: 'call-1',
        price: 10n,
        version: '2026-01-01',
        shares: [
          { role: 'seller', amount: 8n },
          { role: 'platform', account: 'platform', amount: 2n },
        ],
        paidFrom: [{ account: 'prepaid:user:42/GBP/2', amount: 10n }],
      },
    })
    expect(await scene.prepaid()).toBe(90n)
    expect(await scene.earned()).toBe(8n)
    expect(await scene.balance('platform')).toBe(2n)
    await scene.expectSound()
  })

  test('spends trial credit first', async () => {
    const scene = await new Scene().open({ prepaid: 100n, trial: 9n })
    const result = await scene.charges.charge(aCharge())
    expect(result).toMatchObject({
      ok: true,
      charged: { paidFrom: [{ amount: 9n }, { amount: 1n }] },
    })
    expect([await scene.trial(), await scene.prepaid()]).toEqual([0n, 99n])
  })

  test('without the money it is refused, and nobody is credited', async () => {
    const scene = await new Scene().open({ prepaid: 9n })
    expect(await scene.charges.charge(aCharge())).toMatchObject({
      ok: false,
      refusal: { code: 'INSUFFICIENT_FUNDS' },
    })
    expect(await scene.earned()).toBe(0n)
    expect(await scene.charges.charged('call-1')).toBe(null)
  })

  test('pays recipients whom it names, and refuses a role that no fee is for', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const recipients = { affiliate: 'affiliate:9' }
    const result = await scene.charges.charge(aCharge({ price: 100n, recipients }))
    expect(result).toMatchObject({ ok: true, charged: { price: 100n } })
    expect(await scene.balance('affiliate:9')).toBe(5n)
    expect(await scene.earned()).toBe(73n)
    const other = aCharge({ key: 'call-2', recipients: { tax: 'tax' } })
    expect(await scene.charges.charge(other)).toMatchObject({
      refusal: { code: 'INVALID_RECIPIENT', field: 'recipients.tax' },
    })
  })
})

describe('the same key again', () => {
  test('gives the first answer and takes nothing', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const first = await scene.charges.charge(aCharge())
    expect(await scene.charges.charge(aCharge())).toEqual({ ...first, replayed: true })
    expect(await scene.prepaid()).toBe(90n)
  })

  test.each([
    [{ price: 11n }, 'price'],
    [{ seller: 'seller:8' }, 'seller'],
    [{ buyer: 'user:43' }, 'buyer'],
    [{ recipients: { affiliate: 'affiliate:9' } }, 'recipients'],
  ])('with %o it is KEY_REUSED', async (more, field) => {
    const scene = await new Scene().open({ prepaid: 100n })
    await scene.charges.charge(aCharge())
    expect(await scene.charges.charge(aCharge(more))).toMatchObject({
      ok: false,
      refusal: { code: 'KEY_REUSED', fields: [field] },
    })
    expect(await scene.prepaid()).toBe(90n)
  })

  test('after another version came into force it is still the first answer', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const next = { ...VERSION, from: '2026-12-01', fees: [{ role: 'platform', fixed: 9n }] }
    const charges = scene.withVersions(VERSION, next)
    const first = await charges.charge(aCharge())
    scene.clock.pass(86_400_000)
    expect(await charges.charge(aCharge())).toEqual({ ...first, replayed: true })
    expect(await charges.charge(aCharge({ price: 11n }))).toMatchObject({
      refusal: { code: 'KEY_REUSED', fields: ['price'] },
    })
    const second = await charges.charge(aCharge({ key: 'call-2' }))
    expect(second).toMatchObject({ ok: true, charged: { version: '2026-12-01' } })
    expect(await scene.balance('platform')).toBe(11n)
  })

  test('after the limit was lowered or the day changed it is still the first answer', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const limits = { callMax: 10n, dayMax: 10n }
    await scene.charges.charge(aCharge({ limits }))
    scene.clock.pass(86_400_000)
    expect(
      await scene.charges.charge(aCharge({ limits: { callMax: 9n, dayMax: 1n } })),
    ).toMatchObject({ ok: true, replayed: true })
    expect(await scene.prepaid()).toBe(90n)
  })

  test('with a recipient whose share would be 0 it is KEY_REUSED as well', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    await scene.charges.charge(aCharge({ price: 1n }))
    const recipients = { affiliate: 'affiliate:9' }
    expect(await scene.charges.charge(aCharge({ price: 1n, recipients }))).toMatchObject({
      refusal: { code: 'KEY_REUSED', fields: ['recipients'] },
    })
  })

  test('used for a plain transfer it is KEY_REUSED', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    expect(await scene.charges.charge(aCharge({ key: 'in' }))).toMatchObject({
      refusal: { code: 'KEY_REUSED' },
    })
  })
})

describe('limits', () => {
  test('of a call', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    expect(await scene.charges.charge(aCharge({ limits: { callMax: 9n } }))).toMatchObject({
      refusal: { code: 'LIMIT_EXCEEDED', limit: 'call', available: 9n, asked: 10n },
    })
    expect(await scene.charges.charge(aCharge({ limits: { callMax: 10n } }))).toMatchObject({
      ok: true,
    })
  })

  test('of a day: it holds back what is over, and begins anew on the next', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const limits = { dayMax: 25n }
    const call = (key: string) => scene.charges.charge(aCharge({ key, limits }))
    expect(await call('a')).toMatchObject({ ok: true })
    expect(await call('b')).toMatchObject({ ok: true })
    expect(await call('c')).toMatchObject({
      refusal: { code: 'LIMIT_EXCEEDED', limit: 'day', available: 5n, asked: 10n },
    })
    expect(await scene.prepaid()).toBe(80n)
    scene.clock.pass(86_400_000)
    expect(await call('c')).toMatchObject({ ok: true })
    await scene.expectSound()
  })

  test('are granted by the next charge where a process died before it granted them', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    await scene.charges.charge(aCharge())
    const account = `limit:day:2026-11-30:${BUYER}/GBP/2`
    await scene.given(
      { do: 'open', account: 'limits/GBP/2', asset: 'GBP/2', floor: null },
      { do: 'open', account, asset: 'GBP/2', floor: 0n },
    )
    const call = aCharge({ key: 'call-2', limits: { dayMax: 25n } })
    expect(await scene.charges.charge(call)).toMatchObject({ ok: true })
    expect(await scene.balance(account)).toBe(15n)
  })

  test('of a key: over all buyers and days, until it is raised', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const limits = { key: { name: 'agent-1', max: 15n } }
    const call = (key: string) => scene.charges.charge(aCharge({ key, limits }))
    expect(await call('a')).toMatchObject({ ok: true })
    scene.clock.pass(86_400_000)
    expect(await call('b')).toMatchObject({ refusal: { code: 'LIMIT_EXCEEDED', limit: 'key' } })
    const change = { key: 'raise', of: { spendKey: 'agent-1' }, by: 10n }
    expect(await scene.charges.changeLimit(change)).toMatchObject({ ok: true })
    expect(await call('b')).toMatchObject({ ok: true })
    const lower = { key: 'lower', of: { spendKey: 'agent-1' }, by: -5n }
    expect(await scene.charges.changeLimit(lower)).toMatchObject({ ok: true })
    expect(await scene.charges.changeLimit({ ...lower, key: 'lower-2' })).toMatchObject({
      refusal: { code: 'INSUFFICIENT_FUNDS' },
    })
  })
})

describe('a bad request names the field', () => {
  test.each<[Partial<ChargeRequest>, string, string]>([
    [{ key: 'a b' }, 'INVALID_KEY', 'key'],
    [{ key: 'charges:x' }, 'INVALID_KEY', 'key'],
    [{ key: 'x'.repeat(101) }, 'INVALID_KEY', 'key'],
    [{ buyer: '' }, 'INVALID_PARTY', 'buyer'],
    [{ seller: 'x'.repeat(65) }, 'INVALID_PARTY', 'seller'],
    [{ price: 0n }, 'INVALID_AMOUNT', 'price'],
    [{ price: -1n }, 'INVALID_AMOUNT', 'price'],
    [{ price: 2n ** 63n }, 'INVALID_AMOUNT', 'price'],
    [{ recipients: { affiliate: 'a b' } }, 'INVALID_RECIPIENT', 'recipients.affiliate'],
    [{ limits: { dayMax: 0n } }, 'INVALID_LIMIT', 'limits.dayMax'],
    [{ limits: { key: { name: 'k', max: 0n } } }, 'INVALID_LIMIT', 'limits.key.max'],
    [{ limits: { key: { name: '', max: 1n } } }, 'INVALID_PARTY', 'limits.key.name'],
  ])('%o', async (more, code, field) => {
    const scene = await new Scene().open({ prepaid: 100n })
    const result = await scene.charges.charge(aCharge(more))
    expect(result).toMatchObject({ ok: false, refusal: { code, field } })
    if (!result.ok) expect(result.refusal.message).toMatch(/^\S+: \S/)
  })

  test('before the first version there is no schedule', async () => {
    const scene = new Scene({ versions: [{ ...VERSION, from: '2030-01-01' }] })
    expect(await scene.charges.charge(aCharge())).toMatchObject({
      refusal: { code: 'NO_SCHEDULE' },
    })
  })
})

test('every amount in sub-penny prices adds up in the books', async () => {
  const scene = await new Scene({ asset: 'GBP/6' }).open({ prepaid: 1_000_000n })
  for (let price = 1n; price <= 60n; price += 1n)
    expect(await scene.charges.charge(aCharge({ key: `call-${price}`, price }))).toMatchObject({
      charged: { price },
    })
  const spent = 1_000_000n - (await scene.prepaid())
  expect(spent).toBe(1_830n)
  expect((await scene.earned()) + (await scene.balance('platform'))).toBe(spent)
  await scene.expectSound()
})
