import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from 'redis'
import { describe, expect, it } from 'vitest'
import { startChild } from '#testing/child.ts'
import { HAS_REDIS_SERVER, startRedis, type PrivateRedis } from '#testing/redis.ts'
import { rounds } from '#testing/rounds.ts'
import { ListNotApplied } from '../../src/ledger/store.ts'
import { RedisNotDurable } from '../../src/stores/redis/durability.ts'
import { RedisStore } from '../../src/stores/redis/redis-store.ts'
import { leg, NEVER, open, transfer } from '../support/commands.ts'
import { expectSound } from '../support/sound.ts'
import { newBook } from '../support/subject.ts'

const WRITER = new URL('./writer.ts', import.meta.url)
const CALLERS = 20
/** A kill comes so long after the first acknowledgement, at most. */
const LIFE_MS_MAX = 150
const ALWAYS = ['--appendonly', 'yes', '--appendfsync', 'always']

interface Scene {
  readonly server: PrivateRedis
  readonly client: Awaited<ReturnType<typeof connected>>
}

async function withRedis(
  options: readonly string[],
  run: (scene: Scene) => Promise<void>,
): Promise<void> {
  const server = await startRedis(...options)
  const client = await connected(server.url)
  try {
    await run({ server, client })
  } finally {
    client.destroy()
    await server.remove()
  }
}

function connected(url: string) {
  const client = createClient({ url, socket: { reconnectStrategy: 20 } })
  // The server goes away on purpose, and the client finds it again.
  client.on('error', () => undefined)
  return client.connect()
}

describe.skipIf(!HAS_REDIS_SERVER)('a Redis that is killed', () => {
  it(
    'has all that it acknowledged with appendfsync always, once',
    () =>
      withRedis(ALWAYS, async scene => {
        const { store, book, acknowledged } = await killed(scene, rounds({ usual: 5, long: 100 }))
        const stored = await allKeys(store, book)
        expect([...acknowledged].filter(key => !stored.includes(key))).toStrictEqual([])
        expect(acknowledged.size).toBeGreaterThan(0)
        expect(new Set(stored).size).toBe(stored.length)
        expect(await store.account(book, 'a')).toMatchObject({ posted: BigInt(stored.length) })
        await expectSound(store, book)
      }),
    1_200_000,
  )

  it(
    'has lost no more than a tail with appendfsync everysec',
    () =>
      withRedis(['--appendonly', 'yes', '--appendfsync', 'everysec'], async scene => {
        const { store, book, acknowledged } = await killed(scene, 5)
        const stored = new Set(await allKeys(store, book))
        const lost = [...acknowledged].filter(key => !stored.has(key))
        // While a sync is under way Redis keeps writes back, for up to two seconds.
        console.log(`${lost.length} of ${acknowledged.size} acknowledged were lost in 5 kills`)
        for (const key of lost) expect(stored).not.toContain(nextOf(key))
        expect(await store.account(book, 'a')).toMatchObject({ posted: BigInt(stored.size) })
        await expectSound(store, book)
      }),
    1_200_000,
  )

  it('has lost it without an append-only file', () =>
    withRedis([], async scene => {
      const { store, book, acknowledged } = await killed(scene, 1)
      expect(acknowledged.size).toBeGreaterThan(0)
      expect(await allKeys(store, book)).toStrictEqual([])
    }))

  it('answers again what it answered before', () =>
    withRedis(ALWAYS, async ({ server, client }) => {
      const book = newBook()
      const store = await RedisStore.open({ client })
      const list = [open('w', null), open('a'), transfer('t', leg('w', 'a', 1n))]
      const before = await store.apply(book, list, NEVER)
      await server.kill()
      await server.start()
      const again = before.map(outcome => ({ ...outcome, replayed: true }))
      expect(await store.apply(book, list, NEVER)).toStrictEqual(again)
    }))
})

