import { createClient } from 'redis'
import { describe } from 'vitest'
import { HAS_REDIS, testRedis } from '#testing/redis.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { RedisStore } from '../../src/stores/redis/redis-store.ts'
import { openPools } from '../support/pools.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { CALLERS, describeAtOnce } from './at-once.ts'

describe('on Postgres, a pool each', () => {
  describeAtOnce(async () => {
    const server = await migratedDatabase()
    const pools = await openPools(server.url, CALLERS)
    return {
      store: new PostgresStore(server.database),
      ledgers: book => pools.ledgers(book),
      async close() {
        await pools.close()
        await server.close()
      },
    }
  })
})

describe.skipIf(!HAS_REDIS)('on Redis, a client each', () => {
  describeAtOnce(async () => {
    const server = await testRedis()
    const clients = await Promise.all(
      Array.from({ length: CALLERS }, () => createClient({ url: server.url }).connect()),
    )
    const [store, ...others] = await Promise.all(
      clients.map(client => RedisStore.open({ client, mayForget: true })),
    )
    if (!store) throw new Error('there are no callers')
    return {
      store,
      ledgers: book => [store, ...others].map(each => new Ledger({ store: each, book })),
      async close() {
        for (const client of clients) client.destroy()
        await server.remove()
      },
    }
  })
})
