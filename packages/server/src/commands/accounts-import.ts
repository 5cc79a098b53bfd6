import { isName, LIST_COMMANDS_MAX, NAME_RULE } from 'holdfast'
import type { AccountId, Asset, Command, Ledger, Outcome } from 'holdfast'
import { createHash } from 'node:crypto'
import { readAccounts, type AccountRow } from '../accounts-file.ts'
import { BadInput } from '../bad-input.ts'
import { counted } from '../counted.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readText } from '../input-file.ts'
import type { Io } from '../io.ts'
import { inPieces } from '../pieces.ts'
import { Progress } from '../progress.ts'
import type { Register } from '../run.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openLedgers } from '../wiring.ts'

interface ImportOptions extends BookOptions {
  readonly from: AccountId
}

/** What became of a row. */
interface Imported {
  readonly row: number
  readonly account: AccountId
  readonly result: 'imported' | 'known' | 'refused'
  readonly why: string | null
}

/** `holdfast accounts import FILE.csv`: opens accounts and gives each its opening balance, once. */
export const registerAccounts: Register = (program, run) => {
  const accounts = program.command('accounts').description('Accounts of a book')
  withBook(accounts.command('import'))
    .description('Open accounts from a file: account,asset[,floor][,balance]')
    .argument('<file>', 'a CSV file, or - for standard input')
    .option('--from <account>', 'where opening balances come from', readFrom, 'world')
    .action((file: string, options: ImportOptions) => run(io => importFile(file, options, io)))
}

async function importFile(file: string, options: ImportOptions, io: Io): Promise<ExitCode> {
  const rows = readAccounts(file, await readText(file, io.stdin))
  const asset = assetGiven(file, rows, options.from)
  const books = await openLedgers(options, { create: true })
  const progress = new Progress(io, 'Importing', rows.length)
  const results: Imported[] = []
  try {
    const ledger = books.ledger(options.book)
    if (asset !== null) await openSource(ledger, options.from, asset)
    for (const part of inPieces(rows, LIST_COMMANDS_MAX)) {
      results.push(...(await importRows(ledger, part, options.from)))
      progress.reach(results.length)
    }
  } finally {
    progress.end()
    await books.close()
  }
  await report(results, options, io)
  return results.some(({ result }) => result === 'refused') ? EXIT.findings : EXIT.clean
}

/** The asset of the opening balances, null where there are none. One account gives them all. */
function assetGiven(file: string, rows: readonly AccountRow[], from: AccountId): Asset | null {
  const [first, ...others] = rows.filter(row => row.balance > 0n)
  if (!first) return null
  const problems = others
    .filter(row => row.asset !== first.asset)
    .map(
      row =>
        `${file} row ${row.row}, balance: in ${row.asset}, and ${from} gives ${first.asset}: one file for each asset, with a --from of its own`,
    )
  if (problems.length > 0) throw new BadInput(problems)
  return first.asset
}

/** Opens the account that gives the opening balances, without a floor, where it is not there. */
async function openSource(ledger: Ledger, account: AccountId, asset: Asset): Promise<void> {
  const known = await ledger.account(account)
  if (known && known.asset !== asset)
    throw new BadInput(`--from: ${account} holds ${known.asset}, and the file gives ${asset}`)
  if (known) return
  const opened = await ledger.submit({ do: 'open', account, asset, floor: null })
  if (!opened.ok) throw new BadInput(`--from: ${opened.refusal.message}`)
}

/** Opens first: an account that exists otherwise gets no money. */
async function importRows(
  ledger: Ledger,
  rows: readonly AccountRow[],
  from: AccountId,
): Promise<Imported[]> {
  const opened = await ledger.apply(
    rows.map(({ account, asset, floor }) => ({ do: 'open', account, asset, floor })),
  )
  const funded = rows.filter((row, at) => opened[at]?.ok && row.balance > 0n)
  const transfers = await ledger.apply(funded.map(row => openingBalance(row, from)))
  const transferOf = new Map(funded.map((row, at) => [row, transfers[at]]))
  return rows.map((row, at) => resultOf(row, [opened[at], transferOf.get(row)]))
}

function resultOf(
  { row, account }: AccountRow,
  outcomes: readonly (Outcome | undefined)[],
): Imported {
  for (const outcome of outcomes)
    if (outcome?.ok === false)
      return { row, account, result: 'refused', why: outcome.refusal.message }
  const known = outcomes.every(outcome => outcome?.ok !== true || outcome.replayed)
  return { row, account, result: known ? 'known' : 'imported', why: null }
}

/**
 * An account has one opening balance: the key is made of the account alone, so that a file given
 * again moves nothing, and one with another balance is refused as `KEY_REUSED`.
 */
function openingBalance({ account, asset, balance }: AccountRow, from: AccountId): Command {
  const hash = createHash('sha256').update(account).digest('hex').slice(0, 32)
  return {
    do: 'transfer',
    key: `opening-balance:${hash}`,
    legs: [{ from, to: account, asset, amount: balance }],
  }
}

async function report(
  results: readonly Imported[],
  { json }: ImportOptions,
  io: Io,
): Promise<void> {
  if (json) {
    for (const each of results) await io.print(JSON.stringify(each))
    return
  }
  const count = (result: Imported['result']) => results.filter(r => r.result === result).length
  for (const { row, account, result, why } of results)
    if (result === 'refused') io.note(`Row ${row}, ${account}: ${why ?? ''}`)
  await io.print(
    `${counted(results.length, 'account')}: ${count('imported')} imported, ${count('known')} imported before, ${count('refused')} refused`,
  )
}

function readFrom(account: string): AccountId {
  if (!isName(account)) throw new BadInput(`--from: ${NAME_RULE}`)
  return account
}
