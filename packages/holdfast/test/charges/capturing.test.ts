import { describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '../../src/ledger/list-sender.ts'
import type { Authorisation } from '../../src/charges/charged.ts'
import type { AuthoriseRequest } from '../../src/charges/request.ts'
import { BUYER, Scene, SELLER, VERSION } from './scene.ts'

const request: AuthoriseRequest = {
  key: 'call-1',
  buyer: BUYER,
  seller: SELLER,
  ceiling: 100n,
  expiresInMs: 60_000,
}

async function authorised(
  scene: Scene,
  more: Partial<AuthoriseRequest> = {},
): Promise<Authorisation> {
  const result = await scene.charges.authorise({ ...request, ...more })
  if (!result.ok) throw new Error(result.refusal.message)
  return result.authorisation
}

const held = async (scene: Scene, account = `prepaid:${BUYER}/GBP/2`) =>
  (await scene.ledger.account(account))?.held

describe('an authorisation', () => {
  test('holds the ceiling, charges the real amount and releases the rest', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const authorisation = await authorised(scene)
    expect(await held(scene)).toBe(100n)
    expect(await scene.earned()).toBe(0n)
    expect(await scene.charges.capture(authorisation, 50n)).toMatchObject({
      ok: true,
      replayed: false,
      charged: { key: 'call-1', price: 50n, shares: [{ amount: 39n }, { amount: 11n }] },
    })
    expect([await held(scene), await scene.prepaid(), await scene.earned()]).toEqual([0n, 50n, 39n])
    await scene.expectSound()
  })

  test('the same again gives the first answer, of both', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const first = await scene.charges.authorise(request)
    expect(await scene.charges.authorise(request)).toEqual({ ...first, replayed: true })
    expect(await scene.charges.authorise({ ...request, ceiling: 101n })).toMatchObject({
      refusal: { code: 'KEY_REUSED', fields: ['ceiling'] },
    })
    const authorisation = await authorised(scene)
    const captured = await scene.charges.capture(authorisation, 7n)
    expect(await scene.charges.capture(authorisation, 7n)).toEqual({ ...captured, replayed: true })
    expect(await scene.charges.capture(authorisation, 8n)).toMatchObject({
      refusal: { code: 'HOLD_SETTLED' },
    })
    expect(await scene.prepaid()).toBe(93n)
  })

  test('takes no more than the ceiling, and not nothing', async () => {
    const scene = await new Scene().open({ prepaid: 200n })
    const authorisation = await authorised(scene)
    expect(await scene.charges.capture(authorisation, 101n)).toMatchObject({
      refusal: { code: 'AMOUNT_EXCEEDS_AUTHORISATION', available: 100n, asked: 101n },
    })
    expect(await scene.charges.capture(authorisation, 0n)).toMatchObject({
      refusal: { code: 'INVALID_AMOUNT' },
    })
    expect(await scene.charges.release(authorisation, 'no result')).toMatchObject({ ok: true })
    expect(await held(scene)).toBe(0n)
  })

  test('of a call that crashed lets go by itself, and can no longer be captured', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const authorisation = await authorised(scene)
    scene.clock.pass(60_000)
    expect(await scene.charges.capture(authorisation, 50n)).toMatchObject({
      refusal: { code: 'HOLD_EXPIRED' },
    })
    expect(await scene.ledger.releaseExpired()).toBe(1)
    expect([await held(scene), await scene.prepaid()]).toEqual([0n, 100n])
    expect(await scene.charges.capture(authorisation, 50n)).toMatchObject({
      refusal: { code: 'HOLD_RELEASED' },
    })
  })

  test('is split by the version that it was made under', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const next = { ...VERSION, from: '2026-12-01', fees: [{ role: 'platform', fixed: 9n }] }
    const charges = scene.withVersions(VERSION, next)
    const result = await charges.authorise({ ...request, expiresInMs: 864_000_000 })
    scene.clock.pass(86_400_000)
    const authorisation = await charges.authorisation('call-1')
    if (!result.ok || !authorisation) throw new Error('there is no authorisation')
    expect(await charges.capture(authorisation, 10n)).toMatchObject({
      charged: { version: '2026-01-01', shares: [{ amount: 8n }, { amount: 2n }] },
    })
  })

  test('a limit gets back what was not used', async () => {
    const scene = await new Scene().open({ prepaid: 100n })
    const limits = { dayMax: 100n }
    const authorisation = await authorised(scene, { limits })
    expect(await scene.charges.authorise({ ...request, key: 'call-2', limits })).toMatchObject({
      ok: false,
    })
    await scene.charges.capture(authorisation, 40n)
    await authorised(scene, { key: 'call-2', ceiling: 60n, limits })
  })
})

/** The platform gets 2 at least: at small prices a share grows where the price falls. */
const uneven = {
  from: '2026-01-01',
  accounts: { platform: 'platform', tax: 'tax' },
  fees: [
    { role: 'tax', rate: { numerator: 1n, denominator: 3n } },
    { role: 'platform', rate: { basisPoints: 1_000 }, minimum: 2n },
  ],
}

