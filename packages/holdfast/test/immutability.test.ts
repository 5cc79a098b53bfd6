import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sqlState, type Database } from '../src/stores/postgres/database.ts'
import { grantRuntime, migrate } from '../src/stores/postgres/migrate.ts'
import { openPostgres } from '../src/stores/postgres/pg-database.ts'
import { openPglite } from '../src/stores/postgres/pglite/open-pglite.ts'
import { PostgresStore } from '../src/stores/postgres/postgres-store.ts'
import { hold, leg, NEVER, open, settle, transfer } from './support/commands.ts'
import {
  createRole,
  migratedDatabase,
  type PostgresDatabase,
  type Role,
} from './support/postgres.ts'

const NEVER_CHANGES = 'HF004'
const NO_PRIVILEGE = '42501'
const TABLES = ['movement', 'entry'] as const

/** Every way to change or to lose a row, also where it meets none. */
function changes(table: string): string[] {
  return [
    `update holdfast.${table} set key = 'x'`,
    `update holdfast.${table} set recorded = now() where false`,
    `delete from holdfast.${table}`,
    `delete from holdfast.${table} where key = 'h'`,
    `truncate holdfast.${table}`,
    `truncate holdfast.${table}, holdfast.account`,
  ]
}

async function fill(database: Database): Promise<PostgresStore> {
  const store = new PostgresStore(database)
  const list = [
    open('w', null),
    open('a'),
    transfer('t', leg('w', 'a', 5n)),
    hold('h', leg('a', 'w', 5n)),
    settle('h'),
  ]
  const outcomes = await store.apply('book', list, NEVER)
  expect(outcomes.every(outcome => outcome.ok)).toBe(true)
  return store
}

async function stateOf(running: Promise<unknown>): Promise<string | null> {
  return sqlState(
    await running.then(
      () => new Error('it was carried out'),
      (error: unknown) => error,
    ),
  )
}

describe.each([
  ['Postgres', migratedDatabase],
  [
    'PGlite',
    async () => {
      const database = await openPglite('memory://')
      await migrate(database)
      return { database, close: () => database.close() }
    },
  ],
] as const)('on %s, for the owner of the tables', (_, make) => {
  let database: Database
  let closeAll: () => Promise<void>
  let store: PostgresStore
  beforeAll(async () => {
    const made = await make()
    database = made.database
    closeAll = made.close
    store = await fill(database)
  })
  afterAll(() => closeAll())

  it.each(TABLES.flatMap(changes))('%s: refused, and nothing has changed', async sql => {
    const before = [await store.feed('book', null, 100), await store.allEntries('book', null, 100)]
    const running = database.query(sql)
    expect(await stateOf(running)).toBe(NEVER_CHANGES)
    await expect(running).rejects.toThrow(/(movement|entry) never changes and never disappears/)
    const after = [await store.feed('book', null, 100), await store.allEntries('book', null, 100)]
    expect(after[1]).toStrictEqual(before[1])
    expect(after[0]).toMatchObject({ movements: (before[0] as { movements: unknown }).movements })
  })
})

describe('for the role that a program runs as', () => {
  let owner: PostgresDatabase
  let role: Role
  let database: Database
  beforeAll(async () => {
    owner = await migratedDatabase()
    role = await createRole(owner)
    database = await openPostgres(role.url)
  })
  afterAll(async () => {
    await database.close()
    await role.drop()
    await owner.close()
  })

  it('nothing is allowed before it is granted', async () => {
    expect(await stateOf(database.query('select * from holdfast.account'))).toBe(NO_PRIVILEGE)
  })

  it.each([
    ...TABLES.flatMap(changes),
    'delete from holdfast.account',
    'truncate holdfast.account',
    "insert into holdfast.migration (name) values ('9999-x')",
    'delete from holdfast.migration',
    'alter table holdfast.movement disable trigger all',
    'drop trigger movement_is_immutable on holdfast.movement',
    'drop table holdfast.entry',
    'create table holdfast.other (id text)',
    'set session_replication_role = replica',
  ])('%s: no privilege', async sql => {
    await grantRuntime(owner.database, 'holdfast', role.name)
    expect(await stateOf(database.query(sql))).toBe(NO_PRIVILEGE)
  })

  it('what it needs is allowed, and may be granted again', async () => {
    await grantRuntime(owner.database, 'holdfast', role.name)
    await grantRuntime(owner.database, 'holdfast', role.name)
    const store = await fill(database)
    expect(await store.account('book', 'a')).toMatchObject({ posted: 0n, version: 3n })
  })

  it.each(['', 'Role', 'a b', 'a"; drop table x; --', '1a', 'x'.repeat(64), 'public.x'])(
    'a RangeError for %j as its name, or as the name of the schema',
    async name => {
      await expect(grantRuntime(owner.database, 'holdfast', name)).rejects.toThrow(RangeError)
      await expect(grantRuntime(owner.database, name, role.name)).rejects.toThrow(RangeError)
    },
  )
})
