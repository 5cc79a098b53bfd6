import { freshDatabase, type FreshDatabase } from '#testing/database.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { leg, NEVER, open, transfer } from '../../../test/support/commands.ts'
import type { Database } from './database.ts'
import { migrate, migrations, migrationScript } from './migrate.ts'
import { openPostgres } from './pg-database.ts'
import { PostgresStore } from './postgres-store.ts'

let fresh: FreshDatabase
let database: Database

beforeEach(async () => {
  fresh = await freshDatabase()
  database = await openPostgres(fresh.url)
})
afterEach(async () => {
  await database.close()
  await fresh.drop()
})

const names = migrations().map(({ name }) => name)

/** What a schema consists of, without its name. */
async function shapeOf(schema: string): Promise<unknown> {
  const { rows } = await database.query(
    `select 'column' as what, table_name || '.' || column_name || ' ' || data_type as name
      from information_schema.columns where table_schema = $1
    union all
    select 'function', routine_name from information_schema.routines where routine_schema = $1
    union all
    select 'index', replace(indexdef, $1, '') from pg_indexes where schemaname = $1
    union all
    select 'trigger', trigger_name || ' ' || event_manipulation from information_schema.triggers
      where trigger_schema = $1
    order by 1, 2`,
    [schema],
  )
  return rows
}

it('runs every migration once, in order', async () => {
  expect(await migrate(database)).toStrictEqual(names)
  expect(await migrate(database)).toStrictEqual([])
  const { rows } = await database.query('select name from holdfast.migration order by name')
  expect(rows.map(row => row['name'])).toStrictEqual(names)
})

it('lets one of several that start at once run each', async () => {
  const others = await Promise.all(Array.from({ length: 6 }, () => openPostgres(fresh.url)))
  const ran = await Promise.all(others.map(other => migrate(other)))
  expect(ran.flat().sort()).toStrictEqual(names)
  await Promise.all(others.map(other => other.close()))
})

it('keeps schemas apart in one database', async () => {
  await migrate(database, 'one')
  await migrate(database, 'two')
  const [one, two] = [new PostgresStore(database, 'one'), new PostgresStore(database, 'two')]
  await one.apply('book', [open('w', null), open('a'), transfer('t', leg('w', 'a', 5n))], NEVER)
  expect(await two.books()).toStrictEqual([])
  await two.apply('book', [open('w', null), open('a'), transfer('t', leg('w', 'a', 7n))], NEVER)
  expect(await one.account('book', 'a')).toMatchObject({ posted: 5n })
  expect(await two.account('book', 'a')).toMatchObject({ posted: 7n })
  expect(await shapeOf('one')).toStrictEqual(await shapeOf('two'))
})

it('gives a script that makes the same, and that migrate takes as done', async () => {
  await migrate(database, 'by_hand')
  await database.exec(migrationScript('by_script'))
  expect(await shapeOf('by_script')).toStrictEqual(await shapeOf('by_hand'))
  expect(await migrate(database, 'by_script')).toStrictEqual([])
})

it('leaves nothing of a migration that fails, and goes on from there the next time', async () => {
  await database.exec('create schema holdfast; create table holdfast.entry (in_the_way text)')
  await expect(migrate(database)).rejects.toMatchObject({ code: '42P07' })
  const { rows } = await database.query(
    "select table_name from information_schema.tables where table_schema = 'holdfast' order by 1",
  )
  expect(rows.map(row => row['table_name'])).toStrictEqual(['entry', 'migration'])
  await database.exec('drop table holdfast.entry')
  expect(await migrate(database)).toStrictEqual(names)
})

it.each(['', 'Holdfast', 'a b', 'x"; drop schema public; --', '1a', 'x'.repeat(64)])(
  'throws a RangeError for the schema %j, and sends nothing',
  async schema => {
    await expect(migrate(database, schema)).rejects.toThrow(RangeError)
    expect(() => migrationScript(schema)).toThrow(RangeError)
  },
)
