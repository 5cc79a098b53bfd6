import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { RetryTransaction } from '../../src/ledger/store.ts'
import { postgresDatabase } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { hold, leg, open, transfer } from '../support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { newBook } from '../support/subject.ts'
import { TOOLKITS } from '../support/toolkits.ts'
import { openTransaction, sessionsWaiting } from '../support/waiting.ts'

const TRIES_MAX = 3

let server: PostgresDatabase
let pool: pg.Pool
beforeAll(async () => {
  server = await migratedDatabase()
  pool = new pg.Pool({ connectionString: server.url })
})
afterAll(async () => {
  await pool.end()
  await server.close()
})

describe.each(TOOLKITS)('a request that is fired twice, through $name', ({ run }) => {
  const fired = transfer('k', leg('w', 'a', 7n))

  /** Fires while another transaction has used the key and waits with its commit. */
  async function fire(command: Command) {
    const store = new PostgresStore(postgresDatabase(pool))
    const ledger = new Ledger({ store, book: newBook() })
    await ledger.apply([open('w', null), open('a'), open('x', null), open('b')])
    const other = await openTransaction(server.database)
    await store.applyWithin(other.tx, ledger.book, [fired])
    let tries = 0
    const again = async (): Promise<unknown> => {
      tries += 1
      try {
        const [outcome] = await run(pool, tx => ledger.within(tx).apply([command]))
        return outcome
      } catch (error) {
        if (error instanceof RetryTransaction && tries < TRIES_MAX) return again()
        throw error
      }
    }
    const answer = again()
    await sessionsWaiting(server.database, 1)
    await other.commit()
    return { outcome: await answer, ledger }
  }

  it('is answered from what is stored', async () => {
    const { outcome, ledger } = await fire(fired)
    expect(outcome).toMatchObject({ ok: true, replayed: true })
    expect(await ledger.account('a')).toMatchObject({ posted: 7n, version: 1n })
  })

  // Nothing but the key is shared, so these two meet at its index: a unique violation.
  it.each([
    ['other accounts', transfer('k', leg('x', 'b', 7n))],
    ['another kind', hold('k', leg('x', 'b', 7n))],
  ])('with other content (%s) is refused', async (_, command) => {
    const { outcome, ledger } = await fire(command)
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'KEY_REUSED' } })
    expect(await ledger.account('b')).toMatchObject({ posted: 0n, version: 0n })
    expect(await ledger.account('x')).toMatchObject({ held: 0n })
  })
})
