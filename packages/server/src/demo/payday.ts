import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultRates, LedgerView } from '@holdfast/simulated-bank'
import { BadInput } from '../bad-input.ts'
import { counted } from '../counted.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import type { WhereOptions } from '../where.ts'
import { startBankProcess, type BankProcess } from './bank-process.ts'
import { startCommand, type Finished } from './command-process.ts'
import { payoutsMax, writePaydayFiles } from './payday-files.ts'
import { readFindings, readPaidPayouts } from './payday-reading.ts'
import { judge, type Problem } from './payday-verdict.ts'

/** How often each thing goes wrong at the bank: more than one payout in three. */
const FAULT_RATES: FaultRates = {
  'answer-late': 0.04,
  'time-out-before-paying': 0.03,
  'time-out-after-paying': 0.03,
  refuse: 0.04,
  'cut-connection': 0.05,
  'error-after-paying': 0.04,
  conflict: 0.03,
  nonsense: 0.03,
  'pay-late': 0.04,
  'not-found': 0.02,
  return: 0.02,
  'return-part': 0.01,
}
/** The bank hangs for longer, so that a time-out is one. */
const GATEWAY_TIMEOUT_MS = 1_500
/** The paying process is killed when the bank has seen this share of the payouts. */
const KILL_AT = 0.4
const POLL_MS = 25
const POLLS_MAX = 2_400
/** What a killed process had in hand is looked after when its lease has run out. */
const RESOLVE_PAUSE_MS = 1_000
const RESOLVES_MAX = 30

/** How the demo is run. */
export interface PaydayOptions {
  readonly payouts: number
  readonly concurrency: number
  readonly seed: number
  /** A migrated Postgres; null: an embedded database in a temporary folder. */
  readonly databaseUrl: string | null
  readonly json: boolean
}

/** What the demo works with. */
interface Stage {
  readonly folder: string
  readonly bank: BankProcess
  readonly options: PaydayOptions
  readonly where: WhereOptions
  readonly book: string
  readonly say: (line: string) => Promise<void>
}

/**
 * Pays creators through a bank that misbehaves, kills the paying process half way, starts it again,
 * and holds the books against the bank's statement and the bank's own truth. `clean` only where
 * they agree and no payout was paid twice or lost.
 */
