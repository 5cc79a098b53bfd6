import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '../../src/ledger/list-sender.ts'
import { DATABASES, FUNDS, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }

describe.each(DATABASES)('what the bank did afterwards on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = () => new Scene(open.database).open()

  describe('money that comes back', () => {
    const paid = async (): Promise<{ scene: Scene; id: string }> => {
      const scene = await newScene()
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      return { scene, id }
    }

    test('goes to its owner, in parts, by what has come back in total', async () => {
      const { scene, id } = await paid()
      expect(await scene.payouts.recordReturn(id, 300n)).toMatchObject({
        ok: true,
        replayed: false,
        payout: { status: 'reversed', returned: 300n },
      })
      expect(await scene.balance('seller:1')).toEqual([FUNDS - 700n, 0n])
      expect(await scene.payouts.recordReturn(id, 1_000n)).toMatchObject({
        replayed: false,
        payout: { status: 'reversed', returned: 1_000n },
      })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
      expect(await scene.balance('clearing:bank')).toEqual([0n, 0n])
    })

    test('counts once, though webhook, status and statement all tell of it', async () => {
      const { scene, id } = await paid()
      await scene.payouts.recordReturn(id, 300n)
      expect(await scene.payouts.recordReturn(id, 300n)).toMatchObject({ ok: true, replayed: true })
      expect(await scene.payouts.recordReturn(id, 200n), 'an older total').toMatchObject({
        replayed: true,
        payout: { returned: 300n },
      })
      expect(await scene.balance('seller:1')).toEqual([FUNDS - 700n, 0n])
    })

    test('counts once, though they tell of it at the same moment and of different totals', async () => {
      const { scene, id } = await paid()
      const totals = [300n, 500n, 300n, 400n, 500n]
      await Promise.all(totals.map(total => scene.worker().recordReturn(id, total)))
      expect(await scene.payout(id)).toMatchObject({ status: 'reversed', returned: 500n })
      expect(await scene.balance('seller:1')).toEqual([FUNDS - 500n, 0n])
    })

    test.each([0n, -1n, 1_001n])('is refused where the total is %s of 1000', async total => {
      const { scene, id } = await paid()
      expect(await scene.payouts.recordReturn(id, total)).toMatchObject({
        ok: false,
        refusal: { code: 'RETURN_EXCEEDS_PAYOUT' },
      })
    })

    test('is refused for a payout that was not paid, or is not there', async () => {
      const scene = await newScene()
      const { id } = await scene.pending()
      expect(await scene.payouts.recordReturn(id, 1n)).toMatchObject({
        refusal: { code: 'WRONG_STATUS', status: 'pending' },
      })
      expect(await scene.payouts.recordReturn('PDCCMS1GPYY5EIZ', 1n)).toMatchObject({
        refusal: { code: 'PAYOUT_NOT_FOUND' },
      })
    })

    test.each([true, false])('is finished by a sweep (money moved: %s)', async arrives => {
      const { scene, id } = await paid()
      const deaf = {
        async submit(...args: Parameters<typeof scene.ledger.submit>) {
          if (arrives) await scene.ledger.submit(...args)
          throw new OutcomeUnknown()
        },
      }
      await expect(scene.worker({ ledger: deaf }).recordReturn(id, 300n)).rejects.toThrow(
        OutcomeUnknown,
      )
      expect(await scene.payout(id)).toMatchObject({ status: 'success', returned: 0n })
      expect(await scene.payouts.sweep()).toEqual({ found: 1, stuck: [] })
      expect(await scene.payout(id)).toMatchObject({ status: 'reversed', returned: 300n })
      expect(await scene.payouts.sweep()).toEqual({ found: 0, stuck: [] })
      expect(await scene.balance('seller:1')).toEqual([FUNDS - 700n, 0n])
    })

    test('what cannot be finished does not keep a sweep from the others', async () => {
      const { scene, id } = await paid()
      const cancelled = await scene.pending()
      const deaf = { submit: () => Promise.reject(new OutcomeUnknown()) }
      await scene
        .worker({ ledger: deaf })
        .recordReturn(id, 300n)
        .catch(() => undefined)
      await scene
        .worker({ ledger: deaf })
        .cancel([cancelled.id])
        .catch(() => undefined)
      // The reversal is made behind our back, with nothing left of it.
      await scene.do({ do: 'reverse', key: 'by-hand', of: id })
      const swept = await scene.payouts.sweep()
      expect(swept).toMatchObject({ found: 2, stuck: [{ payout: id }] })
      expect(await scene.status(cancelled.id)).toBe('cancelled')
    })
  })

  describe('paid after its hold was released', () => {
    const failed = async (): Promise<{ scene: Scene; id: string }> => {
      const scene = await newScene()
      scene.bank.behave = () => 'refuse'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      return { scene, id }
    }

    test('it becomes a success, and the ledger is not touched', async () => {
      const { scene, id } = await failed()
      expect(await scene.payouts.paidAfterRelease(id, 'line-7')).toMatchObject({
        ok: true,
        replayed: false,
        payout: { status: 'success', reference: 'line-7' },
      })
      expect(await scene.payouts.paidAfterRelease(id)).toMatchObject({ ok: true, replayed: true })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
      expect(await scene.balance('clearing:bank')).toEqual([0n, 0n])
    })

    test('and comes back: only the bank moved it, so the ledger is not touched', async () => {
      const { scene, id } = await failed()
      await scene.payouts.paidAfterRelease(id)
      expect(await scene.payouts.recordReturn(id, 1_000n)).toMatchObject({
        payout: { status: 'reversed', returned: 1_000n },
      })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
    })

    test('it is refused for a payout that was paid as it should be', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      expect(await scene.payouts.paidAfterRelease(id)).toMatchObject({
        ok: false,
        refusal: { code: 'WRONG_STATUS', status: 'success' },
      })
    })
  })

  describe('shown as paid by a statement', () => {
    const unknown = async (): Promise<{ scene: Scene; id: string }> => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-after'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      return { scene, id }
    }

    test('an unknown payout is settled, and nobody need be asked', async () => {
      const { scene, id } = await unknown()
      expect(await scene.payouts.recordPaid(id, 'line-7')).toMatchObject({
        ok: true,
        replayed: false,
        payout: { status: 'success', reference: 'line-7' },
      })
      expect(await scene.payouts.recordPaid(id)).toMatchObject({ ok: true, replayed: true })
      expect(scene.bank.questions).toEqual([])
      expect(await scene.balance('clearing:bank')).toEqual([1_000n, 0n])
    })

    test('one whose settling was left in the middle is finished', async () => {
      const { scene, id } = await unknown()
      const deaf = { submit: () => Promise.reject(new OutcomeUnknown()) }
      await expect(scene.worker({ ledger: deaf }).recordPaid(id)).rejects.toThrow(OutcomeUnknown)
      expect(await scene.status(id)).toBe('unknown')
      expect(await scene.payouts.recordPaid(id)).toMatchObject({ payout: { status: 'success' } })
    })

    test('a payout that stands elsewhere is left there', async () => {
      const scene = await newScene()
      const { id } = await scene.pending()
      expect(await scene.payouts.recordPaid(id)).toMatchObject({
        ok: false,
        refusal: { code: 'WRONG_STATUS', status: 'pending' },
      })
    })
  })
})
