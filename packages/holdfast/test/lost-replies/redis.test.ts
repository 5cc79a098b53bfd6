import { createClient } from 'redis'
import { describe } from 'vitest'
import { HAS_REDIS, testRedis } from '#testing/redis.ts'
import { RedisStore } from '../../src/stores/redis/redis-store.ts'
import { RedisMessages } from '../support/redis-messages.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { describeLostReplies } from './lost-replies.ts'

/** Four texts of two lines each in a list, which is a line. */
const MESSAGES_BEFORE_LAST = 8
/** What the name of each book's first key ends with: the script of a list is given all of them. */
const ONLY_LISTS_TAKE = ':reversals'

describe.skipIf(!HAS_REDIS)('Redis', () => {
  describeLostReplies(async () => {
    const server = await testRedis()
    const proxy = await startProxy(server.url, ONLY_LISTS_TAKE, () => new RedisMessages())
    const client = await connected(server.url)
    const proxied = await connected(proxy.url)
    return {
      proxy,
      through: await RedisStore.open({ client: proxied, mayForget: true }),
      past: await RedisStore.open({ client, mayForget: true }),
      async close() {
        proxied.destroy()
        client.destroy()
        await proxy.close()
        await server.remove()
      },
    }
  }, MESSAGES_BEFORE_LAST)
})

function connected(url: string) {
  const client = createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: 20 },
  })
  // Its connections break on purpose, and it opens new ones.
  client.on('error', () => undefined)
  return client.connect()
}
