import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayoutProgress } from '../../src/payouts/payouts.ts'
import { aRequest, DATABASES, FUNDS, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }

describe.each(DATABASES)('paying on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = () => new Scene(open.database).open()

  test('a batch is paid, each payout once, and the books say so', async () => {
    const scene = await newScene()
    const requests = Array.from({ length: 30 }, () => aRequest({ batch: 'payday', amount: 100n }))
    await scene.payouts.requestMany(requests)
    await scene.payouts.approveBatch('payday')
    const other = await scene.approved({ batch: 'other' })
    const progress: PayoutProgress[] = []
    const end = await scene.payouts.payBatch({
      concurrency: 7,
      batch: 'payday',
      onProgress: each => progress.push(each),
    })
    expect(end).toEqual({ success: 30, failed: 0, unknown: 0, stuck: [] })
    expect(progress.map(each => each.success)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    expect(new Set(scene.bank.sends).size).toBe(30)
    expect(scene.bank.payments).toHaveLength(30)
    expect(await scene.status(other.id)).toBe('approved')
    expect(await scene.balance('seller:1')).toEqual([FUNDS - 3_000n, 1_000n])
    expect(await scene.balance('clearing:bank')).toEqual([3_000n, 0n])
  })

  test('of ids that are named no others are paid', async () => {
    const scene = await newScene()
    const [one, two, three] = [
      await scene.approved(),
      await scene.approved(),
      await scene.approved(),
    ]
    const end = await scene.payouts.payBatch({ ...ONE, ids: [one.id, three.id] })
    expect(end).toMatchObject({ success: 2, failed: 0, unknown: 0 })
    expect(await scene.status(two.id)).toBe('approved')
    expect(await scene.payouts.payBatch({ ...ONE, ids: [] })).toMatchObject({ success: 0 })
    expect(await scene.status(two.id)).toBe('approved')
  })

  test('the bank is told what was asked for, and its reference is kept', async () => {
    const scene = await newScene()
    const { id } = await scene.approved({ amount: 1_234n, payeeName: 'Zoë', destination: 'acct_7' })
    await scene.payouts.payBatch(ONE)
    expect(scene.bank.payments).toEqual([
      { payout: id, amount: 1_234n, asset: 'EUR/2', payeeName: 'Zoë', destination: 'acct_7' },
    ])
    expect(await scene.payout(id)).toMatchObject({ status: 'success', reference: 'bank-1' })
    expect(await scene.payouts.attempts(id)).toMatchObject([
      { number: 1, answer: 'paid', reference: 'bank-1' },
    ])
  })

  test('before the bank is called the attempt is committed, and no transaction is open', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    const seen: unknown[] = []
    scene.bank.beforeSend = async () => {
      // Inside a transaction this would wait for itself on PGlite, and see nothing on Postgres.
      const sql = 'select answer from "money_out".payout_attempt where book = $1 and payout = $2'
      seen.push(...(await open.database.query(sql, [scene.book, id])).rows)
    }
    await scene.payouts.payBatch(ONE)
    expect(seen).toEqual([{ answer: null }])
  })

  test('what is not approved is not paid', async () => {
    const scene = await newScene()
    await scene.pending()
    await scene.payouts.payBatch(ONE)
    expect(scene.bank.sends).toEqual([])
  })

  test('the hold is taken before anything is paid', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    scene.bank.beforeSend = async () => {
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
    }
    await scene.payouts.payBatch(ONE)
    expect(scene.bank.paid(id)).toBe(1)
  })

  test('a refused payout fails, and its money is back', async () => {
    const scene = await newScene()
    scene.bank.behave = () => 'refuse'
    const { id } = await scene.approved()
    expect(await scene.payouts.payBatch(ONE)).toMatchObject({ failed: 1 })
    expect(await scene.payout(id)).toMatchObject({ status: 'failed', reason: 'account closed' })
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
    await scene.payouts.payBatch(ONE)
    await scene.payouts.resolve(ONE)
    expect(scene.bank.sends).toEqual([id])
  })

  test('two workers on the same batch at once pay each payout once', async () => {
    const scene = await newScene()
    const requests = Array.from({ length: 40 }, () => aRequest({ batch: 'payday', amount: 100n }))
    await scene.payouts.requestMany(requests)
    await scene.payouts.approveBatch('payday')
    const workers = [scene.worker(), scene.worker(), scene.worker()]
    const ends = await Promise.all(workers.map(each => each.payBatch({ concurrency: 5 })))
    expect(ends.reduce((sum, each) => sum + each.success, 0)).toBe(40)
    expect(scene.bank.sends).toHaveLength(40)
    expect(scene.bank.payments).toHaveLength(40)
  })

  test('a payout whose gateway is not known here is left alone', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    await scene.worker({ gateways: [] }).payBatch(ONE)
    expect(await scene.status(id)).toBe('approved')
  })

  test('one payout that cannot be worked on does not stop the others', async () => {
    const scene = await newScene()
    const [one, two] = [await scene.approved(), await scene.approved()]
    // Somebody ends the hold behind our back.
    await scene.do({ do: 'release', hold: one.id })
    const end = await scene.payouts.payBatch(ONE)
    expect(end).toMatchObject({ success: 1, stuck: [{ payout: one.id }] })
    expect(end.stuck[0]?.error).toMatchObject({
      name: 'LedgerRefused',
      refusal: { code: 'HOLD_RELEASED' },
    })
    expect(await scene.status(two.id)).toBe('success')
  })
})
