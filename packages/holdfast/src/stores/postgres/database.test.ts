import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from '#testing/database.ts'
import { freshFolder, type FreshFolder } from '#testing/pglite.ts'
import { sqlState, TransactionAborted, type Database, type Queryable } from './database.ts'
import { openPostgres, postgresDatabase } from './pg-database.ts'
import { openPglite } from './pglite/open-pglite.ts'

let server: FreshDatabase
let folder: FreshFolder
beforeAll(async () => {
  ;[server, folder] = await Promise.all([freshDatabase(), freshFolder()])
})
afterAll(async () => {
  await server.drop()
  folder.remove()
})

const kinds = {
  postgres: () => openPostgres(server.url),
  pglite: () => openPglite(folder.folder),
}

describe.each(['postgres', 'pglite'] as const)('the database on %s', kind => {
  let database: Database
  beforeAll(async () => {
    database = await kinds[kind]()
    await database.exec('create table t (id bigint primary key); create table u (id bigint)')
  })
  afterAll(async () => {
    await database.close()
  })

  test('says what it is', () => {
    expect(database.kind).toBe(kind)
  })

  test.each([
    ['9223372036854775807::int8', 9223372036854775807n],
    ['-5::int8', -5n],
    ['7::int4', 7],
    ['0.10::numeric', '0.10'],
    ['1.5::float8', 1.5],
    ['true', true],
    ['null::int8', null],
    [`'{"a": 9007199254740993}'::jsonb`, '{"a": 9007199254740993}'],
    [`'{"a":1}'::json`, '{"a":1}'],
    [`timestamptz '2026-11-30 09:00:00.1239+05:30'`, '2026-11-30T03:30:00.123Z'],
    [`timestamptz '0099-01-01 00:00:00+00'`, '0099-01-01T00:00:00.000Z'],
    [`date '2026-11-30'`, '2026-11-30'],
    [`timestamp '2026-11-30 09:00:00'`, '2026-11-30 09:00:00'],
    [`'\\x00ff'::bytea`, new Uint8Array([0, 255])],
    ['array[1, null, 9007199254740993]::int8[]', [1n, null, 9007199254740993n]],
    [
      'array[[1, 2], [3, 4]]::int8[]',
      [
        [1n, 2n],
        [3n, 4n],
      ],
    ],
    [`'[0:1]={5,6}'::int8[]`, [5n, 6n]],
    [`'{}'::int8[]`, []],
    [`array['a "b"', 'NULL', '', '\\', '{,}']`, ['a "b"', 'NULL', '', '\\', '{,}']],
    ['array[0.10]::numeric[]', ['0.10']],
    [`array[timestamptz '2026-11-30 09:00:00Z']`, ['2026-11-30T09:00:00.000Z']],
    [`array['{"a":1}']::jsonb[]`, ['{"a": 1}']],
  ])('reads %s', async (sql, value) => {
    const { rows } = await database.query(`select ${sql} as value`)
    expect(rows).toEqual([{ value }])
  })

  test('takes values, a bigint among them', async () => {
    const { rows } = await database.query(
      `select $1::int8 as a, $2::int8[] as b, $3::text as c, $4::jsonb as d, $5::timestamptz as e,
        $6::bool as f, $7::bytea as g, $8::int8 as h`,
      [2n ** 62n, [1n, null], 'text', '{"x": 1}', '2026-11-30T09:00:00.000Z', true, bytes(), null],
    )
    expect(rows[0]).toEqual({
      a: 2n ** 62n,
      b: [1n, null],
      c: 'text',
      d: '{"x": 1}',
      e: '2026-11-30T09:00:00.000Z',
      f: true,
      g: bytes(),
      h: null,
    })
  })

  test('throws on an instant that is none', async () => {
    await expect(database.query(`select 'infinity'::timestamptz`)).rejects.toThrow('infinity')
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('commits a transaction and gives its answer', async () => {
    const answer = await database.transaction(async tx => {
      await tx.query('insert into t values (1)')
      return (await tx.query(`select current_setting('transaction_isolation') as level`)).rows
    })
    expect(answer).toEqual([{ level: 'read committed' }])
    expect(await ids(database)).toContain(1n)
  })

  test('rolls a transaction back where it throws, and throws the same', async () => {
    const bug = new Error('bug')
    const thrown = database.transaction(async tx => {
      await tx.query('insert into t values (2)')
      throw bug
    })
    await expect(thrown).rejects.toBe(bug)
    expect(await ids(database)).not.toContain(2n)
  })

  test('does not commit in silence what a swallowed error has undone', async () => {
    const swallowed = database.transaction(async tx => {
      await tx.query('insert into t values (3)')
      await tx.query('insert into t values (3)').catch(() => undefined)
    })
    await expect(swallowed).rejects.toThrow(TransactionAborted)
    expect(await ids(database)).not.toContain(3n)
  })

  test('refuses a transaction that has ended', async () => {
    let kept: Queryable | undefined
    await database.transaction(async tx => {
      kept = tx
      await tx.query('select 1')
    })
    await expect(kept?.query('select 1')).rejects.toThrow('has ended')
  })

  test('runs a script whole or not at all', async () => {
    await expect(
      database.exec('insert into u values (1); insert into nowhere values (1)'),
    ).rejects.toThrow('nowhere')
    expect((await database.query('select * from u')).rows).toEqual([])
  })

  test('is not left inside a transaction by a script that fails after its own BEGIN', async () => {
    await expect(database.exec('begin; insert into u values (1); select nowhere')).rejects.toThrow(
      'nowhere',
    )
    await Promise.all(Array.from({ length: 8 }, () => database.query('select 1')))
    expect((await database.query('select * from u')).rows).toEqual([])
  })

  test('gives the SQLSTATE of an error, however it is wrapped', async () => {
    await database.exec('insert into t values (4)')
    const error: unknown = await database.query('insert into t values (4)').catch((e: unknown) => e)
    expect(sqlState(error)).toBe('23505')
    expect(sqlState(new Error('wrapped', { cause: new Error('twice', { cause: error }) }))).toBe(
      '23505',
    )
  })
})

test('the SQLSTATE is not that of the operating system, and the way to it has an end', () => {
  expect(sqlState(Object.assign(new Error('broken'), { code: 'EPIPE', errno: -32 }))).toBeNull()
  expect(sqlState(null)).toBeNull()
  const circle = new Error('circle')
  circle.cause = circle
  expect(sqlState(circle)).toBeNull()
})

describe('PGlite', () => {
  let database: Database
  beforeAll(async () => {
    database = await openPglite(folder.folder)
  })
  afterAll(async () => {
    await database.close()
  })

  test('throws where a statement inside a transaction goes past its tx', async () => {
    const stuck = database.transaction(() => database.query('select 1'))
    await expect(stuck).rejects.toThrow('through its tx')
    const nested = database.transaction(() => database.transaction(tx => tx.query('select 1')))
    await expect(nested).rejects.toThrow('through its tx')
  })

  test('lets others wait for a transaction', async () => {
    const order: string[] = []
    const first = database.transaction(async tx => {
      await tx.query('select pg_sleep(0.05)')
      order.push('transaction')
    })
    await Promise.all([first, database.query('select 1').then(() => order.push('query'))])
    expect(order).toEqual(['transaction', 'query'])
  })
})

describe('a pool of pg', () => {
  test('is given back the client of a failed statement, and not that of a lost connection', async () => {
    const pool = new Pool({ connectionString: server.url, max: 1 })
    const database = postgresDatabase(pool)
    const pid = () => database.query('select pg_backend_pid() as pid')
    const before = await pid()
    await expect(database.query('select nowhere')).rejects.toThrow('nowhere')
    expect(await pid()).toEqual(before)
    await expect(database.query('select pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
    expect(await pid()).not.toEqual(before)
    await pool.end()
  })

  test('outlives the loss of a connection, idle or inside a transaction', async () => {
    const pool = new Pool({ connectionString: server.url, max: 2 })
    const database = postgresDatabase(pool)
    const lost = database.transaction(async tx => {
      const { rows } = await tx.query('select pg_backend_pid() as pid')
      await database.query('select pg_terminate_backend($1)', [rows[0]?.['pid']])
      await tx.query('select 1')
    })
    await expect(lost).rejects.toThrow()
    const killIdle = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    await Promise.all([database.query('select 1'), database.query('select 1')])
    await database.query(killIdle)
    expect((await database.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await pool.end()
  })

  test('keeps its own readers of columns, and stays open after close', async () => {
    const pool = new Pool({ connectionString: server.url })
    const database = postgresDatabase(pool)
    await database.query('select 1::int8')
    await database.close()
    expect((await pool.query('select 1::int8 as one')).rows).toEqual([{ one: '1' }])
    await pool.end()
  })
})

test('a server that is not there is an error and no SQLSTATE', async () => {
  const database = await openPostgres('postgres://nobody:secret@127.0.0.1:1/nothing')
  const error: unknown = await database.query('select 1').catch((e: unknown) => e)
  expect(error).toBeInstanceOf(Error)
  expect(sqlState(error)).toBeNull()
  await database.close()
})

async function ids(database: Database): Promise<unknown[]> {
  const { rows } = await database.query('select id from t')
  return rows.map(row => row['id'])
}

function bytes(): Uint8Array {
  return new Uint8Array([1, 2, 255])
}
