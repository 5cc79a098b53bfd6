import { Client } from 'pg'
import { inject } from 'vitest'
import { randomBytes } from 'node:crypto'

/** A database of a test file's own. */
export interface FreshDatabase {
  /** `postgres://`, of a user who may do everything on the server; a child process can use it too. */
  readonly url: string
  /** Drops it, also where connections to it are still open. */
  drop(): Promise<void>
}

/** Makes an empty database on the Postgres of this test run. One for a test file is enough. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = await postgresUrl()
  const name = inject('databasePrefix') + randomBytes(6).toString('hex')
  await administer(server, `create database "${name}" template template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: () => administer(server, `drop database if exists "${name}" with (force)`),
  }
}

/** The server of this test run, which is started by the first who asks. */
async function postgresUrl(): Promise<string> {
  const answer = await fetch(inject('postgresDoor'))
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text
}

async function administer(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
