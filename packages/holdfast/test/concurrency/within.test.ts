import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import pg from 'pg'
import type { Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { RetryTransaction } from '../../src/ledger/store.ts'
import { sqlState } from '../../src/stores/postgres/database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { close, hold, leg, open, settle, transfer } from '../support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { newBook } from '../support/subject.ts'
import { sessionsWaiting, until } from '../support/waiting.ts'

let server: PostgresDatabase
let pool: pg.Pool

beforeAll(async () => {
  server = await migratedDatabase()
  await server.database.exec('create table "order" (id text primary key, movement text)')
  pool = new pg.Pool({ connectionString: server.url, max: 8 })
})
afterAll(async () => {
  await pool.end()
  await server.close()
})

async function prepared(): Promise<Ledger<PostgresStore>> {
  const ledger = new Ledger({ store: new PostgresStore(server.database), book: newBook() })
  const outcomes = await ledger.apply([
    open('w', null),
    open('a'),
    open('b'),
    open('c'),
    transfer('in', leg('w', 'a', 100n)),
  ])
  expect(outcomes.every(outcome => outcome.ok)).toBe(true)
  return ledger
}

/** Runs in a transaction of the caller's own; it ends by `commit` or `rollback`, as they say. */
async function inTransaction<T>(
  run: (tx: pg.PoolClient) => Promise<T>,
  options: { begin?: string; end?: 'commit' | 'rollback' } = {},
): Promise<T> {
  const tx = await pool.connect()
  try {
    await tx.query(options.begin ?? 'begin')
    const answer = await run(tx)
    await tx.query(options.end ?? 'commit')
    return answer
  } catch (error) {
    await tx.query('rollback')
    throw error
  } finally {
    tx.release()
  }
}

const pay = transfer('pay', leg('a', 'b', 30n))

describe('a movement within a transaction of the caller', () => {
  const insert = 'insert into "order" (id, movement) values ($1, $2)'

  it('commits with the rows of the caller', async () => {
    const ledger = await prepared()
    const [outcome] = await inTransaction(async tx => {
      await tx.query(insert, [ledger.book, 'pay'])
      return ledger.within(tx).apply([pay])
    })
    expect(outcome).toMatchObject({ ok: true, replayed: false })
    expect(await ledger.account('b')).toMatchObject({ posted: 30n })
    expect((await ordersOf(ledger)).length).toBe(1)
  })

  it('rolls back with them', async () => {
    const ledger = await prepared()
    const seen = await inTransaction(
      async tx => {
        await tx.query(insert, [ledger.book, 'pay'])
        const [outcome] = await ledger.within(tx).apply([pay])
        return outcome
      },
      { end: 'rollback' },
    )
    expect(seen).toMatchObject({ ok: true, replayed: false })
    expect(await ledger.account('b')).toMatchObject({ posted: 0n, version: 0n })
    expect(await ledger.movements('pay')).toStrictEqual([])
    expect(await ordersOf(ledger)).toStrictEqual([])
  })

  it('that is refused leaves the transaction usable', async () => {
    const ledger = await prepared()
    const outcomes = await inTransaction(async tx => {
      const refused = await ledger
        .within(tx)
        .apply([transfer('much', leg('a', 'b', 101n)), close('')])
      await tx.query(insert, [ledger.book, 'refused'])
      return [...refused, ...(await ledger.within(tx).apply([pay]))]
    })
    expect(outcomes).toMatchObject([
      { refusal: { code: 'INSUFFICIENT_FUNDS' } },
      { refusal: { code: 'INVALID_ACCOUNT' } },
      { ok: true },
    ])
    expect((await ordersOf(ledger)).length).toBe(1)
  })

  it('sees what the transaction did before, list after list', async () => {
    const ledger = await prepared()
    const outcomes = await inTransaction(async tx => {
      const within = ledger.within(tx)
      return [
        ...(await within.apply([pay, hold('h', leg('b', 'c', 30n))])),
        ...(await within.apply([settle('h'), pay])),
      ]
    })
    expect(outcomes).toMatchObject([
      { replayed: false },
      { replayed: false },
      { replayed: false },
      { replayed: true },
    ])
    expect(await ledger.account('c')).toMatchObject({ posted: 30n })
  })

  it('is undone alone by a savepoint', async () => {
    const ledger = await prepared()
    await inTransaction(async tx => {
      await tx.query(insert, [ledger.book, 'kept'])
      await tx.query('savepoint before')
      await ledger.within(tx).apply([pay])
      await tx.query('rollback to savepoint before')
      await ledger.within(tx).apply([transfer('other', leg('a', 'b', 1n))])
    })
    expect(await ledger.account('b')).toMatchObject({ posted: 1n, version: 1n })
    const { movements } = await ledger.feed(null)
    expect(movements.map(movement => movement.key)).toStrictEqual(['in', 'other'])
  })

  it('throws a TypeError for what is no command, and does nothing', async () => {
    const ledger = await prepared()
    await inTransaction(async tx => {
      const bad = [pay, {} as unknown as Command]
      await expect(ledger.within(tx).apply(bad)).rejects.toThrow(TypeError)
    })
    expect(await ledger.movements('pay')).toStrictEqual([])
  })

  async function ordersOf(ledger: Ledger): Promise<unknown[]> {
    const { rows } = await pool.query<{ id: string }>('select id from "order" where id = $1', [
      ledger.book,
    ])
    return rows
  }
})

describe('a key that another transaction has used and not committed yet', () => {
  const elsewhere = transfer('k', leg('w', 'c', 7n))

  /** Sends `command` while a transaction holds the key, which then ends. */
  async function meeting(end: 'commit' | 'rollback', command: Command) {
    const ledger = await prepared()
    const { answer } = await inTransaction(
      async tx => {
        await ledger.within(tx).apply([elsewhere])
        const answer = ledger.submit(command)
        await sessionsWaiting(server.database, 1)
        return { answer }
      },
      { end },
    )
    return { ledger, outcome: await answer }
  }

  it('is waited for: then the stored answer', async () => {
    const { ledger, outcome } = await meeting('commit', elsewhere)
    expect(outcome).toMatchObject({ ok: true, replayed: true })
    expect(await ledger.account('c')).toMatchObject({ posted: 7n, version: 1n })
  })

  it('is waited for: then KEY_REUSED, also on accounts that nobody shares', async () => {
    const { ledger, outcome } = await meeting('commit', transfer('k', leg('a', 'b', 7n)))
    expect(outcome).toMatchObject({
      ok: false,
      refusal: { code: 'KEY_REUSED', fields: ['legs[0].from', 'legs[0].to'] },
    })
    expect(await ledger.account('b')).toMatchObject({ posted: 0n, version: 0n })
  })

  it.each([elsewhere, transfer('k', leg('a', 'b', 7n))])(
    'is free where that transaction rolls back',
    async command => {
      const { ledger, outcome } = await meeting('rollback', command)
      expect(outcome).toMatchObject({ ok: true, replayed: false })
      expect(await ledger.movements('k')).toHaveLength(1)
    },
  )

  it('throws RetryTransaction out of within; run again it is answered', async () => {
    const ledger = await prepared()
    const other = transfer('k', leg('a', 'b', 7n))
    let second: Promise<unknown> = Promise.resolve()
    await inTransaction(async tx => {
      await ledger.within(tx).apply([elsewhere])
      second = inTransaction(later => ledger.within(later).apply([other])).catch(
        (error: unknown) => error,
      )
      await sessionsWaiting(server.database, 1)
    })
    expect(await second).toBeInstanceOf(RetryTransaction)
    const again = await inTransaction(tx => ledger.within(tx).apply([other, elsewhere]))
    expect(again).toMatchObject([{ refusal: { code: 'KEY_REUSED' } }, { replayed: true }])
  })
})

it('throws RetryTransaction where a hold comes up while the list waits for its accounts', async () => {
  const ledger = await prepared()
  const list = [transfer('t', leg('a', 'w', 1n)), settle('late')]
  let second: Promise<unknown> = Promise.resolve()
  await inTransaction(async tx => {
    await ledger.within(tx).apply([hold('late', leg('a', 'b', 30n))])
    second = inTransaction(later => ledger.within(later).apply(list)).catch(
      (error: unknown) => error,
    )
    await sessionsWaiting(server.database, 1)
  })
  expect(await second).toBeInstanceOf(RetryTransaction)
  const again = await inTransaction(tx => ledger.within(tx).apply(list))
  expect(again).toMatchObject([{ replayed: false }, { replayed: false }])
  expect(await ledger.account('b')).toMatchObject({ posted: 30n })
})

it('gives one of two transactions that wait for each other a RetryTransaction', async () => {
  const ledger = await prepared()
  await ledger.apply([open('w2', null)])
  let begun = 0
  const cross = (...lists: Command[][]) =>
    inTransaction(async tx => {
      for (const list of lists) {
        await ledger.within(tx).apply(list)
        begun += 1
        await until(() => begun >= lists.length)
      }
    })
  const [here, there] = [leg('w', 'b', 1n), leg('w2', 'c', 1n)]
  const ends = await Promise.allSettled([
    cross([transfer('1', here)], [transfer('2', there)]),
    cross([transfer('3', there)], [transfer('4', here)]),
  ])
  const failed = ends.filter(end => end.status === 'rejected')
  expect(failed.map(end => end.reason as unknown)).toStrictEqual([expect.any(RetryTransaction)])
  expect((await ledger.feed(null)).movements).toHaveLength(3)
})

it.each(['repeatable read', 'serializable'])('refuses to run in %s, and says why', async level => {
  const ledger = await prepared()
  const running = inTransaction(tx => ledger.within(tx).apply([pay]), {
    begin: `begin isolation level ${level}`,
  })
  await expect(running).rejects.toThrow(/READ COMMITTED.*not/i)
  expect(sqlState(await running.catch((error: unknown) => error))).toBe('HF003')
  expect(await ledger.movements('pay')).toStrictEqual([])
})
