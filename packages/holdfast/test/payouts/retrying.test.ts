import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Payout } from '../../src/payouts/payout.ts'
import { PostgresPayouts } from '../../src/stores/postgres/payouts/postgres-payouts.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { ModelBank } from './model-bank.ts'
import { aRequest, DATABASES, FUNDS, replacing, Scene, SCHEMA, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }
const NEEDLESS = 'a payout whose place it takes was paid after all'

/** Payouts that the bank refused. */
async function failed(scene: Scene, count: number, retryOf?: string): Promise<string[]> {
  scene.bank.behave = () => 'refuse'
  const requests = Array.from({ length: count }, () =>
    aRequest({ amount: 10n, ...(retryOf !== undefined && { retryOf }) }),
  )
  const ids = (await scene.payouts.requestMany(requests)).flatMap(each =>
    each.ok ? [each.payout.id] : [],
  )
  await scene.payouts.approve(ids)
  await scene.payouts.payBatch({ concurrency: 20 })
  scene.bank.behave = () => 'pay'
  return ids
}

async function oneFailed(scene: Scene, retryOf?: string): Promise<string> {
  const [id] = await failed(scene, 1, retryOf)
  if (id === undefined) throw new Error('it was to be failed')
  return id
}

describe.each(DATABASES)('a failed payout that was paid after all, on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = (bank?: ModelBank) => new Scene(open.database, bank).open()

  const expectGivenBack = async (scene: Scene, payout: Payout) => {
    expect(scene.bank.paid(payout.id)).toBe(0)
    expect(await scene.payout(payout.id)).toMatchObject({ status: 'failed', reason: NEEDLESS })
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
  }

  test('is not paid again by what was approved in its place: its money goes back', async () => {
    const scene = await newScene()
    const original = await oneFailed(scene)
    const retry = await scene.approved({ retryOf: original })
    await scene.payouts.paidAfterRelease(original)
    expect(await scene.payouts.payBatch(ONE)).toMatchObject({ failed: 1, stuck: [] })
    await expectGivenBack(scene, retry)
    expect(await scene.payouts.request(aRequest({ retryOf: retry.id }))).toMatchObject({
      refusal: { code: 'RETRY_OF_NOT_FAILED', payout: original, status: 'success' },
    })
  })

  test('is not paid again where that shows between the claim and the attempt', async () => {
    const scene = await newScene()
    const original = await oneFailed(scene)
    const retry = await scene.approved({ retryOf: original })
    const shown = replacing(scene.repository, {
      async startAttempt(...args) {
        await scene.payouts.paidAfterRelease(original)
        return scene.repository.startAttempt(...args)
      },
    })
    await scene.worker({ repository: shown }).payBatch(ONE)
    await expectGivenBack(scene, retry)
  })

  test('is not paid again by a payout that a killed worker had claimed', async () => {
    const scene = await newScene()
    const original = await oneFailed(scene)
    const retry = await scene.approved({ retryOf: original })
    const startAttempt = () => Promise.reject(new Error('killed'))
    const dying = replacing(scene.repository, { startAttempt })
    await scene.worker({ repository: dying }).payBatch(ONE)
    await scene.payouts.paidAfterRelease(original)
    await scene.passTime(150_000)
    expect(await scene.payouts.resolve(ONE)).toMatchObject({ failed: 1 })
    await expectGivenBack(scene, retry)
  })

  test('is not paid again by the retry of its retry', async () => {
    const scene = await newScene()
    const original = await oneFailed(scene)
    const second = await oneFailed(scene, original)
    const third = await scene.approved({ retryOf: second })
    await scene.payouts.paidAfterRelease(original)
    await scene.payouts.payBatch(ONE)
    await expectGivenBack(scene, third)
  })

  test('is not paid again by a second send of what may have been paid in its place', async () => {
    const scene = await newScene(new ModelBank({ finalityMs: 100_000 }))
    const original = await oneFailed(scene)
    const retry = await scene.approved({ retryOf: original })
    scene.bank.behave = () => 'lose-before'
    await scene.payouts.payBatch(ONE)
    await scene.payouts.paidAfterRelease(original)
    scene.bank.behave = () => 'pay'
    const resolve = () =>
      scene.payouts.resolve({ ...ONE, coverage: () => '2999-01-01T00:00:00.000Z' })
    expect(await resolve()).toMatchObject({ unknown: 1 })
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
    await scene.passTime(150_000)
    expect(await resolve()).toMatchObject({ failed: 1 })
    expect(scene.bank.paid(retry.id)).toBe(0)
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
  })

  test('keeps what takes its place from being approved; that can be cancelled', async () => {
    const scene = await newScene()
    const original = await oneFailed(scene)
    const retry = await scene.pending({ retryOf: original, batch: 'again' })
    await scene.payouts.paidAfterRelease(original)
    expect(await scene.payouts.approve([retry.id])).toMatchObject([
      { ok: false, refusal: { code: 'RETRY_OF_NOT_FAILED', payout: original, status: 'success' } },
    ])
    expect(await scene.payouts.approveBatch('again')).toBe(0)
    expect(await scene.payouts.cancel([retry.id])).toMatchObject([
      { ok: true, payout: { status: 'cancelled' } },
    ])
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
  })

  test('what was approved before that shows can be cancelled too', async () => {
    const scene = await newScene()
    const original = await oneFailed(scene)
    const retry = await scene.approved({ retryOf: original })
    await scene.payouts.paidAfterRelease(original)
    expect(await scene.payouts.cancel([retry.id])).toMatchObject([{ ok: true }])
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
  })
})

