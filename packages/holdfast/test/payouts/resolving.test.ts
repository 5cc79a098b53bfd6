import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ModelBank } from './model-bank.ts'
import { DATABASES, FUNDS, replacing, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }
/** Longer than a lease. */
const LEASE_MS = 150_000

describe.each(DATABASES)('resolving on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = (bank?: ModelBank) => new Scene(open.database, bank).open()

  describe('an answer that proves nothing', () => {
    test.each(['lose-before', 'lose-after', 'pay-later'] as const)(
      '(%s) makes the payout unknown, and the hold stays',
      async behaviour => {
        const scene = await newScene()
        scene.bank.behave = () => behaviour
        const { id } = await scene.approved()
        expect(await scene.payouts.payBatch(ONE)).toMatchObject({ unknown: 1 })
        expect(await scene.status(id)).toBe('unknown')
        expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
        await scene.payouts.payBatch(ONE)
        expect(scene.bank.sends, 'nobody pays again to find out').toEqual([id])
      },
    )

    test('an adapter that throws is no different', async () => {
      const scene = await newScene()
      scene.bank.beforeSend = () => Promise.reject(new Error('socket\0hang up'))
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      expect(await scene.payout(id)).toMatchObject({
        status: 'unknown',
        reason: 'Error: socket?hang up',
      })
    })

    test('was paid: the bank says so, and nothing is sent again', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-after'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(await scene.payout(id)).toMatchObject({ status: 'success', reference: 'bank-1' })
      expect(scene.bank.sends).toEqual([id])
      expect(await scene.balance('clearing:bank')).toEqual([1_000n, 0n])
    })

    test('was not found: asked about first, then sent again under the same id', async () => {
      const scene = await newScene()
      scene.bank.behave = (_, send) => (send === 1 ? 'lose-before' : 'pay')
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      scene.bank.beforeSend = () => {
        expect(scene.bank.questions).toEqual([id])
        return Promise.resolve()
      }
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(scene.bank.sends).toEqual([id, id])
      expect(scene.bank.paid(id)).toBe(1)
      expect(await scene.payouts.attempts(id)).toMatchObject([
        { number: 1, answer: 'unknown' },
        { number: 2, answer: 'paid' },
      ])
    })

    test('is still being worked on behind a not found: paid once in the end', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'pay-later-unseen'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
      scene.bank.payLater()
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(scene.bank.paid(id)).toBe(1)
    })

    test('is worked on: it waits, however long', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'pay-later'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      await scene.passTime(90_000_000)
      const coverage = () => '2999-01-01T00:00:00.000Z'
      expect(await scene.payouts.resolve({ ...ONE, coverage })).toMatchObject({ unknown: 1 })
      expect(await scene.payout(id)).toMatchObject({ reason: 'the gateway is working on it' })
      expect(scene.bank.sends).toEqual([id])
    })

    test('is a refusal by status: the money is back', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-before'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      scene.bank.statusInstead = () => ({ answer: 'refused', reason: 'limit' })
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ failed: 1 })
      expect(await scene.payout(id)).toMatchObject({ status: 'failed', reason: 'limit' })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
    })

    test('paid and partly returned already: reversed, both in the books', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-after'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      scene.bank.statusInstead = () => ({ answer: 'paid', reference: 'r', returned: 400n })
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(await scene.payout(id)).toMatchObject({ status: 'reversed', returned: 400n })
      expect(await scene.balance('seller:1')).toEqual([FUNDS - 600n, 0n])
      expect(await scene.balance('clearing:bank')).toEqual([600n, 0n])
    })

    test('a status that throws says nothing', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-before'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      scene.bank.beforeStatus = () => Promise.reject(new Error('down'))
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1, stuck: [] })
      expect(await scene.payout(id)).toMatchObject({ status: 'unknown', reason: 'Error: down' })
    })
  })

  describe('a bank without idempotency keys', () => {
    const unsure = async () => {
      const scene = await newScene(new ModelBank({ idempotency: false }))
      scene.bank.behave = () => 'lose-before'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      return { scene, id }
    }

    test('is never sent the same payout twice', async () => {
      const { scene, id } = await unsure()
      for (let run = 0; run < 3; run += 1) {
        await scene.passTime(LEASE_MS)
        expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
      }
      expect(scene.bank.sends).toEqual([id])
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
    })

    test('gets a payout released once it is final and final statements do not show it', async () => {
      const { scene, id } = await unsure()
      let covered = '2000-01-01T00:00:00.000Z'
      const coverage = () => covered
      await scene.payouts.resolve({ ...ONE, coverage })
      expect(await scene.status(id), 'not final').toBe('unknown')
      await scene.passTime(3_600_000)
      await scene.payouts.resolve({ ...ONE, coverage })
      expect(await scene.status(id), 'not covered').toBe('unknown')
      covered = new Date().toISOString()
      scene.bank.statusInstead = () => ({ answer: 'processing' })
      await scene.payouts.resolve({ ...ONE, coverage })
      expect(await scene.status(id), 'found after all').toBe('unknown')
      scene.bank.statusInstead = () => null
      expect(await scene.payouts.resolve({ ...ONE, coverage })).toMatchObject({ failed: 1 })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
      await scene.payouts.resolve(ONE)
      await scene.payouts.payBatch(ONE)
      expect(scene.bank.sends).toEqual([id])
    })

    test('still gets a payout that was claimed and certainly not sent', async () => {
      const scene = await newScene(new ModelBank({ idempotency: false }))
      const { id } = await scene.approved()
      const dying = replacing(scene.repository, {
        startAttempt: () => Promise.reject(new Error('killed')),
      })
      await scene.worker({ repository: dying }).payBatch(ONE)
      await scene.passTime(LEASE_MS)
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(scene.bank.sends).toEqual([id])
    })
  })

  test('keys that the bank may have forgotten are not used again', async () => {
    const scene = await newScene(new ModelBank({ keyRetentionMs: 3_600_000 }))
    scene.bank.behave = () => 'lose-before'
    const { id } = await scene.approved()
    await scene.payouts.payBatch(ONE)
    await scene.passTime(3_600_000)
    expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
    expect(scene.bank.sends).toEqual([id])
  })
})