describe.skipIf(!HAS_REDIS_SERVER)('a Redis that may forget', () => {
  const forgetful: [why: string, options: readonly string[]][] = [
    ['appendonly is not yes', []],
    [
      'maxmemory-policy is allkeys-lru, not noeviction',
      ['--appendonly', 'yes', '--maxmemory', '1gb', '--maxmemory-policy', 'allkeys-lru'],
    ],
  ]
  it.each(forgetful)('is refused: %s', (why, options) =>
    withRedis(options, async ({ client }) => {
      const refused = RedisStore.open({ client })
      await expect(refused).rejects.toThrow(RedisNotDurable)
      await expect(refused).rejects.toThrow(why)
      await RedisStore.open({ client, mayForget: true })
    }),
  )

  it('takes no list once it has started again so, and nothing is done', () =>
    withRedis([...ALWAYS, '--enable-debug-command', 'local'], async ({ client }) => {
      const book = newBook()
      const store = await RedisStore.open({ client })
      await store.apply(book, [open('w', null), open('a')], NEVER)
      await client.configSet('appendonly', 'no')
      // What a start does to a server's history, without one.
      await client.sendCommand(['DEBUG', 'CHANGE-REPL-ID'])
      const list = [transfer('t', leg('w', 'a', 1n))]
      await expect(store.apply(book, list, NEVER)).rejects.toThrow(ListNotApplied)
      await client.configSet('appendonly', 'yes')
      expect(await store.movements(book, 't')).toStrictEqual([])
      expect(await store.apply(book, list, NEVER)).toMatchObject([{ ok: true, replayed: false }])
    }))
})

describe.skipIf(!HAS_REDIS_SERVER)('a Redis that cannot write', () => {
  it('does nothing of a list where memory runs out, and says so', () =>
    withRedis(ALWAYS, async ({ client }) => {
      const book = newBook()
      const store = await RedisStore.open({ client })
      await store.apply(book, [open('w', null), open('a')], NEVER)
      await client.configSet('maxmemory', '1')
      const list = [transfer('t', leg('w', 'a', 1n)), open('b')]
      await expect(store.apply(book, list, NEVER)).rejects.toThrow(ListNotApplied)
      await client.configSet('maxmemory', '0')
      expect(await store.account(book, 'b')).toBeNull()
      expect(await store.account(book, 'a')).toMatchObject({ posted: 0n })
    }))

  it('does nothing of a list as a replica', () =>
    withRedis(ALWAYS, async ({ client }) => {
      const book = newBook()
      const store = await RedisStore.open({ client })
      await store.apply(book, [open('w', null), open('a')], NEVER)
      await client.sendCommand(['REPLICAOF', '127.0.0.1', '1'])
      const list = [transfer('t', leg('w', 'a', 1n))]
      await expect(store.apply(book, list, NEVER)).rejects.toThrow(Error)
      await client.sendCommand(['REPLICAOF', 'NO', 'ONE'])
      expect(await store.movements(book, 't')).toStrictEqual([])
      expect(await store.apply(book, list, NEVER)).toMatchObject([{ ok: true, replayed: false }])
    }))
})

/** What the same caller asked for next. */
function nextOf(key: string): string {
  return key.replace(/\d+$/, count => String(Number(count) + 1))
}

/** Kills the server under load so many times; gives what was acknowledged before. */
async function killed({ server, client }: Scene, kills: number) {
  const book = newBook()
  const store = await RedisStore.open({ client, mayForget: true })
  await store.apply(book, [open('w', null), open('a')], NEVER)
  const acknowledged = new Set<string>()
  for (let round = 0; round < kills; round += 1) {
    const child = startChild(WRITER, [server.url, book, String(round), String(CALLERS)])
    await child.until(/\n/)
    await sleep(Math.random() * LIFE_MS_MAX)
    await server.kill()
    const { output } = await child.ended
    // The last line may be cut off.
    for (const key of output.split('\n').slice(0, -1)) acknowledged.add(key)
    await server.start()
  }
  return { store, book, acknowledged }
}

async function allKeys(store: RedisStore, book: string): Promise<string[]> {
  const keys: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < 10_000; page += 1) {
    const { movements, next } = await store.feed(book, cursor, 1_000)
    if (movements.length === 0) return keys
    keys.push(...movements.map(movement => movement.key))
    cursor = next
  }
  throw new Error('the feed does not end')
}
