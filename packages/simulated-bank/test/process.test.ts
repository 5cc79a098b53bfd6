import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { startBank } from '../src/index.ts'
import { ledger, newFile, pay, setFault, status } from './support.ts'

const bin = fileURLToPath(new URL('../dist/bin.js', import.meta.url))

beforeAll(() => {
  if (!existsSync(bin)) throw new Error('Run `npm run build` first: these tests start dist/bin.js')
})

interface BankProcess {
  readonly url: string
  /** Sends the signal, and gives the exit code, or the signal that ended it. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | string | null>
}

function spawnBank(args: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function bankProcess(args: readonly string[]): Promise<BankProcess> {
  const child = spawnBank(args)
  const line = await output(child, 'stdout')
  const url = /^The simulated bank listens on (http:\/\/127\.0\.0\.1:\d+)\n$/.exec(line)?.[1]
  if (url === undefined) throw new Error(`The bank said ${JSON.stringify(line)}`)
  return {
    url,
    end: signal => {
      const ended = exit(child)
      child.kill(signal)
      return ended
    },
  }
}

function output(child: ChildProcess, from: 'stdout' | 'stderr'): Promise<string> {
  return new Promise(resolve =>
    child[from]?.once('data', (data: Buffer) => {
      resolve(data.toString())
    }),
  )
}

function exit(child: ChildProcess): Promise<number | string | null> {
  return new Promise(resolve =>
    child.once('exit', (code, signal) => {
      resolve(code ?? signal)
    }),
  )
}

/** Sends each id once from 40 senders, until all are sent or the bank has gone. */
async function payAll(
  bank: { url: string },
  ids: readonly string[],
  onPaid: (id: string) => void,
): Promise<void> {
  const left = ids[Symbol.iterator]()
  const sender = async (): Promise<void> => {
    for (const id of left) {
      const reply = await pay(bank, id).catch(() => null)
      if (reply?.body['status'] === 'paid') onPaid(id)
    }
  }
  await Promise.all(Array.from({ length: 40 }, sender))
}

test('SIGKILL under load loses nothing that was acknowledged, and a retry pays nothing twice', async () => {
  const file = await newFile()
  const ids = Array.from({ length: 600 }, (_, n) => `PAY${n}`)
  const acknowledged: string[] = []
  for (const round of [1, 2, 3]) {
    const bank = await bankProcess(['--file', file])
    const ended: Promise<unknown>[] = []
    await payAll(bank, ids.slice(round * 200 - 200, round * 200), id => {
      acknowledged.push(id)
      const enough = acknowledged.length >= round * 60
      if (enough && ended.length === 0) ended.push(bank.end('SIGKILL'))
    })
    expect(await Promise.all(ended)).toEqual(['SIGKILL'])

    const restarted = await startBank({ file })
    const { payments } = await ledger(restarted)
    await restarted.close()
    const once = new Set(payments.filter(one => one.timesPaid === 1).map(one => one.id))
    expect(acknowledged.filter(id => !once.has(id))).toEqual([])
    expect(payments.filter(one => one.timesPaid > 1)).toEqual([])
  }
  expect(acknowledged.length).toBeLessThan(600)

  const bank = await bankProcess(['--file', file])
  const paid: string[] = []
  await payAll(bank, ids, id => paid.push(id))
  expect(paid).toHaveLength(600)
  const { payments, totals } = await ledger(bank)
  expect(totals).toMatchObject({ payments: 600, paid: String(600 * 1_250) })
  expect(payments.every(one => one.timesPaid === 1)).toBe(true)
})

test('SIGKILL keeps faults and what they have already done', async () => {
  const file = await newFile()
  const first = await bankProcess(['--file', file, '--seed', '7', '--rates', '{"refuse":1}'])
  await setFault(first, { id: 'B', kind: 'pay-late', delayMs: null })
  expect((await pay(first, 'A')).status).toBe(422)
  expect((await pay(first, 'B')).body).toMatchObject({ status: 'processing' })
  await first.end('SIGKILL')

  const second = await bankProcess(['--file', file])
  expect((await status(second, 'A')).body).toMatchObject({ status: 'refused' })
  expect((await status(second, 'B')).body).toMatchObject({ status: 'processing' })
  expect((await pay(second, 'C')).status).toBe(422)
})

test('a file that was cut at any byte is read up to the last whole line', async () => {
  const file = await newFile()
  const bank = await startBank({ file })
  for (const id of ['A', 'B']) await pay(bank, id)
  await bank.close()
  const bytes = await readFile(file)
  for (let length = bytes.length; length > 0; length -= 37) {
    await writeFile(file, bytes.subarray(0, length))
    const cut = await startBank({ file })
    const { payments } = await ledger(cut)
    const accepted = bytes.toString('utf8', 0, length).split('\n').slice(0, -1)
    const ids = accepted.filter(line => line.includes('"accepted"')).length
    expect(payments.filter(one => one.timesPaid === 1)).toHaveLength(ids)
    await cut.close()
  }
})

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends it with 0, even while a send hangs',
  async signal => {
    const file = await newFile()
    const bank = await bankProcess(['--file', file])
    await setFault(bank, { id: 'A', kind: 'time-out-after-paying' })
    await setFault(bank, { id: 'B', kind: 'answer-late', delayMs: 600_000 })
    const hanging = Promise.allSettled([pay(bank, 'A'), pay(bank, 'B')])
    const payments = async (): Promise<number> => (await ledger(bank)).totals.payments
    await expect.poll(payments, { timeout: 20_000 }).toBe(2)
    expect(await bank.end(signal)).toBe(0)
    expect((await hanging).map(one => one.status)).toEqual(['rejected', 'rejected'])
  },
)

test.each([
  [[], '--file is missing'],
  [['--file', 'X', '--speed', '1'], "Unknown option '--speed'"],
  [['--file', 'X', '--port', '70000'], '--port must be 0 to 65535'],
  [['--file', 'X', '--rates', '{'], '--rates must be JSON'],
  [
    ['--file', '/nowhere/at/all/bank.jsonl'],
    'The file /nowhere/at/all/bank.jsonl cannot be used: there is no such folder\n',
  ],
  [['--file', tmpdir()], `The file ${tmpdir()} cannot be used: it is a folder\n`],
])('bad arguments %j are named, with exit code 2', async (args, message) => {
  const child = spawnBank(args)
  const [said, code] = await Promise.all([output(child, 'stderr'), exit(child)])
  expect(said).toContain(message)
  expect(said).not.toContain('    at ')
  expect(code).toBe(2)
})

test.each([
  [['--rates', '{"refuse":1}'], '--rates needs --seed\n'],
  [['--seed', '7'], '--seed needs --rates\n'],
  [['--seed', '7', '--rates', '{"refuse":2}'], 'rates.refuse must be 0 to 1\n'],
])('%j is refused, and makes no file', async (options, message) => {
  const file = await newFile()
  const child = spawnBank(['--file', file, ...options])
  const [said, code] = await Promise.all([output(child, 'stderr'), exit(child)])
  expect([said, code]).toEqual([message, 2])
  expect(existsSync(file)).toBe(false)
})

test('a port in use is named, with exit code 2, and no file is made', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await new Promise(resolve => other.once('listening', resolve))
  const { port } = other.address() as AddressInfo
  const file = await newFile()
  const child = spawnBank(['--file', file, '--port', String(port)])
  const [said, code] = await Promise.all([output(child, 'stderr'), exit(child)])
  expect(said).toBe(`Port ${port} is in use: another process listens on 127.0.0.1:${port}\n`)
  expect(code).toBe(2)
  expect(existsSync(file)).toBe(false)
})
