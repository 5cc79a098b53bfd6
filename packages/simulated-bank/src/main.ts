import { parseArgs } from 'node:util'
import type { FaultRates } from './faults.ts'
import { BankNotStarted } from './refusal.ts'
import { startBank } from './start.ts'
import type { BankOptions } from './start.ts'

const USAGE = `usage: simulated-bank --file FILE [--port PORT] [--seed SEED --rates JSON]

  --file FILE    the bank's own file; made where it is not there
  --port PORT    on 127.0.0.1; a free one where absent
  --seed SEED    with --rates: faults by chance; the same seed gives the same faults
  --rates JSON   a share for each kind of fault, {"time-out-after-paying":0.1,"refuse":0.05}
`

/**
 * Runs a bank as a process: prints one line with its URL when it is ready, and returns after
 * SIGTERM or SIGINT. Throws {@link BankNotStarted} where it cannot start.
 */
export async function runBank(options: BankOptions): Promise<void> {
  const { seed, rates } = options
  if (rates !== undefined && seed === undefined)
    throw new BankNotStarted('INVALID_OPTION', '--rates needs --seed')
  if (seed !== undefined && rates === undefined)
    throw new BankNotStarted('INVALID_OPTION', '--seed needs --rates')
  const bank = await startBank(options)
  process.stdout.write(`The simulated bank listens on ${bank.url}\n`)
  await stopSignal()
  await bank.close()
}

/** The command: takes arguments, returns the exit code (0, or 2 for bad input), never exits. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const options = readOptions(args)
    if (!options) {
      process.stdout.write(USAGE)
      return 0
    }
    await runBank(options)
    return 0
  } catch (error) {
    if (!(error instanceof BankNotStarted)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  }
}

function readOptions(args: readonly string[]): BankOptions | null {
  const { file, port = '0', seed, rates, help } = parse(args)
  if (help) return null
  if (file === undefined) throw new BankNotStarted('INVALID_OPTION', `--file is missing\n${USAGE}`)
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new BankNotStarted('INVALID_OPTION', '--port must be 0 to 65535')
  }
  return {
    file,
    port: Number(port),
    ...(seed === undefined ? {} : { seed }),
    ...(rates === undefined ? {} : { rates: readRates(rates) }),
  }
}

function parse(args: readonly string[]): {
  file?: string
  port?: string
  seed?: string
  rates?: string
  help?: boolean
} {
  try {
    const text = { type: 'string' } as const
    return parseArgs({
      args: [...args],
      options: { file: text, port: text, seed: text, rates: text, help: { type: 'boolean' } },
    }).values
  } catch (error) {
    throw new BankNotStarted('INVALID_OPTION', `${(error as Error).message}\n${USAGE}`)
  }
}

/** Only parses; what stands in it is checked where all rates are. */
function readRates(json: string): FaultRates {
  try {
    return JSON.parse(json) as FaultRates
  } catch (error) {
    throw new BankNotStarted('INVALID_OPTION', '--rates must be JSON', { cause: error })
  }
}

function stopSignal(): Promise<void> {
  return new Promise(resolve => {
    process.once('SIGTERM', () => {
      resolve()
    })
    process.once('SIGINT', () => {
      resolve()
    })
  })
}
