import { BankNotStarted, FAULT_KINDS, runBank, type FaultRates } from '@holdfast/simulated-bank'
import { BadInput } from '../bad-input.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { parseJson } from '../input-file.ts'
import { readCount } from '../read-count.ts'
import type { Register } from '../run.ts'

interface BankOptions {
  readonly file: string
  readonly port: number
  readonly seed?: string
  readonly rates?: FaultRates
}

const PORT_MAX = 65_535

/** `holdfast bank`: a simulated bank, a process of its own, for tests of code that pays. */
export const registerBank: Register = (program, run) => {
  program
    .command('bank')
    .description('Run a simulated bank, with faults on demand, until it is stopped (Ctrl-C)')
    .option('--file <file>', "the bank's own file", '.holdfast-bank.jsonl')
    .option(
      '--port <port>',
      'on 127.0.0.1; 0 takes a free one',
      readCount('--port', PORT_MAX, 0),
      4010,
    )
    .option('--seed <seed>', 'with --rates: the same seed gives the same faults')
    .option(
      '--rates <json>',
      `with --seed: a share for each kind of fault, {"refuse":0.05}: ${FAULT_KINDS.join(', ')}`,
      readRates,
    )
    .action((options: BankOptions) => run(() => bank(options)))
}

async function bank(options: BankOptions): Promise<ExitCode> {
  try {
    await runBank(options)
    return EXIT.clean
  } catch (error) {
    throw error instanceof BankNotStarted ? new BadInput(error.message) : error
  }
}

/** Only parses; what stands in it is checked where the bank checks all rates. */
function readRates(json: string): FaultRates {
  return parseJson(json, '--rates: ') as FaultRates
}
