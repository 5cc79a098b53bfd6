import { createClient } from 'redis'
import { describe, expect, it } from 'vitest'
import { HAS_REDIS_SERVER, startRedis } from '#testing/redis.ts'
import { RedisStore } from '../../src/stores/redis/redis-store.ts'
import { leg, NEVER, open, transfer } from '../support/commands.ts'
import { expectSound } from '../support/sound.ts'
import { newBook } from '../support/subject.ts'
import { until } from '../support/waiting.ts'

describe.skipIf(!HAS_REDIS_SERVER)('a replica that takes the place of its master', () => {
  it('has not what the master acknowledged alone, and moves that once when it is asked again', () =>
    withPair(async ({ master, replica, book }) => {
      const early = transfer('early', leg('w', 'a', 1n))
      await master.store.apply(book, [open('w', null), open('a'), early], NEVER)
      await until(async () => (await replica.store.movements(book, 'early')).length > 0)
      // From here on the master is alone, and does not know it.
      await replica.client.sendCommand(['REPLICAOF', 'NO', 'ONE'])
      const late = transfer('late', leg('w', 'a', 1n))
      expect(await master.store.apply(book, [late], NEVER)).toMatchObject([{ ok: true }])

      expect(await replica.store.movements(book, 'late')).toStrictEqual([])
      expect(await replica.store.account(book, 'a')).toMatchObject({ posted: 1n })
      const again = await replica.store.apply(book, [early, late, late], NEVER)
      expect(again.map(outcome => outcome.ok && outcome.replayed)).toStrictEqual([
        true,
        false,
        true,
      ])
      expect(await replica.store.account(book, 'a')).toMatchObject({ posted: 2n })
      await expectSound(replica.store, book)
    }))

  it('has what WAIT was told of', () =>
    withPair(async ({ master, replica, book }) => {
      await until(async () => Number(await master.client.sendCommand(['WAIT', '1', '100'])) === 1)
      const list = [open('w', null), open('a'), transfer('t', leg('w', 'a', 1n))]
      await master.store.apply(book, list, NEVER)
      expect(await master.client.sendCommand(['WAIT', '1', '10000'])).toBe(1)
      await master.remove()
      await replica.client.sendCommand(['REPLICAOF', 'NO', 'ONE'])
      const again = await replica.store.apply(book, list, NEVER)
      expect(again.every(outcome => outcome.ok && outcome.replayed)).toBe(true)
    }))
})

type Node = Awaited<ReturnType<typeof startNode>>

interface Pair {
  readonly master: Node
  readonly replica: Node
  readonly book: string
}

async function withPair(run: (pair: Pair) => Promise<void>): Promise<void> {
  const [master, replica] = [await startNode(), await startNode()]
  try {
    await replica.client.sendCommand(['REPLICAOF', '127.0.0.1', String(master.port)])
    await run({ master, replica, book: newBook() })
  } finally {
    await master.remove()
    await replica.remove()
  }
}

async function startNode() {
  const server = await startRedis('--appendonly', 'yes')
  const client = createClient({ url: server.url })
  // The master goes away on purpose.
  client.on('error', () => undefined)
  await client.connect()
  return {
    port: server.port,
    client,
    store: await RedisStore.open({ client }),
    async remove() {
      client.destroy()
      await server.remove()
    },
  }
}
