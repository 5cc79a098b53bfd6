import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HAS_REDIS_SERVER, startRedis, type PrivateRedis } from '#testing/redis.ts'
import { explore, type Program } from '../src/index.ts'
import type { Seen, Withdraw } from './programs.ts'
import { TABLE } from './table.ts'

const connect = (port: number) => createClient({ socket: { host: '127.0.0.1', port } }).connect()
type Client = Awaited<ReturnType<typeof connect>>

/** Checks and takes in one script, which Redis runs alone. */
const RESERVE = `
  if tonumber(redis.call('get', 'balance')) < tonumber(ARGV[1]) then return 0 end
  redis.call('decrby', 'balance', ARGV[1])
  redis.call('incrby', 'held', ARGV[1])
  return 1`

describe.skipIf(!HAS_REDIS_SERVER)('on Redis (needs redis-server in the PATH)', () => {
  let redis: PrivateRedis
  let clients: Client[]
  let monitor: Client
  beforeAll(async () => {
    redis = await startRedis()
    monitor = await connect(redis.port)
    clients = await Promise.all([1, 2].map(() => connect(redis.port)))
  })
  afterAll(async () => {
    for (const client of [monitor, ...clients]) client.destroy()
    await redis.remove()
  })

  const portsOf = (client: Client): Seen => ({
    account: {
      load: async () => (await client.get('name')) ?? '',
      read: async () => BigInt((await client.get('balance')) ?? 0),
      write: async balance => {
        await client.set('balance', balance.toString())
      },
      reserve: async amount =>
        (await client.eval(RESERVE, { arguments: [amount.toString()] })) === 1,
      settle: async amount => {
        await client.decrBy('held', Number(amount))
      },
    },
    lock: {
      lock: () => Promise.reject(new Error('there is no lock')),
      unlock: () => Promise.reject(new Error('there is no lock')),
    },
    bank: {
      pay: async amount => {
        await client.incrBy('paid', Number(amount))
      },
    },
  })

  const shopOnRedis = (...tasks: readonly Withdraw[]): Program<readonly Client[], Seen> => ({
    setup: async () => {
      await monitor.mSet({ name: 'user:1', balance: '100', held: '0', paid: '0' })
      return clients
    },
    ports: (all, task) => {
      const client = all[task]
      if (client === undefined) throw new RangeError(`no client for task ${task}`)
      return portsOf(client)
    },
    tasks,
    invariant: async () => {
      const sums = await monitor.mGet(['balance', 'held', 'paid'])
      return sums.reduce((sum, each) => sum + BigInt(each ?? 0), 0n) === 100n
    },
  })

  const withoutLock = TABLE.filter(({ name, copies }) => copies === 2 && !name.startsWith('lock'))
  test.each(withoutLock)('$name', async ({ withdraw, orders, violations }) => {
    const report = await explore(shopOnRedis(withdraw, withdraw))
    const seen = { orders, violations, deadlocks: 0n, errors: 0n, exhaustive: true }
    expect(report).toMatchObject(seen)
  })
})
