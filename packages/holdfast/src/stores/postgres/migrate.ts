import { readdirSync } from 'node:fs'
import { sqlState, type Database } from './database.ts'
import { DEFAULT_SCHEMA, isIdentifier, loadSql } from './sql.ts'

const FOLDER = new URL('./migrations/', import.meta.url)
const GRANTS = new URL('./queries/grants.sql', import.meta.url)
/** Any number that other programs are unlikely to lock: "holdfast" on a telephone's keys. */
const LOCK = 'select pg_advisory_xact_lock(46533278)'
const UNIQUE_VIOLATION = '23505'

/** One migration: its number and name, and what it runs. */
export interface Migration {
  readonly name: string
  readonly sql: string
}

/** All migrations in order, for a schema. */
export function migrations(schema: string = DEFAULT_SCHEMA): Migration[] {
  const files = readdirSync(FOLDER)
    .filter(file => file.endsWith('.sql'))
    .sort()
  return files.map(file => ({
    name: file.replace('.sql', ''),
    sql: loadSql(new URL(file, FOLDER), schema),
  }))
}

/**
 * Brings a schema up to date, one transaction a migration; returns the names of those that ran.
 * Several processes may call it at once: one runs each migration, the others wait and go on.
 */
export async function migrate(
  database: Database,
  schema: string = DEFAULT_SCHEMA,
): Promise<string[]> {
  const wanted = migrations(schema)
  // Statements that are sent together are one transaction, so the lock is held to the end.
  await database.exec(`${LOCK}; ${frame(schema)}`)
  const ran: string[] = []
  for (const { name, sql } of wanted) {
    const { rows } = await database.query(
      `select name from "${schema}".migration where name = $1`,
      [name],
    )
    if (rows.length > 0) continue
    try {
      await database.exec(`${LOCK}; ${record(schema, name)}; ${sql}`)
      ran.push(name)
    } catch (error) {
      if (sqlState(error) !== UNIQUE_VIOLATION) throw error
    }
  }
  return ran
}

/** All migrations as one script, for people who run it with their own tools. */
export function migrationScript(schema: string = DEFAULT_SCHEMA): string {
  const parts = migrations(schema).map(
    ({ name, sql }) => `-- ${name}\n\n${sql}\n${record(schema, name)};\n`,
  )
  return `${frame(schema)};\n\n${parts.join('\n')}`
}

/**
 * Gives a role what a program needs that runs as it: it reads and writes, but cannot change or
 * delete a movement or an entry (I4). To be called by the schema's owner, again after every
 * migration. Throws a RangeError where a name is not 1 to 63 of `a-z0-9_`, or begins with a digit.
 */
export async function grantRuntime(
  database: Database,
  schema: string,
  role: string,
): Promise<void> {
  if (!isIdentifier(role))
    throw new RangeError(`role: 1 to 63 of a-z0-9_, not beginning with a digit: ${role}`)
  await database.exec(loadSql(GRANTS, schema).replaceAll('{role}', `"${role}"`))
}

/** The schema itself, and the list of what has been run in it. */
function frame(schema: string): string {
  return `create schema if not exists "${schema}";
create table if not exists "${schema}".migration (
  name text primary key, applied timestamptz not null default now())`
}

function record(schema: string, name: string): string {
  return `insert into "${schema}".migration (name) values ('${name}')`
}
