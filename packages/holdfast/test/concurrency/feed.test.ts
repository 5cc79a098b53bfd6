import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Movement } from '../../src/ledger/movement.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { leg, NEVER, open, transfer } from '../support/commands.ts'
import { openPools, type Pools } from '../support/pools.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { newBook } from '../support/subject.ts'
import { openTransaction } from '../support/waiting.ts'

const PAGES_MAX = 10_000

let server: PostgresDatabase
let store: PostgresStore
let pools: Pools

beforeAll(async () => {
  server = await migratedDatabase()
  store = new PostgresStore(server.database)
  pools = await openPools(server.url, 4)
})
afterAll(async () => {
  await pools.close()
  await server.close()
})

async function prepared(): Promise<string> {
  const book = newBook()
  const opened = ['a', 'b', 'c', 'd', 'e', 'f'].map(id => open(id, null))
  await store.apply(book, opened, NEVER)
  return book
}

const t = (key: string, from: string, to: string) => transfer(key, leg(from, to, 1n))

async function page(book: string, after: string | null, limit = 100) {
  const { movements, next } = await store.feed(book, after, limit)
  return { keys: movements.map(movement => movement.key), next }
}

describe('a movement that commits late', () => {
  it('is not passed over: a reader that is past its place gets it when it is there', async () => {
    const book = await prepared()
    const late = await openTransaction(server.database)
    await store.applyWithin(late.tx, book, [t('late', 'a', 'b')])
    await store.apply(book, [t('early', 'c', 'd')], NEVER)
    const first = await page(book, null)
    expect(first.keys).toStrictEqual(['early'])
    const nothing = await page(book, first.next)
    expect(nothing.keys).toStrictEqual([])
    await late.commit()
    const second = await page(book, nothing.next)
    expect(second.keys).toStrictEqual(['late'])
    expect((await page(book, second.next)).keys).toStrictEqual([])
    // From the cursor before it, it is there as well; from the start all is there once.
    expect((await page(book, first.next)).keys).toStrictEqual(['late'])
    expect((await page(book, null)).keys).toStrictEqual(['late', 'early'])
  })

  it('in the middle of a page turn comes with a later page', async () => {
    const book = await prepared()
    const late = await openTransaction(server.database)
    await store.applyWithin(late.tx, book, [t('late', 'a', 'b')])
    await store.apply(book, [t('e1', 'c', 'd'), t('e2', 'c', 'd'), t('e3', 'c', 'd')], NEVER)
    const first = await page(book, null, 2)
    expect(first.keys).toStrictEqual(['e1', 'e2'])
    await late.commit()
    await store.apply(book, [t('e4', 'c', 'd')], NEVER)
    const rest = await readOn(book, first.next, 2)
    expect(rest).toStrictEqual(['e3', 'late', 'e4'])
  })

  it('and is rolled back is never seen', async () => {
    const book = await prepared()
    const undone = await openTransaction(server.database)
    await store.applyWithin(undone.tx, book, [t('undone', 'a', 'b')])
    await store.apply(book, [t('e1', 'c', 'd')], NEVER)
    const first = await page(book, null)
    await undone.rollback()
    await store.apply(book, [t('e2', 'c', 'd')], NEVER)
    expect(await readOn(book, first.next, 10)).toStrictEqual(['e2'])
  })

  it('comes before what was built on it', async () => {
    const book = await prepared()
    const late = await openTransaction(server.database)
    await store.applyWithin(late.tx, book, [t('cause', 'a', 'b')])
    const effect = store.apply(book, [t('effect', 'b', 'c')], NEVER)
    await store.apply(book, [t('other', 'e', 'f')], NEVER)
    const first = await page(book, null)
    await late.commit()
    await effect
    expect([...first.keys, ...(await readOn(book, first.next, 1))]).toStrictEqual([
      'other',
      'cause',
      'effect',
    ])
  })
})

