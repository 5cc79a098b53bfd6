import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, leg, NEVER, open, settle, transfer } from '../../../test/support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from '../../../test/support/postgres.ts'
import { movementOf } from '../../../test/support/subject.ts'
import { addMs } from '../../instant.ts'
import { ListNotApplied, RetryTransaction } from '../../ledger/store.ts'
import type { Queryable } from './database.ts'
import { PostgresStore } from './postgres-store.ts'

// The contract is tested by the conformance suite; here stands what only this store can show.

const pay = transfer('t', leg('w', 'a', 1n))

/** A connection that answers every statement with the same error. */
function failing(error: Error): Queryable {
  return { query: () => Promise.reject(error) }
}

/** An error as a Postgres server reports it. */
function reported(code: string): Error {
  return Object.assign(new Error(`SQLSTATE ${code}`), { code, severity: 'ERROR' })
}

describe('an error of the database', () => {
  it.each([
    ['40001', 'conflict'],
    ['40P01', 'conflict'],
    ['55P03', 'conflict'],
    ['HF001', 'conflict'],
    ['HF002', 'deadline'],
    ['HF003', 'failed'],
    ['22003', 'failed'],
    ['23505', 'conflict'],
    ['25006', 'failed'],
    ['42501', 'failed'],
    ['42P01', 'failed'],
    ['53100', 'failed'],
  ])('%s: the list certainly did nothing (%s)', async (code, reason) => {
    const error = reported(code)
    const applied = new PostgresStore(failing(error)).apply('book', [pay], NEVER)
    await expect(applied).rejects.toThrow(ListNotApplied)
    await expect(applied).rejects.toMatchObject({ reason, cause: error })
  })

  it.each([
    reported('08006'),
    reported('40003'),
    reported('57P01'),
    reported('57014'),
    reported('58030'),
    reported('XX000'),
    new Error('Connection terminated unexpectedly'),
    Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
    Object.assign(new Error('write EPIPE'), { code: 'EPIPE', severity: undefined }),
  ])('$message: nobody can tell, so it is thrown as it is', async error => {
    const applied = new PostgresStore(failing(error)).apply('book', [pay], NEVER)
    await expect(applied).rejects.toBe(error)
  })

  it.each(['40001', '40P01', '55P03', 'HF001'])(
    '%s within a transaction of the caller: run it again',
    async code => {
      const store = new PostgresStore(failing(new Error('not used')))
      // As a toolkit hands it on, inside an error of its own.
      const wrapped = new Error('Failed query', { cause: reported(code) })
      const applied = store.applyWithin(failing(wrapped), 'book', [pay])
      await expect(applied).rejects.toThrow(RetryTransaction)
      await expect(applied).rejects.toMatchObject({ cause: wrapped })
    },
  )

  it.each(['HF003', '25P02', '08006'])('%s within a transaction: as it is', async code => {
    const error = reported(code)
    const applied = new PostgresStore(failing(error)).applyWithin(failing(error), 'book', [pay])
    await expect(applied).rejects.toBe(error)
  })
})

it('sends nothing where every command is ill-formed', async () => {
  const store = new PostgresStore(failing(new Error('not to be asked')))
  expect(await store.apply('book', [transfer('', leg('w', 'a', 1n))], NEVER)).toMatchObject([
    { refusal: { code: 'INVALID_KEY' } },
  ])
  expect(await store.apply('book', [], NEVER)).toStrictEqual([])
})

it('takes no answer for an answer that is too short', async () => {
  const silent: Queryable = { query: () => Promise.resolve({ rows: [] }) }
  await expect(new PostgresStore(silent).apply('book', [pay], NEVER)).rejects.toThrow(
    /recorded: text was expected/,
  )
  const row = { recorded: '2026-11-30T09:00:00.000Z', codes: 'OK', moved: '{1}', more: null }
  const short: Queryable = { query: () => Promise.resolve({ rows: [row] }) }
  await expect(new PostgresStore(short).apply('book', [pay, pay], NEVER)).rejects.toThrow(
    /fewer answers/,
  )
})

it.each(['', 'a b', 'Money', '1st', 'a"b', 'x'.repeat(64)])(
  'throws a RangeError for the schema %j',
  schema => {
    expect(() => new PostgresStore(failing(new Error('not used')), schema)).toThrow(RangeError)
  },
)

