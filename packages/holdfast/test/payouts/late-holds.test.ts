import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Command } from '../../src/ledger/command.ts'
import { OutcomeUnknown } from '../../src/ledger/list-sender.ts'
import type { PayoutLedger } from '../../src/payouts/ledger-port.ts'
import { payoutId } from '../../src/payouts/payout-id.ts'
import { aRequest, DATABASES, FUNDS, Scene, type OpenDatabase } from './scene.ts'

/** What was missing for the payout. */
const MORE: Command = {
  do: 'transfer',
  key: 'more',
  legs: [{ from: 'world', to: 'seller:1', asset: 'EUR/2', amount: 500n }],
}

describe.each(DATABASES)('holds that come late on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = () => new Scene(open.database).open()

  test('a worker that is given a hold after another one refused the payout gives it back', async () => {
    const scene = await newScene()
    const request = aRequest({ amount: FUNDS + 500n })
    const slow: PayoutLedger = {
      async submit(command) {
        await scene.passTime(200_000)
        await scene.payouts.sweep()
        // The money comes only after the other worker was refused.
        await scene.do(MORE)
        return scene.ledger.submit(command)
      },
    }
    expect(await scene.worker({ ledger: slow }).request(request)).toMatchObject({
      payout: { status: 'refused', reason: 'INSUFFICIENT_FUNDS' },
    })
    expect(await scene.balance('seller:1')).toEqual([FUNDS + 500n, 0n])
  })

  test('a worker that cannot give it back now answers all the same, and a sweep gives it back', async () => {
    const scene = await newScene()
    const slow: PayoutLedger = {
      async submit(command) {
        if (command.do === 'release') throw new OutcomeUnknown()
        await scene.passTime(200_000)
        await scene.payouts.sweep()
        await scene.do(MORE)
        return scene.ledger.submit(command)
      },
    }
    const request = aRequest({ amount: FUNDS + 500n })
    expect(await scene.worker({ ledger: slow }).request(request)).toMatchObject({
      payout: { status: 'refused', reason: 'INSUFFICIENT_FUNDS' },
    })
    await scene.passTime(1_000_000)
    expect(await scene.payouts.sweep()).toEqual({ found: 1, stuck: [] })
    expect(await scene.balance('seller:1')).toEqual([FUNDS + 500n, 0n])
  })

  describe('a hold that comes after another worker was refused it', () => {
    /** A worker whose hold is on its way until `arrive`, and that dies once it has arrived. */
    const dyingWorker = (scene: Scene) => {
      let arrive: () => void = () => undefined
      const arrived = new Promise<void>(resolve => (arrive = resolve))
      const ledger: PayoutLedger = {
        async submit(command) {
          if (command.do !== 'hold') throw new Error('killed')
          await arrived
          return scene.ledger.submit(command)
        },
      }
      const dead = scene.worker({ ledger }).request(aRequest({ amount: FUNDS + 500n }))
      return { arrive, died: expect(dead).rejects.toThrow('killed') }
    }

    const takenOver = async (scene: Scene) => {
      const { arrive, died } = dyingWorker(scene)
      await expect.poll(async () => (await scene.payouts.list()).payouts.length).toBe(1)
      await scene.passTime(200_000)
      expect(await scene.payouts.sweep()).toEqual({ found: 1, stuck: [] })
      return { arrive, died }
    }

    test.each([0, 1, 5])('is released by a sweep (after %i that found nothing)', async sweeps => {
      const scene = await newScene()
      const { arrive, died } = await takenOver(scene)
      for (let count = 0; count < sweeps; count += 1) {
        await scene.passTime(1_000_000 * 2 ** count)
        expect(await scene.payouts.sweep()).toEqual({ found: 0, stuck: [] })
      }
      await scene.do(MORE)
      arrive()
      await died
      expect(await scene.balance('seller:1'), 'on hold').toEqual([FUNDS + 500n, FUNDS + 500n])
      await scene.passTime(1_000_000 * 2 ** sweeps)
      const deaf = { submit: () => Promise.reject(new OutcomeUnknown()) }
      expect(await scene.worker({ ledger: deaf }).sweep()).toMatchObject({ stuck: [{}] })
      await scene.passTime(2_000_000 * 2 ** sweeps)
      expect(await scene.payouts.sweep()).toEqual({ found: 1, stuck: [] })
      expect(await scene.balance('seller:1')).toEqual([FUNDS + 500n, 0n])
    })

    test('is looked for ever more seldom', async () => {
      const scene = await newScene()
      const { arrive, died } = await takenOver(scene)
      let looks = 0
      const counting: PayoutLedger = {
        submit(command) {
          looks += 1
          return scene.ledger.submit(command)
        },
      }
      for (let minute = 0; minute < 64; minute += 1) {
        await scene.passTime(60_000)
        await scene.worker({ ledger: counting }).sweep()
      }
      expect(looks).toBeGreaterThan(3)
      expect(looks).toBeLessThan(10)
      arrive()
      await died.catch(() => undefined)
    })

    test('is not taken for the hold of somebody else under the same key', async () => {
      const scene = await newScene()
      const request = aRequest()
      await scene.do({
        do: 'hold',
        key: payoutId(scene.book, request.requestKey),
        legs: [{ from: 'seller:1', to: 'world', asset: 'EUR/2', amount: 7n }],
      })
      const deaf = { submit: () => Promise.reject(new OutcomeUnknown()) }
      await scene.worker({ ledger: deaf }).request(request)
      await scene.passTime(200_000)
      await scene.payouts.sweep()
      await scene.passTime(200_000)
      expect(await scene.payouts.sweep()).toEqual({ found: 0, stuck: [] })
      expect(await scene.payouts.request(request)).toMatchObject({
        payout: { status: 'refused', reason: 'KEY_REUSED' },
      })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 7n])
    })
  })
})
