import { PAGE_MAX, toWireJson, type Account, type Entry } from 'holdfast'
import { formatDecimal, scaleOf } from 'holdfast/money'
import { BadInput } from '../bad-input.ts'
import { requireBook } from '../existing-book.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { readCount } from '../read-count.ts'
import type { Register } from '../run.ts'
import { table } from '../table.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openLedgers } from '../wiring.ts'

interface EntriesOptions extends BookOptions {
  readonly limit: number
  readonly before?: bigint
}

/** `holdfast entries ACCOUNT`: what happened on an account, newest first, a page at a time. */
export const registerEntries: Register = (program, run) => {
  withBook(program.command('entries'))
    .description('The entries of an account, newest first')
    .argument('<account>')
    .option('--limit <count>', `how many, 1 to ${PAGE_MAX}`, readCount('--limit', PAGE_MAX), 50)
    .option('--before <version>', 'those below this version: the next page', readVersion)
    .action((account: string, options: EntriesOptions) => run(io => entries(account, options, io)))
}

async function entries(id: string, options: EntriesOptions, io: Io): Promise<ExitCode> {
  const books = await openLedgers(options, { create: false })
  try {
    await requireBook(books.store, options.book)
    const ledger = books.ledger(options.book)
    const account = await ledger.account(id)
    if (!account) throw new BadInput(`There is no account ${id} in the book ${options.book}`)
    const { limit, before } = options
    const page = await ledger.entries(id, { limit, ...(before !== undefined && { before }) })
    if (options.json) for (const entry of page) await io.print(toWireJson(entry))
    else await io.print(inTable(account, page))
    const last = page.at(-1)
    if (page.length === limit && last && last.version > 1n)
      io.note(`There are more: --before ${last.version}`)
    return EXIT.clean
  } finally {
    await books.close()
  }
}

function inTable({ asset }: Account, page: readonly Entry[]): string {
  const decimal = (amount: bigint) => formatDecimal(amount, scaleOf(asset))
  return table(
    [
      { title: 'version', right: true },
      { title: 'recorded' },
      { title: 'posted', right: true },
      { title: 'held', right: true },
      { title: 'available', right: true },
      { title: 'asset' },
      { title: 'key' },
    ],
    page.map(({ version, recorded, posted, held, key, part }) => [
      String(version),
      recorded,
      decimal(posted),
      decimal(held),
      decimal(posted - held),
      asset,
      part === 0 ? key : `${key} (its end)`,
    ]),
  )
}

/** A version counts up to 2^63-1. */
function readVersion(text: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new BadInput('--before: a version, from 1')
  return BigInt(text)
}
