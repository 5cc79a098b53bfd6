import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { FaultRates, LedgerView } from '@holdfast/simulated-bank'
import { COMMAND_FILE } from './command-file.ts'

/** How long the bank has to start. */
const START_MS_MAX = 20_000

/** A simulated bank in a process of its own. */
export interface BankProcess {
  readonly url: string
  /** What the bank knows of itself: the truth to hold the books against. */
  truth(): Promise<LedgerView>
  /** Tells it to pay now what it would pay late. */
  advance(): Promise<void>
  /** The statement of a day, as camt.053. */
  statement(day: string): Promise<string>
  stop(): Promise<void>
}

/** Starts `holdfast bank` and waits for its address. */
export async function startBankProcess(
  file: string,
  seed: number,
  rates: FaultRates,
): Promise<BankProcess> {
  const args = ['bank', '--file', file, '--port', '0']
  const faults = ['--seed', String(seed), '--rates', JSON.stringify(rates)]
  const child = spawn(process.execPath, [COMMAND_FILE, ...args, ...faults], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const url = await addressOf(child)
    return {
      url,
      truth: async () => JSON.parse(await ask(url, '/ledger')) as LedgerView,
      advance: async () => {
        await ask(url, '/advance', 'POST')
      },
      statement: day => ask(url, `/statement?date=${day}&format=camt053`),
      stop: () => stop(child),
    }
  } catch (error) {
    await stop(child)
    throw error
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('the bank has no output')
  const lines = createInterface({ input: child.stdout })
  const signal = AbortSignal.timeout(START_MS_MAX)
  const [line] = (await Promise.race([
    once(lines, 'line', { signal }),
    once(child, 'exit', { signal }).then(() => {
      throw new Error('the simulated bank did not start')
    }),
  ])) as [string]
  const url = /http:\S+/.exec(line)?.[0]
  if (url === undefined) throw new Error(`the simulated bank said: ${line}`)
  return url
}

async function ask(url: string, path: string, method: 'GET' | 'POST' = 'GET'): Promise<string> {
  const body = method === 'POST' ? { body: '{}' } : {}
  const response = await fetch(`${url}${path}`, { method, ...body })
  const text = await response.text()
  if (!response.ok) throw new Error(`the simulated bank answered ${response.status}: ${text}`)
  return text
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
