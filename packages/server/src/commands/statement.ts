import { createReadStream } from 'node:fs'
import { minorUnits, formatDecimal } from 'holdfast/money'
import { readStatements, summarize } from 'holdfast/statements'
import type { FileJson, LineJson, ReadOptions, StatementJson } from 'holdfast/statements'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { whyUnreadable } from '../input-file.ts'
import type { Io } from '../io.ts'
import { readOptions, withMapping, type MappingOptions } from '../mapping-file.ts'
import type { Register } from '../run.ts'
import { table } from '../table.ts'

interface StatementOptions extends MappingOptions {
  readonly json?: true
}

/** How many lines of a statement a person is shown. */
const LINES_SHOWN_MAX = 20

/** `holdfast statement FILE…`: what the reader makes of a bank's file. Needs no books. */
export const registerStatement: Register = (program, run) => {
  withMapping(program.command('statement'))
    .description('Show what is read from a bank statement (camt.053, or CSV with a mapping)')
    .argument('<file...>')
    .option('--json', 'machine-readable output, one JSON object a file')
    .action((files: string[], options: StatementOptions) => run(io => show(files, options, io)))
}

async function show(
  files: readonly string[],
  options: StatementOptions,
  io: Io,
): Promise<ExitCode> {
  const howToRead = await readOptions(options, io)
  let exitCode: ExitCode = EXIT.clean
  for (const file of files) {
    const read = await readFile(file, howToRead)
    if (!read.accepted) {
      exitCode = EXIT.badInput
      const place = read.place === null ? '' : ` (${read.place})`
      io.note(`${file}: refused: ${read.why}${place}`)
    }
    if (options.json) await io.print(JSON.stringify({ file, ...read }))
    else if (read.accepted) await io.print(inWords(file, read))
  }
  return exitCode
}

async function readFile(file: string, options: ReadOptions): Promise<FileJson> {
  try {
    return await summarize(readStatements(createReadStream(file), options))
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    return { format: null, accepted: false, why: whyUnreadable(error), place: null, statements: [] }
  }
}

function inWords(file: string, { format, statements }: FileJson): string {
  return [`${file}: ${format ?? ''}`, ...statements.map(statementInWords)].join('\n\n')
}

function statementInWords({
  id,
  account,
  currency,
  opening,
  closing,
  lines,
}: StatementJson): string {
  const scale = minorUnits(currency ?? '')
  const balance = (amount: string | null) =>
    amount === null || scale === null ? 'not stated' : formatDecimal(BigInt(amount), scale)
  const head = table(
    [{ title: 'statement' }, { title: 'account' }, ...BALANCES],
    [
      [
        ...[id ?? 'none', account ?? 'none', currency ?? 'none'],
        ...[balance(opening), balance(closing), String(lines.length)],
      ],
    ],
  )
  if (lines.length === 0) return head
  const more = lines.length - LINES_SHOWN_MAX
  const rest = more > 0 ? `\n… and ${more} more: --json shows them all` : ''
  return `${head}\n\n${table(LINES, lines.slice(0, LINES_SHOWN_MAX).map(lineCells))}${rest}`
}

const BALANCES = [
  { title: 'currency' },
  { title: 'opening', right: true },
  { title: 'closing', right: true },
  { title: 'lines', right: true },
] as const

const LINES = [
  { title: 'booked' },
  { title: 'amount', right: true },
  { title: 'currency' },
  { title: 'status' },
  { title: 'reference' },
] as const

function lineCells(line: LineJson): string[] {
  const { amount, currency, direction, booked, status, bankRef, refs } = line
  const decimal = formatDecimal(BigInt(amount), minorUnits(currency) ?? 0)
  const reference = [refs['endToEndId'] ?? bankRef ?? Object.values(refs)[0] ?? []].flat()
  return [
    booked ?? 'none',
    direction === 'debit' ? `-${decimal}` : decimal,
    currency,
    status,
    reference.join(', '),
  ]
}
