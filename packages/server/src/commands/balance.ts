import { parseInstant, toWireJson, type Account, type Instant } from 'holdfast'
import { formatDecimal, scaleOf } from 'holdfast/money'
import { BadInput } from '../bad-input.ts'
import { requireBook } from '../existing-book.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import type { Register } from '../run.ts'
import { table } from '../table.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openLedgers } from '../wiring.ts'

interface BalanceOptions extends BookOptions {
  readonly at?: Instant
}

/** `holdfast balance ACCOUNT`: an account now, or as it stood at a recorded time. */
export const registerBalance: Register = (program, run) => {
  withBook(program.command('balance'))
    .description('An account: posted, held and available')
    .argument('<account>')
    .option('--at <time>', 'as of a recorded time, 2026-11-30T09:00:00Z', readTime)
    .action((account: string, options: BalanceOptions) => run(io => balance(account, options, io)))
}

async function balance(id: string, options: BalanceOptions, io: Io): Promise<ExitCode> {
  const books = await openLedgers(options, { create: false })
  try {
    await requireBook(books.store, options.book)
    const account = await books.ledger(options.book).account(id, options.at)
    if (!account) throw new BadInput(`There is no account ${id} in the book ${options.book}`)
    await io.print(options.json ? inJson(account, options.at) : inTable(account))
    return EXIT.clean
  } finally {
    await books.close()
  }
}

function inJson(account: Account, at: Instant | undefined): string {
  const available = account.posted - account.held
  return toWireJson({ ...account, available, at: at ?? null })
}

function inTable(account: Account): string {
  const { id, asset, posted, held, floor, version, closed } = account
  const decimal = (amount: bigint) => formatDecimal(amount, scaleOf(asset))
  return table(
    [
      { title: 'account' },
      { title: 'asset' },
      { title: 'posted', right: true },
      { title: 'held', right: true },
      { title: 'available', right: true },
      { title: 'floor', right: true },
      { title: 'version', right: true },
      { title: 'state' },
    ],
    [
      [
        id,
        asset,
        decimal(posted),
        decimal(held),
        decimal(posted - held),
        floor === null ? 'none' : decimal(floor),
        String(version),
        closed ? 'closed' : 'open',
      ],
    ],
  )
}

function readTime(text: string): Instant {
  const instant = parseInstant(text)
  if (instant === null)
    throw new BadInput('--at: a time with an offset and whole milliseconds, 2026-11-30T09:00:00Z')
  return instant
}