/** At 3 the tax is 0.42 and is rounded up; at 4 it is 0.56, and the others are nearer to one more. */
const vanishing = {
  from: '2026-01-01',
  accounts: { platform: 'platform', tax: 'tax' },
  fees: [
    { role: 'tax', rate: { basisPoints: 1_400 } },
    { role: 'platform', rate: { basisPoints: 4_300 } },
  ],
}

describe('where the hold cannot give exactly what a charge would take', () => {
  test.each([[uneven], [vanishing]])(
    'a share that a smaller price rounds up is charged by a hold in its place',
    async version => {
      const amounts = Array.from({ length: 30 }, (_, index) => BigInt(index + 1))
      let replaced = 0
      for (const ceiling of amounts)
        for (const amount of amounts.filter(each => each <= ceiling)) {
          const scene = await new Scene({ versions: [version] }).open({ prepaid: 2n * ceiling })
          await scene.charges.charge({ ...request, key: 'plain', price: amount })
          const plain = await scene.charges.charged('plain')
          const authorisation = await authorised(scene, { ceiling })
          const result = await scene.charges.capture(authorisation, amount)
          expect(result).toMatchObject({ ok: true, charged: { shares: plain?.shares } })
          expect(await scene.charges.capture(authorisation, amount)).toEqual({
            ...result,
            replayed: true,
          })
          expect(await scene.charges.charged('call-1')).toMatchObject({ shares: plain?.shares })
          expect(await held(scene)).toBe(0n)
          replaced += (await scene.ledger.movements('charges:capture:call-1')).length > 0 ? 1 : 0
        }
      expect(replaced).toBeGreaterThan(0)
    },
  )

  test('trial credit is spent before what was paid in, also of a smaller price', async () => {
    const scene = await new Scene().open({ prepaid: 100n, trial: 50n })
    const authorisation = await authorised(scene)
    const limits = { amount: 10n }
    expect(await scene.charges.capture(authorisation, limits.amount)).toMatchObject({ ok: true })
    expect([await scene.trial(), await scene.prepaid()]).toEqual([40n, 100n])
    expect(await held(scene, `trial:${BUYER}/GBP/2`)).toBe(0n)
    await scene.expectSound()
  })

  test('it is refused when the authorisation has expired, and the money returns', async () => {
    const scene = await new Scene().open({ prepaid: 100n, trial: 50n })
    const authorisation = await authorised(scene)
    scene.clock.pass(60_000)
    expect(await scene.charges.capture(authorisation, 10n)).toMatchObject({
      refusal: { code: 'HOLD_EXPIRED' },
    })
    expect([await scene.trial(), await scene.prepaid(), await held(scene)]).toEqual([50n, 100n, 0n])
    expect(await held(scene, `trial:${BUYER}/GBP/2`)).toBe(0n)
    expect(await scene.charges.capture(authorisation, 10n)).toMatchObject({ ok: false })
  })

  test('a capture with another amount after it is refused', async () => {
    const scene = await new Scene().open({ prepaid: 100n, trial: 50n })
    const authorisation = await authorised(scene)
    expect(await scene.charges.capture(authorisation, 10n)).toMatchObject({ ok: true })
    for (const amount of [9n, 11n, 100n])
      expect(await scene.charges.capture(authorisation, amount)).toMatchObject({
        refusal: { code: 'HOLD_SETTLED', key: 'call-1' },
      })
    expect(await scene.earned()).toBe(8n)
  })

  /** A scene whose ledger loses the first settle of a hold that took an authorisation's place. */
  async function cutOff() {
    const scene = await new Scene().open({ prepaid: 100n, trial: 50n })
    const authorisation = await authorised(scene)
    let lost = false
    const ledger = scene.through({
      submit: command => {
        if (command.do !== 'settle' || lost) return scene.ledger.submit(command)
        lost = true
        return Promise.reject(new OutcomeUnknown())
      },
    })
    await expect(ledger.capture(authorisation, 10n)).rejects.toThrow(OutcomeUnknown)
    return { scene, authorisation }
  }

  test('a capture that was cut off is finished by the same again, and by no other', async () => {
    const { scene, authorisation } = await cutOff()
    expect(await scene.charges.capture(authorisation, 9n)).toMatchObject({
      refusal: { code: 'KEY_REUSED', key: 'call-1', fields: ['amount'] },
    })
    expect(await scene.charges.capture(authorisation, 10n)).toMatchObject({ ok: true })
    expect([await scene.trial(), await scene.prepaid()]).toEqual([40n, 100n])
  })

  test('of two at once with other amounts one is refused', async () => {
    const scene = await new Scene().open({ prepaid: 100n, trial: 50n })
    const authorisation = await authorised(scene)
    let came = false
    const late = scene.through({
      apply: async commands => {
        if (!came) {
          came = true
          await scene.charges.capture(authorisation, 9n)
        }
        return scene.ledger.apply(commands)
      },
    })
    expect(await late.capture(authorisation, 10n)).toMatchObject({
      refusal: { code: 'KEY_REUSED', key: 'call-1', fields: ['amount'] },
    })
    expect(await scene.trial()).toBe(41n)
  })

  test('a capture that was cut off for good lets go of its money by itself', async () => {
    const { scene } = await cutOff()
    scene.clock.pass(60_000)
    expect(await scene.ledger.releaseExpired()).toBe(1)
    expect(await held(scene, `trial:${BUYER}/GBP/2`)).toBe(0n)
  })
})
