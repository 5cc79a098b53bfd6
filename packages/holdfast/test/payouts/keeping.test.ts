import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Payouts } from '../../src/payouts/payouts.ts'
import { aRequest, DATABASES, replacing, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }

describe.each(DATABASES)('keeping payouts on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = () => new Scene(open.database).open()

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
