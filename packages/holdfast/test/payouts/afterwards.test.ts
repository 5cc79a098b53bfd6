import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '../../src/ledger/list-sender.ts'
import type { StatusAnswer } from '../../src/payouts/gateway.ts'
import { Payouts } from '../../src/payouts/payouts.ts'
import { ModelBank } from './model-bank.ts'
import { aRequest, DATABASES, FUNDS, replacing, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }

describe.each(DATABASES)('afterwards on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = (bank?: ModelBank) => new Scene(open.database, bank).open()

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

  describe('looking and forgetting', () => {
    test('lists by what is asked for, a page at a time', async () => {
      const scene = await newScene()
      const made = []
      for (let count = 0; count < 5; count += 1) made.push(await scene.pending({ batch: 'a' }))
      const other = await scene.pending({ batch: 'b' })
      const ids = made.map(each => each.id)
      await scene.payouts.approve(ids.slice(0, 2))
      const first = await scene.payouts.list({ batch: 'a' }, { limit: 3 })
      expect(first.payouts.map(each => each.id)).toEqual(ids.slice(0, 3))
      const rest = await scene.payouts.list({ batch: 'a' }, { limit: 3, after: first.next ?? '' })
      expect(rest).toMatchObject({ payouts: [{ id: ids[3] }, { id: ids[4] }], next: null })
      const found = async (filter: Parameters<Payouts['list']>[0]) =>
        (await scene.payouts.list(filter)).payouts.map(each => each.id)
      expect(await found({})).toEqual([...ids, other.id])
      expect(await found({ statuses: ['approved', 'failed'] })).toEqual(ids.slice(0, 2))
      expect(await found({ batch: 'b' })).toEqual([other.id])
      expect(await found({ account: 'seller:2' })).toEqual([])
      expect(await found({ gateway: 'bank', account: 'seller:1' })).toEqual([...ids, other.id])
      expect(await found({ statuses: [] })).toEqual([])
      await expect(scene.payouts.list({}, { limit: 1_001 })).rejects.toThrow(RangeError)
    })

    test('forgets a payee once the payout has come to an end, and only then', async () => {
      const scene = await newScene()
      const request = aRequest()
      await scene.payouts.request(request)
      const [payout] = (await scene.payouts.list()).payouts
      const id = payout?.id ?? ''
      expect(await scene.payouts.erasePayees([id])).toEqual([])
      await scene.payouts.approve([id])
      await scene.payouts.payBatch(ONE)
      expect(await scene.payouts.erasePayees([id])).toEqual([id])
      expect(await scene.payout(id)).toMatchObject({ payeeName: '', destination: '' })
      expect(await scene.payouts.request(request)).toMatchObject({ ok: true, replayed: true })
    })

    test('name and destination stand in no other table', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-after'
      await scene.approved({ payeeName: 'Zoë Unmistakable', destination: 'acct_unmistakable' })
      await scene.payouts.payBatch(ONE)
      await scene.payouts.resolve(ONE)
      for (const table of ['payout', 'payout_attempt', 'payout_release_word']) {
        const sql = `select t::text as line from "money_out".${table} t where book = $1`
        const { rows } = await open.database.query(sql, [scene.book])
        expect(JSON.stringify(rows)).not.toContain('nmistakable')
      }
    })
  })

  test('the tables refuse what the code never does', async () => {
    const scene = await newScene()
    const { id } = await scene.pending()
    const set = (change: string) =>
      open.database.query(`update "money_out".payout set ${change} where book = $1 and id = $2`, [
        scene.book,
        id,
      ])
    await expect(set("status = 'done'")).rejects.toThrow(/check constraint/)
    await expect(set("status = 'success'")).rejects.toThrow(/check constraint/)
    await expect(set('returned = 1001')).rejects.toThrow(/check constraint/)
    await expect(set('return_total = 0')).rejects.toThrow(/check constraint/)
    await expect(set("hold_end = 'lost'")).rejects.toThrow(/check constraint/)
  })

  test('a row moves only where status, lease and the end of its hold are as they were', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    const { book, repository } = scene
    const filter = { statuses: ['approved'], gateways: ['bank'], limit: 1 } as const
    const [leased] = await repository.lease(book, filter, 60_000)
    const token = leased?.lease.token ?? 0n
    const move = {
      id,
      from: 'approved',
      to: 'processing',
      holdEnd: null,
      token,
      reason: null,
      keepLease: true,
    } as const
    expect(await repository.move(book, [{ ...move, token: token - 1n }])).toEqual([])
    expect(await repository.move(book, [{ ...move, from: 'pending' }])).toEqual([])
    expect(await repository.move(book, [{ ...move, holdEnd: 'release' }])).toEqual([])
    expect(await repository.move('another book', [move])).toEqual([])
    expect(await repository.move(book, [move])).toMatchObject([
      { payout: { status: 'processing' } },
    ])
    expect(await repository.move(book, [move])).toEqual([])
  })

  test('a move that the table does not allow is a bug, and does not reach the database', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    const jumping = replacing(scene.repository, {
      async lease(...args) {
        const leased = await scene.repository.lease(...args)
        return leased.map(({ record, lease }) => {
          const payout = { ...record.payout, status: 'pending' as const }
          return { record: { ...record, payout }, lease }
        })
      },
    })
    await expect(scene.worker({ repository: jumping }).payBatch(ONE)).rejects.toThrow(
      'a payout cannot move from pending to processing',
    )
    expect(await scene.status(id)).toBe('approved')
  })

  test('options that make no sense are refused', async () => {
    const scene = await newScene()
    expect(() => scene.worker({ book: 'no book' })).toThrow(RangeError)
    expect(() => scene.worker({ leaseMs: 10, sendWithinMs: 10 })).toThrow(RangeError)
    expect(() => scene.worker({ sendWithinMs: 0 })).toThrow(RangeError)
    expect(() => scene.worker({ gateways: [scene.bank, scene.bank] })).toThrow(RangeError)
    await expect(scene.payouts.payBatch({ concurrency: 0 })).rejects.toThrow(RangeError)
  })
})
