import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChild } from '#testing/child.ts'
import {
  startPrivatePostgres,
  type PrivatePostgres,
} from '../../src/private-postgres/private-postgres.ts'

const SERVER_CHILD = new URL('./server-child.ts', import.meta.url)
const WAIT_MS = 50
const WAITS_MAX = 600

describe('a private Postgres', () => {
  let server: PrivatePostgres
  beforeAll(async () => {
    server = await startPrivatePostgres()
  })
  afterAll(async () => {
    await server.stop()
  })

  test('listens on this machine only, with fsync and room for many', async () => {
    const client = await connect(server.url)
    const { rows } = await client.query<{ name: string; setting: string }>(
      `select name, setting from pg_settings
       where name in ('fsync', 'max_connections', 'listen_addresses', 'synchronous_commit')`,
    )
    await client.end()
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      fsync: 'on',
      listen_addresses: '127.0.0.1',
      max_connections: '200',
      synchronous_commit: 'on',
    })
  })

  test('wants its password', async () => {
    const url = new URL(server.url)
    url.password = 'guess'
    await expect(connect(url.href)).rejects.toThrow('password authentication failed')
  })

  test('keeps what was committed, and only that, over a crash and a start at the same URL', async () => {
    const client = await connect(server.url)
    client.on('error', () => undefined)
    await client.query('create table t (id int)')
    await client.query('insert into t values (1)')
    await client.query('begin')
    await client.query('insert into t values (2)')
    await server.stopNow()
    await expect(connect(server.url)).rejects.toThrow('ECONNREFUSED')
    await server.start()
    const again = await connect(server.url)
    expect((await again.query('select id from t')).rows).toEqual([{ id: 1 }])
    await again.end()
  })
})

describe('what a private Postgres leaves behind is nothing', () => {
  let temporary: string
  beforeAll(() => {
    // Postgres may run as another user, who must be able to reach its folder.
    temporary = mkdtempSync(join(tmpdir(), 'holdfast-temporary-'))
    chmodSync(temporary, 0o755)
  })
  afterAll(() => {
    rmSync(temporary, { recursive: true, force: true })
  })

  test('when it is stopped', async () => {
    const before = folders()
    const server = await startPrivatePostgres()
    await server.stop()
    await expect(connect(server.url)).rejects.toThrow('ECONNREFUSED')
    expect(folders().filter(name => !before.includes(name))).toEqual([])
  })

  test.each(['SIGKILL', 'SIGINT'] as const)('when its process ends by %s', async signal => {
    const child = startChild(SERVER_CHILD, [], { env: { ...process.env, TMPDIR: temporary } })
    const [url] = await child.until(/postgres:\S+/)
    expect(readdirSync(temporary)).toHaveLength(1)
    child.process.kill(signal)
    await child.ended
    for (let waits = 0; waits < WAITS_MAX && readdirSync(temporary).length > 0; waits += 1) {
      await new Promise(resolve => setTimeout(resolve, WAIT_MS))
    }
    expect(readdirSync(temporary)).toEqual([])
    await expect(connect(url)).rejects.toThrow('ECONNREFUSED')
  })
})

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

function folders(): string[] {
  return readdirSync(tmpdir()).filter(name => name.startsWith('holdfast-postgres-'))
}
