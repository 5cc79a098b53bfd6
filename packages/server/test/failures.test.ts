import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '#testing/pglite.ts'
import { startPrivatePostgres } from '../src/private-postgres/private-postgres.ts'
import { bankFor } from './support/bank.ts'
import {
  COMMAND_FILE,
  environment,
  holdfast,
  objects,
  temporaryFolder,
  write,
} from './support/holdfast.ts'
import { accountsCsv, paymentsCsv } from './support/payments.ts'
import { SERVER } from './support/places.ts'

const files = temporaryFolder()
const PAYOUTS = 40

/** Waits until a condition holds. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 1; tries <= 1_200; tries += 1) {
    if (await condition()) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error('it did not come to that')
}

describe('output', () => {
  test('a reader that goes away does not stop the work', async () => {
    const fresh = await freshFolder()
    const { folder } = fresh
    onTestFinished(() => {
      fresh.remove()
    })
    const lists = Array.from({ length: 20 }, (_, index) =>
      JSON.stringify({ commands: [{ do: 'open', account: `a${index}`, asset: 'EUR/2' }] }),
    )
    const child = spawn(process.execPath, [COMMAND_FILE, 'apply', '-', '--data', folder], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.end(lists.join('\n'))
    child.stdout.destroy()
    expect(await once(child, 'exit')).toEqual([0, null])
    const { stdout } = await holdfast(['balance', 'a19', '--data', folder, '--json'])
    expect(objects(stdout)).toMatchObject([{ id: 'a19' }])
  }, 120_000)

  test.skipIf(process.platform !== 'linux')('a full disk is no success', () => {
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', '"$0" "$1" --version > /dev/full', process.execPath, COMMAND_FILE],
      { encoding: 'utf8' },
    )
    expect(status).toBe(3)
    expect(stderr).toContain('Could not write the output: ENOSPC')
  })
})

describe('places that cannot be used', () => {
  test('a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const file = join(files, 'bank.jsonl')
    const { code, stderr } = await holdfast(['bank', '--port', String(port), '--file', file])
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `Port ${port} is in use: another process listens on 127.0.0.1:${port}\n`,
    })
    expect(existsSync(file)).toBe(false)
  })

  test('a folder that is a file', async () => {
    const file = write(files, 'file', 'x')
    const { code, stderr } = await holdfast(['migrate', '--data', file])
    expect(code).toBe(2)
    expect(stderr).toBe(`--data: The folder ${file} cannot be used: it is a file\n`)
  })

  test('a folder that an ordinary user cannot write to', () => {
    const folder = temporaryFolder()
    chmodSync(folder, 0o555)
    const args = [COMMAND_FILE, 'apply', '-', '--data', join(folder, 'books')]
    // The superuser may write anywhere.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      ...user,
      input: '{"commands":[]}',
      encoding: 'utf8',
      env: environment(),
    })
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toMatch(/--data: The folder .* cannot be used: permission denied/)
  })

  test('a folder that another process has', async () => {
    const fresh = await freshFolder()
    const { folder } = fresh
    onTestFinished(() => {
      fresh.remove()
    })
    const child = spawn(process.execPath, [COMMAND_FILE, 'apply', '-', '--data', folder], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const lists = Array.from({ length: 2_000 }, (_, index) =>
      JSON.stringify({ commands: [{ do: 'open', account: `a${index}`, asset: 'EUR/2' }] }),
    )
    child.stdin.end(lists.join('\n'))
    await once(child.stdout, 'data')
    const { code, stderr } = await holdfast(['balance', 'a0', '--data', folder])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--data: The folder .* is in use by process \d+/)
  }, 120_000)

  test('a server that is away', async () => {
    const url = 'postgres://user:secret@127.0.0.1:1/x'
    const { code, stdout, stderr } = await holdfast(['balance', 'a', '--database-url', url])
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toBe(
      'The database on 127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Nothing was done.\n',
    )
  })
})

// On an embedded database it is the payday demo that is killed and goes on (`.ci/run`).
describe('a paying process that is killed', () => {
  const { options } = SERVER.make()

  test('is gone on with by the next one: each payout is paid once', async () => {
    const bank = await bankFor('killed')
    const run = (...args: string[]) => holdfast([...args, ...options()])
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(PAYOUTS)))
    await bank.faults({ 'answer-late': 1 }, 300)
    const file = write(files, 'killed.csv', paymentsCsv(PAYOUTS))
    const pay = ['pay', file, ...bank.quick, '--concurrency', '4']
    const child = spawn(process.execPath, [COMMAND_FILE, ...pay, ...options()], {
      env: environment(),
      stdio: 'ignore',
    })
    await until(async () => (await bank.ledger()).payments.length >= 8)
    child.kill('SIGKILL')
    await once(child, 'exit')
    await run(...pay)
    // What the killed process had in hand is free once its lease has run out.
    await until(async () => (await run('resolve', ...bank.quick)).code === 0)
    const { code, stdout } = await run(...pay)
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`success +${PAYOUTS} `))
    const { payments } = await bank.ledger()
    expect(payments.map(({ timesPaid }) => timesPaid)).toEqual(Array(PAYOUTS).fill(1))
    expect(await run('check')).toMatchObject({ code: 0 })
  }, 180_000)
})

describe('a Postgres server', () => {
  test('two processes that pay one file pay each payout once', async () => {
    const bank = await bankFor('two')
    const server = await startPrivatePostgres()
    onTestFinished(() => server.stop())
    const run = (...args: string[]) => holdfast([...args, '--database-url', server.url])
    await run('migrate')
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(PAYOUTS)))
    await bank.faults({ 'answer-late': 0.5, 'error-after-paying': 0.3 }, 200)
    const pay = ['pay', write(files, 'two.csv', paymentsCsv(PAYOUTS)), ...bank.quick]
    const ends = await Promise.all([run(...pay), run(...pay)])
    for (const { code, stderr } of ends) expect([0, 1], stderr).toContain(code)
    await until(async () => (await run('resolve', ...bank.quick)).code === 0)
    expect(await run(...pay)).toMatchObject({ code: 0 })
    const { payments, totals } = await bank.ledger()
    expect(payments.map(({ timesPaid }) => timesPaid)).toEqual(Array(PAYOUTS).fill(1))
    expect(totals.payments).toBe(PAYOUTS)
  }, 180_000)

  test('that goes away in the middle loses nothing', async () => {
    const bank = await bankFor('away')
    const server = await startPrivatePostgres()
    onTestFinished(() => server.stop())
    const run = (...args: string[]) => holdfast([...args, '--database-url', server.url])
    await run('migrate')
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(PAYOUTS)))
    await bank.faults({ 'answer-late': 1 }, 300)
    const file = write(files, 'away.csv', paymentsCsv(PAYOUTS))
    const pay = ['pay', file, ...bank.quick, '--concurrency', '4']
    const paying = run(...pay)
    await until(async () => (await bank.ledger()).payments.length >= 8)
    await server.stopNow()
    const { code, stdout, stderr } = await paying
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/Could not be done: |The answer of the store was lost/)
    expect(stderr).toContain('run the same command again')
    expect(stderr).not.toMatch(/\n +at /)

    await server.start()
    await run(...pay)
    await until(async () => (await run('resolve', ...bank.quick)).code === 0)
    expect(await run(...pay)).toMatchObject({ code: 0 })
    const { payments } = await bank.ledger()
    expect(payments.map(({ timesPaid }) => timesPaid)).toEqual(Array(PAYOUTS).fill(1))
    expect(await run('check')).toMatchObject({ code: 0 })
    const client = new Client({ connectionString: server.url })
    await client.connect()
    const { rows } = await client.query(
      `select count(*)::integer as held from holdfast.account where held <> 0`,
    )
    await client.end()
    expect(rows).toEqual([{ held: 0 }])
  }, 240_000)
})