describe('at the same moment, on Postgres', () => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await migratedDatabase(SCHEMA)
  })
  afterAll(() => open.close())

  /** Until a statement waits for a lock that another one holds. */
  const somebodyWaits = () =>
    expect
      .poll(
        async () => {
          const sql = `select pid from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`
          return (await open.database.query(sql)).rows.length
        },
        { timeout: 20_000 },
      )
      .toBe(1)

  const retried = async () => {
    const scene = await new Scene(open.database).open()
    const original = await oneFailed(scene)
    return { scene, original, retry: await scene.approved({ retryOf: original }) }
  }

  test('an attempt waits for a statement that is about to show its original as paid', async () => {
    const { scene, original, retry } = await retried()
    let paying: Promise<unknown> = Promise.resolve()
    await open.database.transaction(async tx => {
      const repository = new PostgresPayouts(tx, SCHEMA)
      await scene.worker({ repository }).paidAfterRelease(original)
      paying = scene.payouts.payBatch(ONE)
      await somebodyWaits()
    })
    await paying
    expect(scene.bank.paid(retry.id)).toBe(0)
    expect(await scene.status(retry.id)).toBe('failed')
  })

  test('a statement waits for an attempt that is about to begin, and then shows the second payment', async () => {
    const { scene, original, retry } = await retried()
    let showing: Promise<unknown> = Promise.resolve()
    const slow = replacing(scene.repository, {
      startAttempt: (...args) =>
        open.database.transaction(async tx => {
          const attempt = await new PostgresPayouts(tx, SCHEMA).startAttempt(...args)
          showing = scene.payouts.paidAfterRelease(original)
          await somebodyWaits()
          return attempt
        }),
    })
    await scene.worker({ repository: slow }).payBatch(ONE)
    expect(await showing).toMatchObject({ ok: true, payout: { status: 'success' } })
    expect(await scene.status(retry.id)).toBe('success')
  })

  test('three lists that retry the same payouts in different orders do not wait for each other', async () => {
    const scene = await new Scene(open.database).open()
    const count = 100
    const ids = await failed(scene, count)
    const orders = [
      (index: number) => index,
      (index: number) => count - index,
      (index: number) => (index * 37) % count,
    ]
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(
        orders.map((order, which) => {
          const requests = ids.map((retryOf, index) => {
            const place = String(order(index)).padStart(3, '0')
            return aRequest({ amount: 10n, requestKey: `${round}-${which}-${place}`, retryOf })
          })
          return scene.worker().requestMany(requests)
        }),
      )
      const made = answers.flat().flatMap(each => (each.ok ? [each.payout] : []))
      expect(made.map(each => each.retryOf).toSorted()).toEqual(ids.toSorted())
      const codes = answers.flat().flatMap(each => (each.ok ? [] : [each.refusal.code]))
      expect(codes).toEqual(Array.from({ length: 2 * count }, () => 'ALREADY_RETRIED'))
      await scene.payouts.cancel(made.map(each => each.id))
    }
  })
})
