import { freshEmbedded } from '#testing/pglite.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { SCHEMA } from './world.ts'

/** An embedded database with the schema in it. */
export async function onPglite(): Promise<Database> {
  const database = await freshEmbedded()
  await migrate(database, SCHEMA)
  return database
}