export async function runPayday(options: PaydayOptions, io: Io): Promise<ExitCode> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-payday-'))
  const say = (line: string) => (options.json ? Promise.resolve() : io.print(line))
  const bank = await startBankProcess(join(folder, 'bank.jsonl'), options.seed, FAULT_RATES)
  try {
    const { databaseUrl } = options
    const where = databaseUrl === null ? { data: join(folder, 'books') } : { databaseUrl }
    const problems = await payday({ folder, bank, options, where, book: paydayBook(options), say })
    if (options.json) await io.print(JSON.stringify({ seed: options.seed, problems }))
    return problems.length === 0 ? EXIT.clean : EXIT.findings
  } catch (error) {
    // It has said itself what was wrong.
    if (!(error instanceof CommandFailed)) throw error
    io.note(error.message)
    return error.exitCode
  } finally {
    await bank.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The bank's faults go by the ids of the payouts, and these by the book: so in a database of the
 * run's own a seed has one book, and repeats its faults. In the user's each run has a new book, as
 * one that was paid before would be paid no more.
 */
export function paydayBook({
  seed,
  databaseUrl,
}: Pick<PaydayOptions, 'seed' | 'databaseUrl'>): string {
  return databaseUrl === null ? `payday-${seed}` : `payday-${seed}-${Date.now()}`
}

async function payday(stage: Stage): Promise<Problem[]> {
  const { folder, bank, options, where, book, say } = stage
  const opening = BigInt((await bank.truth()).opening)
  const { payouts, seed } = options
  if (payouts > payoutsMax(opening))
    throw new BadInput(`--payouts: the bank has money for at most ${payoutsMax(opening)}`)
  const files = writePaydayFiles(folder, { payouts, seed, opening })
  const pay = [
    'pay',
    files.payments,
    ...gateway(stage),
    '--concurrency',
    String(options.concurrency),
  ]
  const since = new Date()

  await command(stage, ['accounts', 'import', files.accounts, '--from', 'bank:bank'])
  await payAndKill(stage, pay)
  await command(stage, pay)
  await resolveAll(stage)
  const statements = await fetchStatements(stage, since)
  const report = join(folder, 'report')
  await command(stage, [
    'reconcile',
    ...statements,
    ...gateway(stage),
    '--final',
    '--report',
    report,
  ])
  const checked = await command(stage, ['check'])

  const truth = await bank.truth()
  const paid = await readPaidPayouts(where, book)
  const problems = judge(paid, truth, readFindings(report))
  if (checked.exitCode !== 0) problems.push({ code: 'CHECK', about: 'the ledger is not sound' })
  await say(verdict(paid.length, truth, problems))
  return problems
}

/** Pays until the bank has seen a part of the payouts, then kills the process as a crash would. */
async function payAndKill(stage: Stage, args: readonly string[]): Promise<void> {
  const { bank, options, say } = stage
  await say(`\n$ holdfast ${shown(args)}`)
  const { child, finished } = startCommand([...args, ...place(stage)])
  for (let poll = 0; poll < POLLS_MAX && child.exitCode === null; poll += 1) {
    if ((await bank.truth()).payments.length >= options.payouts * KILL_AT) break
    await sleep(POLL_MS)
  }
  child.kill('SIGKILL')
  const { exitCode } = await finished
  const { totals } = await bank.truth()
  await say(
    exitCode === null
      ? `killed (SIGKILL) after the bank had paid ${totals.payments} of ${options.payouts}`
      : `it ended before it could be killed, with exit code ${exitCode}`,
  )
}

/** Asks about what is not final until nothing is left. */
async function resolveAll(stage: Stage): Promise<void> {
  for (let round = 1; round <= RESOLVES_MAX; round += 1) {
    const { exitCode } = await command(stage, ['resolve', ...gateway(stage)])
    if (exitCode === EXIT.clean) return
    await stage.bank.advance()
    await sleep(RESOLVE_PAUSE_MS)
  }
}

/**
 * The bank's statements of the day, or of the two days where midnight (UTC) came in between. The
 * bank's day is over: money that comes back a moment later would be on the next day's statement,
 * and already in the bank's truth.
 */
async function fetchStatements({ folder, bank }: Stage, since: Date): Promise<string[]> {
  await bank.advance()
  const days = new Set([since, new Date()].map(each => each.toISOString().slice(0, 10)))
  const files: string[] = []
  for (const day of days) {
    const file = join(folder, `statement-${day}.xml`)
    writeFileSync(file, await bank.statement(day))
    files.push(file)
  }
  return files
}

async function command(stage: Stage, args: readonly string[]): Promise<Finished> {
  const { say } = stage
  await say(`\n$ holdfast ${shown(args)}`)
  const done = await startCommand([...args, ...place(stage)]).finished
  if (done.stdout !== '') await say(done.stdout)
  if (done.exitCode === null || done.exitCode > EXIT.findings)
    throw new CommandFailed(args[0] ?? '', done.exitCode)
  return done
}

/** A command of the demo did not do what it was to do. */
class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed'
  readonly exitCode: ExitCode
  constructor(command: string, exitCode: number | null) {
    super(`The demo cannot go on: holdfast ${command} ended with ${exitCode ?? 'a signal'}`)
    this.exitCode = exitCode === EXIT.badInput ? EXIT.badInput : EXIT.notDone
  }
}

function place({ where, book }: Stage): string[] {
  const { data, databaseUrl } = where
  const option = data === undefined ? ['--database-url', databaseUrl ?? ''] : ['--data', data]
  return [...option, '--book', book]
}

function gateway({ bank }: Stage): string[] {
  return ['--gateway-url', bank.url, '--gateway-timeout-ms', String(GATEWAY_TIMEOUT_MS)]
}

/** A command as a person would type it: files without their folder, the gateway left out. */
function shown(args: readonly string[]): string {
  const at = args.findIndex(arg => arg === '--gateway-url')
  const typed = at < 0 ? args : [...args.slice(0, at), ...args.slice(at + 4)]
  return typed
    .map(arg => (arg.startsWith(tmpdir()) ? (arg.split('/').at(-1) ?? arg) : arg))
    .join(' ')
}

function verdict(payouts: number, truth: LedgerView, problems: readonly Problem[]): string {
  const faults = truth.payments.filter(payment => payment.faults.length > 0).length
  const twice = truth.payments.filter(({ timesPaid }) => timesPaid > 1).length
  const lines = [
    '',
    `${counted(payouts, 'payout')}, ${truth.totals.payments} paid by the bank, ${twice} of them twice; ` +
      `${faults} met a fault, and the paying process was killed once.`,
    ...problems.map(({ code, about }) => `${code}  ${about}`),
    problems.length === 0
      ? 'Books and bank agree to the cent.'
      : `Books and bank do not agree: ${counted(problems.length, 'problem')}.`,
  ]
  return lines.join('\n')
}