describe('on a server', () => {
  let server: PostgresDatabase
  beforeAll(async () => {
    server = await migratedDatabase()
  })
  afterAll(() => server.close())

  it('does a list in one statement', async () => {
    const statements: string[] = []
    const counted: Queryable = {
      query(text, values) {
        statements.push(text)
        return server.database.query(text, values)
      },
    }
    const store = new PostgresStore(counted)
    const list = [
      open('w', null),
      open('a'),
      pay,
      hold('h', leg('a', 'w', 1n)),
      settle('h'),
      transfer('refused', leg('a', 'w', 1n)),
      transfer('', leg('a', 'w', 1n)),
    ]
    expect(await store.apply('one', list, NEVER)).toHaveLength(list.length)
    expect(statements).toHaveLength(1)
  })

  it('never lets the times of an account go back, also where the clock does', async () => {
    const store = new PostgresStore(server.database)
    await store.apply('clock', [open('w', null), open('a'), pay], NEVER)
    // As if the clock had been an hour ahead when the account was written.
    const ahead = addMs(await store.now(), 3_600_000)
    await server.database.query(
      "update holdfast.account set recorded = $1 where book = 'clock' and id = 'a'",
      [ahead],
    )
    const later = [transfer('t2', leg('w', 'a', 1n)), transfer('t3', leg('w', 'a', 1n))]
    const [second, third] = (await store.apply('clock', later, NEVER)).map(movementOf)
    expect([second?.recorded, third?.recorded]).toStrictEqual([ahead, ahead])
    const [elsewhere] = await store.apply(
      'clock',
      [open('b'), transfer('t4', leg('w', 'b', 1n))],
      NEVER,
    )
    expect(elsewhere).toMatchObject({ ok: true })
    const entries = await store.entries('clock', 'w', { limit: 10 })
    expect(entries.map(entry => entry.recorded >= ahead)).toStrictEqual([true, true, true, false])
  })

  it('closes an account without a line, and remembers when', async () => {
    const store = new PostgresStore(server.database)
    await store.apply('closing', [open('a'), { do: 'close', account: 'a' }], NEVER)
    expect(await store.account('closing', 'a')).toMatchObject({ closed: true, version: 0n })
  })

  it.each([
    [
      'a balance beyond the limit',
      "update holdfast.account set posted = -9223372036854775808 where book = 'checks'",
    ],
    ['held below zero', "update holdfast.account set held = -1 where book = 'checks'"],
    [
      'available beyond the limit',
      "update holdfast.account set posted = -9223372036854775807, held = 1 where book = 'checks'",
    ],
    [
      'the end of a hold as part 0',
      `insert into holdfast.movement (book, key, part, kind, legs, moved, recorded, seq, transaction)
        values ('checks', 'k', 0, 'settle', '[]', '{}', now(), 0, 0)`,
    ],
    [
      'a key twice',
      `insert into holdfast.movement (book, key, part, kind, legs, moved, recorded, seq, transaction)
        select book, key, part, kind, legs, moved, recorded, -1, 0 from holdfast.movement
        where book = 'checks'`,
    ],
    [
      'a version twice',
      `insert into holdfast.entry select * from holdfast.entry where book = 'checks'`,
    ],
  ])('the last line of defence holds: %s', async (_, sql) => {
    const store = new PostgresStore(server.database)
    await store.apply('checks', [open('w', null), open('a'), pay], NEVER)
    await expect(server.database.query(sql)).rejects.toMatchObject({
      code: expect.stringMatching(/^23/) as string,
    })
  })

  it('writes nothing where an account does not change as was decided', async () => {
    const store = new PostgresStore(server.database)
    await store.apply('stuck', [open('w', null), open('a')], NEVER)
    await server.database.exec(`
      create function holdfast.keep_as_it_is() returns trigger language plpgsql as
        'begin return null; end';
      create trigger stuck before update on holdfast.account for each row
        when (old.book = 'stuck') execute function holdfast.keep_as_it_is()`)
    const applied = store.apply('stuck', [pay], NEVER)
    await expect(applied).rejects.toMatchObject({ reason: 'failed', cause: { code: 'HF005' } })
    expect(await store.movements('stuck', pay.key)).toStrictEqual([])
  })
})