it('gives a reader that reads along with four writers everything once, causes first', async () => {
  const book = await prepared()
  const ids = ['a', 'b', 'c', 'd', 'e', 'f']
  const progress = { writing: true }
  const writers = pools.stores.map(async (each, writer) => {
    for (let turn = 0; turn < 40; turn += 1) {
      const [from, to] = [
        ids[(turn * (writer + 1)) % 6] ?? 'a',
        ids[(turn + writer + 1) % 6] ?? 'b',
      ]
      if (from === to) continue
      const list = [t(`${writer}-${turn}`, from, to), t(`${writer}-${turn}-back`, to, from)]
      if (turn % 4 === 0) {
        const slow = await openTransaction(pools.databases[writer] ?? server.database)
        await each.applyWithin(slow.tx, book, list)
        await new Promise(resolve => setTimeout(resolve, 3))
        await slow.commit()
      } else await each.apply(book, list, NEVER)
    }
  })
  const finished = Promise.all(writers).then(() => {
    progress.writing = false
  })
  const read: Movement[] = []
  let cursor: string | null = null
  for (let turn = 1; turn < PAGES_MAX; turn += 1) {
    const last = !progress.writing
    const { movements, next } = await store.feed(book, cursor, (turn % 7) + 1)
    read.push(...movements)
    cursor = next
    if (last && movements.length === 0) break
  }
  await finished

  const whole = (await store.feed(book, null, 1000)).movements
  expect(read.map(movement => movement.key).sort()).toStrictEqual(
    whole.map(movement => movement.key).sort(),
  )
  const places = new Map(read.map((movement, place) => [movement.key, place]))
  for (const id of ids) {
    const entries = (await store.entries(book, id, { limit: 1000 })).reverse()
    const seen = entries.map(entry => places.get(entry.key) ?? -1)
    expect(seen).toStrictEqual([...seen].sort((first, second) => first - second))
  }
}, 120_000)

/** The keys of all pages after a cursor, until one is empty. */
async function readOn(book: string, after: string, limit: number): Promise<string[]> {
  const keys: string[] = []
  let cursor = after
  for (let turn = 0; turn < PAGES_MAX; turn += 1) {
    const read = await page(book, cursor, limit)
    if (read.keys.length === 0) return keys
    keys.push(...read.keys)
    cursor = read.next
  }
  throw new Error(`the feed did not end within ${PAGES_MAX} pages`)
}

describe('when the data comes to a server that counts its transactions anew', () => {
  /** As if the rows had been written on another server. */
  async function cameFromAnotherServer(database: Database) {
    await database.exec(`update holdfast.lineage set line = 'another/00000001'`)
  }

  /** As a dump leaves them: the rows keep their ids, which lie far above those of this server. */
  async function raiseIds(database: Database) {
    await database.exec(`
      begin;
      set local session_replication_role = replica;
      update holdfast.movement set transaction = transaction + 1000000000000;
      commit`)
  }

  it('a reader from the start, and one with an old cursor, miss nothing and get nothing twice', async () => {
    const own = await migratedDatabase()
    const [before, beforeAfter] = [server, store]
    server = own
    store = new PostgresStore(own.database)
    try {
      const book = await prepared()
      await store.apply(book, [t('t1', 'a', 'b'), t('t2', 'a', 'b')], NEVER)
      await raiseIds(own.database)
      await cameFromAnotherServer(own.database)
      // The cursor of a reader who had seen t1 and t2 when they came, and who is in a page turn.
      const { rows } = await own.database.query(
        `select max(transaction)::text as id from holdfast.movement`,
      )
      const id = BigInt(String(rows[0]?.['id']))
      const seenAll = `${id + 1n}:${id + 1n}:`
      const [old, turning] = [`${seenAll}//0`, `/${seenAll}/1`]

      expect((await page(book, null)).keys).toStrictEqual(['t1', 't2'])
      const idle = await page(book, old)
      expect(idle.keys).toStrictEqual([])
      await store.apply(book, [t('t3', 'c', 'd')], NEVER)
      expect((await page(book, null)).keys).toStrictEqual(['t1', 't2', 't3'])
      expect((await page(book, old)).keys).toStrictEqual(['t3'])
      expect((await page(book, idle.next)).keys).toStrictEqual(['t3'])
      expect(await readOn(book, turning, 2)).toStrictEqual(['t2', 't3'])
      expect(await readOn(book, '//0', 1)).toStrictEqual(['t1', 't2', 't3'])

      await cameFromAnotherServer(own.database)
      await store.apply(book, [t('t4', 'c', 'd')], NEVER)
      expect(await readOn(book, '//0', 2)).toStrictEqual(['t1', 't2', 't3', 't4'])
      expect(await readOn(book, old, 2)).toStrictEqual(['t3', 't4'])
    } finally {
      server = before
      store = beforeAfter
      await own.close()
    }
  })
})
