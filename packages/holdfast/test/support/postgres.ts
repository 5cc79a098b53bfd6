import { freshDatabase } from '#testing/database.ts'
import { randomBytes } from 'node:crypto'
import type { Database } from '../../src/stores/postgres/database.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'

/** A database of its own on a real server, with the schema of the ledger in it. */
export interface PostgresDatabase {
  readonly url: string
  readonly database: Database
  readonly close: () => Promise<void>
}

export async function migratedDatabase(schema?: string): Promise<PostgresDatabase> {
  const fresh = await freshDatabase()
  const { url } = fresh
  const database = await openPostgres(url)
  await migrate(database, schema)
  return {
    url,
    database,
    async close() {
      await database.close()
      await fresh.drop()
    },
  }
}

/** A role that may connect and nothing else, and the URL with which it does. */
export interface Role {
  readonly name: string
  readonly url: string
  /** To be called while the database is still there. */
  drop(): Promise<void>
}

export async function createRole({ url, database }: PostgresDatabase): Promise<Role> {
  const name = `runtime_${randomBytes(6).toString('hex')}`
  const password = randomBytes(12).toString('hex')
  await database.exec(`create role ${name} login password '${password}'`)
  const own = new URL(url)
  own.username = name
  own.password = password
  return {
    name,
    url: own.href,
    drop: () => database.exec(`drop owned by ${name}; drop role ${name}`),
  }
}
