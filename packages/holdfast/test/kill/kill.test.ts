import { startChild } from '#testing/child.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startPrivatePostgres } from '../../../server/src/private-postgres/private-postgres.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { leg, NEVER, open, transfer } from '../support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { rounds } from '#testing/rounds.ts'
import { expectSound } from '../support/sound.ts'
import { newBook } from '../support/subject.ts'

const WRITER = new URL('./writer.ts', import.meta.url)
const CALLERS = 20
/** A kill comes so long after the first acknowledgement, at most. */
const LIFE_MS_MAX = 150
const TRIES_MAX = 200

let server: PostgresDatabase
beforeAll(async () => {
  server = await migratedDatabase()
})
afterAll(() => server.close())

it('a writing process that is killed loses nothing that was acknowledged', async () => {
  const book = newBook()
  const store = new PostgresStore(server.database)
  await store.apply(book, [open('w', null), open('a')], NEVER)
  const acknowledged = new Set<string>()
  for (let round = 0; round < rounds({ usual: 5, long: 200 }); round += 1) {
    const child = startChild(WRITER, [server.url, book, String(round), String(CALLERS)])
    await child.until(/\n/)
    await sleep(Math.random() * LIFE_MS_MAX)
    child.process.kill('SIGKILL')
    const { output } = await child.ended
    // The last line may be cut off.
    for (const key of output.split('\n').slice(0, -1)) acknowledged.add(key)
  }
  const stored: string[] = []
  let cursor: string | null = null
  for (let page = 0; page < 10_000; page += 1) {
    const { movements, next } = await store.feed(book, cursor, 1_000)
    if (movements.length === 0) break
    stored.push(...movements.map(movement => movement.key))
    cursor = next
  }
  expect([...acknowledged].filter(key => !stored.includes(key))).toStrictEqual([])
  expect(new Set(stored).size).toBe(stored.length)
  expect(await store.account(book, 'a')).toMatchObject({ posted: BigInt(stored.length) })
  await expectSound(store, book)
}, 1_200_000)

it('a server that is stopped at once loses nothing, and nothing is moved twice', async () => {
  const postgres = await startPrivatePostgres()
  const database = await openPostgres(postgres.url)
  try {
    await migrate(database)
    const store = new PostgresStore(database)
    const ledger = new Ledger({ store, book: 'book' })
    await ledger.apply([open('w', null), open('a')])
    const progress = { stopping: false }
    let moved = 0
    /** Sends a command until it is answered, however often the server goes away. */
    const surely = async (key: string) => {
      for (let tries = 0; tries < TRIES_MAX; tries += 1) {
        const outcome = await ledger
          .submit(transfer(key, leg('w', 'a', 1n)))
          .catch(() => sleep(50).then(() => null))
        if (outcome === null) continue
        expect(outcome.ok).toBe(true)
        moved += 1
        return
      }
      throw new Error(`${key} was never answered`)
    }
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let count = 0; !progress.stopping; count += 1) await surely(`${caller}-${count}`)
    })
    for (let round = 0; round < rounds({ usual: 2, long: 50 }); round += 1) {
      await sleep(300 + Math.random() * 300)
      await postgres.stopNow()
      await postgres.start()
    }
    progress.stopping = true
    await Promise.all(callers)
    const posted = BigInt(moved)
    expect(await ledger.account('a')).toMatchObject({ posted, version: posted })
    await expectSound(store, 'book')
  } finally {
    await database.close()
    await postgres.stop()
  }
}, 1_200_000)
