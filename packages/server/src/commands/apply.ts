import { LIST_COMMANDS_MAX, PAGE_MAX, toWireJson } from 'holdfast'
import type { Account, AccountId, Command, Ledger, Outcome } from 'holdfast'
import { accountsOf, readLists } from '../command-lists.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readText } from '../input-file.ts'
import type { Io } from '../io.ts'
import { inPieces, lookUpEach } from '../pieces.ts'
import { Progress } from '../progress.ts'
import type { Register } from '../run.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openLedgers } from '../wiring.ts'

interface ApplyOptions extends BookOptions {
  readonly oneByOne?: true
}

/** `holdfast apply FILE.jsonl`: carries out command lists and prints what became of each. */
export const registerApply: Register = (program, run) => {
  withBook(program.command('apply'))
    .description('Carry out command lists, {"book": …, "commands": […]} a line')
    .argument('<file>', 'a file of JSON lines, or - for standard input')
    .option('--one-by-one', 'send each command in a list of its own')
    .action((file: string, options: ApplyOptions) => run(io => apply(file, options, io)))
}

async function apply(file: string, options: ApplyOptions, io: Io): Promise<ExitCode> {
  const lists = readLists(file, await readText(file, io.stdin), options.book)
  const books = await openLedgers(options, { create: true })
  const progress = new Progress(io, 'Applying', lists.length)
  let refused = 0
  try {
    for (const [index, list] of lists.entries()) {
      const ledger = books.ledger(list.book)
      const outcomes = await send(ledger, list.commands, options.oneByOne ? 1 : LIST_COMMANDS_MAX)
      refused += outcomes.filter(outcome => !outcome.ok).length
      const accounts = await read(ledger, accountsOf(list.commands, outcomes))
      await io.print(toWireJson({ book: list.book, outcomes, accounts }))
      progress.reach(index + 1)
    }
  } finally {
    progress.end()
    await books.close()
  }
  return refused === 0 ? EXIT.clean : EXIT.findings
}

async function send(
  ledger: Ledger,
  commands: readonly Command[],
  atOnce: number,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const piece of inPieces(commands, atOnce)) outcomes.push(...(await ledger.apply(piece)))
  return outcomes
}

type Balances = Record<AccountId, Pick<Account, 'posted' | 'held' | 'version'>>

/**
 * Accounts as they stand after a list; those that do not exist are left out. One page answers for a
 * book that fits on it; in a larger one, what is not on it is asked for by id.
 */
async function read(ledger: Ledger, ids: readonly AccountId[]): Promise<Balances> {
  const page = await ledger.accounts({ limit: PAGE_MAX })
  const found = new Map(page.map(account => [account.id, account]))
  const missing = page.length < PAGE_MAX ? [] : ids.filter(id => !found.has(id))
  for (const account of await lookUpEach(missing, id => ledger.account(id)))
    if (account) found.set(account.id, account)
  return Object.fromEntries(
    ids.flatMap(id => {
      const account = found.get(id)
      if (!account) return []
      const { posted, held, version } = account
      return [[id, { posted, held, version }]]
    }),
  )
}
