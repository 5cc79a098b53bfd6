import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StatusAnswer } from '../../src/payouts/gateway.ts'
import { ModelBank } from './model-bank.ts'
import { DATABASES, FUNDS, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }

describe.each(DATABASES)('releasing on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = (bank?: ModelBank) => new Scene(open.database, bank).open()

  describe('released by hand', () => {
    const keyless = () => new ModelBank({ idempotency: false, finalityMs: null })
    const unsure = async (bank: ModelBank = keyless()): Promise<{ scene: Scene; id: string }> => {
      const scene = await newScene(bank)
      scene.bank.behave = () => 'lose-before'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      return { scene, id }
    }

    test('it takes two people', async () => {
      const { scene, id } = await unsure()
      const first = await scene.payouts.releaseByHand(id, 'user:ada', 'the bank has nothing')
      expect(first).toMatchObject({ ok: true, payout: { status: 'unknown' } })
      await scene.payouts.releaseByHand(id, 'user:ada', 'the bank still has nothing')
      expect(await scene.status(id), 'the same person twice').toBe('unknown')
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
      expect(await scene.payouts.releaseByHand(id, 'user:bob', 'confirmed by phone')).toMatchObject(
        {
          ok: true,
          payout: { status: 'failed', reason: 'released by hand: confirmed by phone' },
        },
      )
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
      await scene.payouts.resolve(ONE)
      expect(scene.bank.sends).toEqual([id])
    })

    test('a word that was given before a further attempt does not count', async () => {
      const bank = new ModelBank({ keyRetentionMs: 3_600_000, finalityMs: null })
      const { scene, id } = await unsure(bank)
      await scene.passTime(3_600_000)
      await scene.payouts.releaseByHand(id, 'user:ada', 'nothing there')
      const start = `insert into "money_out".payout_attempt (book, payout, number, started, send_by, answer)
        values ($1, $2, 2, clock_timestamp(), clock_timestamp(), 'unknown')`
      await open.database.query(start, [scene.book, id])
      await scene.payouts.releaseByHand(id, 'user:bob', 'nothing there')
      expect(await scene.status(id)).toBe('unknown')
    })

    test.each([
      ['FINALITY_DECLARED', {}, (): StatusAnswer | null => null],
      ['STILL_UNCERTAIN', { finalityMs: null }, () => ({ answer: 'processing' }) as const],
      [
        'STILL_UNCERTAIN',
        { finalityMs: null },
        () => ({ answer: 'unknown', reason: 'down' }) as const,
      ],
      [
        'STILL_UNCERTAIN',
        { finalityMs: null },
        () => ({ answer: 'paid', reference: null, returned: 0n }) as const,
      ],
    ] as const)('is refused: %s', async (code, declares, status) => {
      const { scene, id } = await unsure(new ModelBank({ idempotency: false, ...declares }))
      scene.bank.statusInstead = status
      expect(await scene.payouts.releaseByHand(id, 'user:ada', 'why')).toMatchObject({
        ok: false,
        refusal: { code },
      })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
    })

    test.each([
      ['INVALID_PERSON', '', 'why'],
      ['INVALID_PERSON', 'Ada Example', 'why'],
      ['INVALID_REASON', 'user:ada', ' '],
      ['INVALID_REASON', 'user:ada', 'x'.repeat(201)],
    ])('is refused: %s (%j, %j)', async (code, person, reason) => {
      const { scene, id } = await unsure()
      expect(await scene.payouts.releaseByHand(id, person, reason)).toMatchObject({
        refusal: { code },
      })
    })

    test('is refused for a payout that is paid, not there, or being worked on', async () => {
      const { scene, id } = await unsure()
      const paid = await scene.approved()
      scene.bank.behave = () => 'pay'
      await scene.payouts.payBatch(ONE)
      const refusal = async (payout: string) => {
        const answer = await scene.payouts.releaseByHand(payout, 'user:ada', 'why')
        return answer.ok ? 'ok' : answer.refusal.code
      }
      expect(await refusal(paid.id)).toBe('WRONG_STATUS')
      expect(await refusal('PDCCMS1GPYY5EIZ')).toBe('PAYOUT_NOT_FOUND')
      const filter = { statuses: ['unknown'], gateways: ['bank'], limit: 1 } as const
      await scene.repository.lease(scene.book, filter, 60_000)
      expect(await refusal(id)).toBe('PAYOUT_BUSY')
    })
  })
})
