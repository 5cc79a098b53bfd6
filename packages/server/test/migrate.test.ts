import { Client } from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '#testing/database.ts'
import { holdfast, objects, temporaryFolder } from './support/holdfast.ts'

async function sql(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}

describe('migrate', () => {
  let url = ''
  beforeAll(async () => {
    const database = await freshDatabase()
    url = database.url
    return () => database.drop()
  })

  test('a server is not migrated by the way: it is said what to do', async () => {
    const balance = await holdfast(['balance', 'a', '--database-url', url])
    expect(balance).toMatchObject({ code: 2, stdout: '' })
    expect(balance.stderr).toContain('The schema "holdfast" of this database has no books yet')
    expect(balance.stderr).toContain('run holdfast migrate')
  })

  test('a server without such a database is named, and what it said', async () => {
    const { host } = new URL(url)
    const other = url.replace(/[^/]+$/, 'nosuch')
    expect(await holdfast(['balance', 'a', '--database-url', other])).toEqual({
      code: 3,
      stdout: '',
      stderr: `The database on ${host} cannot be used: database "nosuch" does not exist. Nothing was done.\n`,
    })
  })

  test('brings a schema up to date, and has nothing to do the second time', async () => {
    const args = ['migrate', '--database-url', url, '--schema', 'money', '--json']
    const [first] = objects((await holdfast(args)).stdout)
    expect(first?.['ran']).toContain('0001-ledger')
    expect(objects((await holdfast(args)).stdout)).toEqual([{ ran: [], granted: null }])
    const { stderr } = await holdfast([
      ...['balance', 'a', '--database-url', url, '--schema', 'money'],
    ])
    expect(stderr).toBe('--book: there is no book main\n')
  })

  test('a schema that lacks a migration is named', async () => {
    await sql(url, `delete from money.migration where name = '0001-ledger'`)
    const { code, stderr } = await holdfast([
      ...['balance', 'a', '--database-url', url, '--schema', 'money'],
    ])
    expect(code).toBe(2)
    expect(stderr).toContain('lacks 0001-ledger')
  })

  test('--print gives SQL that another tool can run', async () => {
    const { code, stdout } = await holdfast(['migrate', '--print', '--schema', 'printed'])
    expect(code).toBe(0)
    await sql(url, stdout)
    const { stderr } = await holdfast([
      ...['balance', 'a', '--database-url', url, '--schema', 'printed'],
    ])
    expect(stderr).toBe('--book: there is no book main\n')
  })

  test('a role that runs programs works, and cannot change what was written', async () => {
    const role = `runtime_${Date.now()}`
    await sql(url, `create role ${role} login password 'secret'`)
    await holdfast(['migrate', '--database-url', url, '--runtime-role', role])
    const runtime = new URL(url)
    runtime.username = role
    runtime.password = 'secret'
    const input = '{"commands":[{"do":"open","account":"a","asset":"EUR/2"}]}'
    const { code } = await holdfast(['apply', '-', '--database-url', runtime.href], { input })
    expect(code).toBe(0)
    await expect(sql(runtime.href, 'delete from holdfast.entry')).rejects.toThrow('permission')
    await sql(url, `drop owned by ${role}; drop role ${role}`)
  })

  test('a role that is not there is named', async () => {
    const { code, stderr } = await holdfast([
      ...['migrate', '--database-url', url, '--runtime-role', 'nobody_here'],
    ])
    expect(code).toBe(2)
    expect(stderr).toContain('--runtime-role: the database has no role nobody_here')
  })

  test('an embedded database is migrated when it is opened', async () => {
    const folder = `${temporaryFolder()}/books`
    const input = '{"commands":[]}'
    expect(await holdfast(['apply', '-', '--data', folder], { input })).toMatchObject({ code: 0 })
    const { stdout } = await holdfast(['migrate', '--data', folder])
    expect(stdout).toBe('Up to date\n')
  }, 180_000)
})
