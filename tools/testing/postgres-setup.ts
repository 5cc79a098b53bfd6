import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { startPrivatePostgres } from '../../packages/server/src/private-postgres/private-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for Postgres: an HTTP address that answers with a `postgres://` URL. */
    postgresDoor: string
    /** What the names of this run's databases begin with. */
    databasePrefix: string
  }
}

interface Server {
  readonly url: string
  stop(): Promise<void>
}

/**
 * The Postgres of a test run: the server of DATABASE_URL, or a private one. It is started when the
 * first test asks for it, so that a run of unit tests does not wait for a server.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `holdfast_test_${randomBytes(4).toString('hex')}_`
  let server: Promise<Server> | undefined
  const door = createServer((_request, response) => {
    // A connection that is kept could be closed by this side just when it is used again.
    response.setHeader('connection', 'close')
    server ??= open(prefix)
    server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const { port } = door.address() as AddressInfo
  project.provide('postgresDoor', `http://127.0.0.1:${port}`)
  project.provide('databasePrefix', prefix)
  return async () => {
    door.close()
    door.closeAllConnections()
    await server?.then(
      running => running.stop(),
      () => undefined,
    )
  }
}

async function open(prefix: string): Promise<Server> {
  const url = process.env['DATABASE_URL']
  return url ? { url, stop: () => dropLeftovers(url, prefix) } : await startPrivatePostgres()
}

/** Drops what a test that was killed has left on a server that is not ours. */
async function dropLeftovers(url: string, prefix: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  )
  for (const { datname } of rows) await client.query(`drop database "${datname}" with (force)`)
  await client.end()
}
