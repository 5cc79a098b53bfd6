import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HAS_REDIS_SERVER, startRedis, type PrivateRedis } from '#testing/redis.ts'
import { explore } from '../../../interleave/src/index.ts'
import { Charges } from '../../src/charges/charges.ts'
import { systemClock } from '../../src/instant.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/ledger/store.ts'
import { RedisStore } from '../../src/stores/redis/redis-store.ts'
import { FeeSchedule } from '../../src/charges/schedule.ts'
import { BUYER, SELLER, Scene, VERSION } from '../charges/scene.ts'
import { replacing } from './timed.ts'
import { SLEEPS_NOT } from './world.ts'

// Two retries of one invocation at once, on one real server, in every order.

const connect = (url: string) => createClient({ url }).connect()
type Client = Awaited<ReturnType<typeof connect>>

/** Takes the price where the balance has it: the one thing that is a script. */
const TAKE = `
  if tonumber(redis.call('get', 'balance')) < 10 then return 0 end
  redis.call('decrby', 'balance', 10)
  return 1`

/** Of the store's clock and of the book's name nothing depends, and they differ from run to run. */
const SAME = { recorded: '9999-01-01T00:00:00.000Z', book: 'book' }

function timeless(store: Store): Store {
  return replacing(store, {
    now: () => Promise.resolve(SAME.recorded),
    apply: async (book, commands, deadline) => {
      const outcomes = await store.apply(book, commands, deadline)
      return outcomes.map(outcome =>
        outcome.ok && outcome.movement
          ? { ...outcome, movement: { ...outcome.movement, ...SAME } }
          : outcome,
      )
    },
  })
}

describe.skipIf(!HAS_REDIS_SERVER)('an invocation that is retried', () => {
  let redis: PrivateRedis
  let clients: Client[]
  beforeAll(async () => {
    redis = await startRedis()
    clients = await Promise.all([1, 2].map(() => connect(redis.url)))
  })
  afterAll(async () => {
    for (const client of clients) client.destroy()
    await redis.remove()
  })

  const clientOf = (task: number): Client => {
    const client = clients[task]
    if (!client) throw new RangeError(`no client for task ${task}`)
    return client
  }

  test('is charged twice in 68 orders of 70, where the id is looked up first', async () => {
    const retry = async (shop: ReturnType<typeof shopOf>) => {
      if (await shop.isKnown()) return
      if (!(await shop.take())) return
      await shop.credit()
      await shop.remember()
    }
    const shopOf = (client: Client) => ({
      isKnown: async () => (await client.exists('call-1')) === 1,
      take: async () => (await client.eval(TAKE, {})) === 1,
      credit: () => client.incrBy('earned', 10),
      remember: () => client.set('call-1', 'charged'),
    })
    const report = await explore({
      async setup() {
        await clientOf(0).flushAll()
        await clientOf(0).mSet({ balance: '100', earned: '0' })
        return null
      },
      ports: (_, task) => shopOf(clientOf(task)),
      tasks: [retry, retry],
      invariant: async () => (await clientOf(0).mGet(['balance', 'earned'])).join() === '90,10',
    })
    expect(report).toMatchObject({ orders: 70n, violations: 68n, exhaustive: true })
  })

  test('is charged once in every order by charge', async () => {
    const stores = await Promise.all(
      clients.map(client => RedisStore.open({ client, mayForget: true })),
    )
    const [first] = stores
    if (!first) throw new RangeError('no store')
    const call = { key: 'call-1', buyer: BUYER, seller: SELLER, price: 10n }
    let scene = new Scene({ store: first })
    const retry = ({ store }: { store: Store }) => {
      const timer = { ...SLEEPS_NOT, elapsedMs: () => performance.now() }
      const ledger = new Ledger({ store, book: scene.book, timer })
      const schedule = new FeeSchedule(scene.asset, [VERSION])
      return new Charges({ ledger, schedule, clock: systemClock }).charge(call)
    }
    const report = await explore({
      async setup() {
        scene = await new Scene({ store: first }).open({ prepaid: 110n })
        await scene.charges.charge({ ...call, key: 'before' })
        return null
      },
      ports: (_, task) => ({ store: timeless(stores[task] ?? first) }),
      tasks: [retry, retry],
      invariant: async () => (await scene.prepaid()) === 90n && (await scene.earned()) === 16n,
    })
    expect(report).toMatchObject({ orders: 6n, violations: 0n, errors: 0n, exhaustive: true })
  })
})
