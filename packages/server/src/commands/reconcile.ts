import { toWireJson } from 'holdfast'
import { isClean, reportAsText } from 'holdfast/reconciliation'
import type { IntakeId } from 'holdfast/statements'
import { BadInput } from '../bad-input.ts'
import { requireBook } from '../existing-book.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readGatewayIfAny, withGateway, type GatewayOptions } from '../gateway-option.ts'
import type { Io } from '../io.ts'
import { readOptions, withMapping, type MappingOptions } from '../mapping-file.ts'
import { prepareFolder, writeReport } from '../report-files.ts'
import type { Register } from '../run.ts'
import { checkFiles, statementFile } from '../statement-files.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openBooks, type BankBooks } from '../wiring.ts'

interface ReconcileOptions extends BookOptions, GatewayOptions, MappingOptions {
  readonly final?: true
  readonly report?: string
}

/** `holdfast reconcile FILE…`: takes a bank's statements and holds our books against them. */
export const registerReconcile: Register = (program, run) => {
  withMapping(withGateway(withBook(program.command('reconcile'))))
    .description('Hold the books against bank statements (camt.053, or CSV with a mapping)')
    .argument('<file...>')
    .option('--final', 'the bank will add no lines to the days of these files')
    .option('--report <dir>', 'write report.json, report.csv and report.html there')
    .action((files: string[], options: ReconcileOptions) =>
      run(io => reconcile(files, options, io)),
    )
}

async function reconcile(
  files: readonly string[],
  options: ReconcileOptions,
  io: Io,
): Promise<ExitCode> {
  const howToRead = await readOptions(options, io)
  const reachable = readGatewayIfAny(options)
  const asset = await checkFiles(files, howToRead)
  if (asset === null)
    throw new BadInput(`${files.join(', ')}: no line and no statement says its currency`)
  const books = await openBooks(options, { create: false })
  try {
    await requireBook(books.store, options.book)
    if (options.report !== undefined) prepareFolder(options.report)
    const bank = await books.bank(options.book, asset, reachable)
    const outcome = await bank.take(files.map(path => statementFile(path, howToRead)))
    if (!outcome.ok)
      throw new BadInput(`${files[outcome.file]}: refused: ${outcome.refusal.message}`)
    for (const [index, { taken }] of outcome.files.entries())
      if (taken === 'before') io.note(`${files[index]} was taken before`)
    const intakes = outcome.files.map(({ intake }) => intake)
    return await report(bank, intakes, options, io)
  } finally {
    await books.close()
  }
}

async function report(
  bank: BankBooks,
  intakes: readonly IntakeId[],
  options: ReconcileOptions,
  io: Io,
): Promise<ExitCode> {
  const done = await bank.reconciliation.run(intakes, { final: options.final ?? false })
  if (!done.ok) throw new Error(`The ledger refuses to post a statement: ${done.refusal.message}`)
  if (options.report !== undefined) writeReport(options.report, done.report)
  await io.print(options.json ? toWireJson(done.report) : reportAsText(done.report).trimEnd())
  return isClean(done.report) ? EXIT.clean : EXIT.findings
}
