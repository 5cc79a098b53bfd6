import { afterAll, beforeAll, expect, test } from 'vitest'
import { Charges } from '../../src/charges/charges.ts'
import { FeeSchedule } from '../../src/charges/schedule.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { openPools, type Pools } from '../support/pools.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { BUYER, Scene, SELLER, VERSION } from './scene.ts'

// On a real server, through a pool each, as so many programs would.

const CALLERS = 10
const EARLIER = { ...VERSION, from: '2026-01-01' }
const LATER = { ...VERSION, from: '2026-11-30', fees: [{ role: 'platform', fixed: 3n }] }

let server: PostgresDatabase
let pools: Pools

beforeAll(async () => {
  server = await migratedDatabase()
  pools = await openPools(server.url, CALLERS)
})
afterAll(async () => {
  await pools.close()
  await server.close()
})

/** A scene, and its charges seen from every pool; every second one has got the new schedule. */
async function everywhere(prepaid: bigint): Promise<{ scene: Scene; all: Charges[] }> {
  const scene = await new Scene({ store: new PostgresStore(server.database) }).open({ prepaid })
  const all = pools.ledgers(scene.book).map((ledger, index) => {
    const versions = index % 2 === 0 ? [EARLIER] : [EARLIER, LATER]
    const schedule = new FeeSchedule(scene.asset, versions)
    return new Charges({ ledger, schedule, clock: scene.clock })
  })
  return { scene, all }
}

function inTurn(all: readonly Charges[], index: number): Charges {
  const one = all[index % CALLERS]
  if (!one) throw new Error('there are no charges')
  return one
}

const request = { key: 'call-1', buyer: BUYER, seller: SELLER, price: 10n }

test('one invocation id from ten callers charges once, and all get the first answer', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { scene, all } = await everywhere(100n)
    const limits = { dayMax: 50n }
    const results = await Promise.all(all.map(each => each.charge({ ...request, limits })))
    expect(results.filter(each => each.ok && !each.replayed)).toHaveLength(1)
    const answers = results.map(each => each.ok && JSON.stringify(each.charged.shares, String))
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).not.toBe(false)
    expect(await scene.prepaid()).toBe(90n)
    const higher = await Promise.all(all.map(each => each.charge({ ...request, price: 11n })))
    for (const each of higher)
      expect(each).toMatchObject({ refusal: { code: 'KEY_REUSED', fields: ['price'] } })
    expect(await scene.prepaid()).toBe(90n)
    await scene.expectSound()
  }
})

test('charges at once never pass a limit, and never spend what is not there', async () => {
  const { scene, all } = await everywhere(1_000n)
  const limits = { dayMax: 100n, key: { name: 'agent', max: 75n } }
  const results = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      inTurn(all, index).charge({ ...request, key: `call-${index}`, limits }),
    ),
  )
  expect(results.filter(each => each.ok)).toHaveLength(7)
  const codes = results.flatMap(each => (!each.ok ? each.refusal.code : []))
  expect(new Set(codes)).toEqual(new Set(['LIMIT_EXCEEDED']))
  expect(await scene.prepaid()).toBe(930n)
  await scene.expectSound()
})

test('refunds at once never come to more than the charge, and each has its proportion', async () => {
  const { scene, all } = await everywhere(1_000n)
  await all[0]?.charge({ ...request, price: 1_000n })
  const results = await Promise.all(
    Array.from({ length: 15 }, (_, index) =>
      inTurn(all, index).refund({ key: `r${index}`, of: 'call-1', amount: 97n }),
    ),
  )
  expect(results.filter(each => each.ok)).toHaveLength(10)
  const codes = results.flatMap(each => (!each.ok ? each.refusal.code : []))
  expect(new Set(codes)).toEqual(new Set(['AMOUNT_EXCEEDS_CHARGE']))
  expect(await scene.prepaid()).toBe(970n)
  const off = (await scene.earned()) * 100n - 30n * 78n
  expect(off > -1_100n && off < 1_100n).toBe(true)
  await scene.expectSound()
})

test('one refund from ten callers refunds once', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { scene, all } = await everywhere(100n)
    await all[0]?.charge({ ...request, price: 100n })
    const results = await Promise.all(
      all.map(each => each.refund({ key: 'r', of: 'call-1', amount: 33n })),
    )
    expect(results.filter(each => each.ok && !each.replayed)).toHaveLength(1)
    expect(results.every(each => each.ok)).toBe(true)
    expect(await scene.prepaid()).toBe(33n)
  }
})

test('one authorisation is captured once, whatever path each caller takes', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { scene, all } = await everywhere(100n)
    const [first] = all
    const held = await first?.authorise({
      ...{ key: 'call-1', buyer: BUYER, seller: SELLER },
      ...{ ceiling: 100n, expiresInMs: 60_000 },
    })
    if (!held?.ok) throw new Error('not authorised')
    const same = all.filter((_, index) => index % 2 === 0)
    const results = await Promise.all(
      same.flatMap(each => [
        each.capture(held.authorisation, 50n),
        each.capture(held.authorisation, 49n),
      ]),
    )
    const paid = results.flatMap(each => (each.ok ? each.charged.price : []))
    expect(new Set(paid).size).toBe(1)
    expect(results.filter(each => each.ok && !each.replayed)).toHaveLength(1)
    expect(await scene.prepaid()).toBe(100n - (paid[0] ?? 0n))
    await scene.expectSound()
  }
})
