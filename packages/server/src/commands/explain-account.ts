import { toWireJson, type Account, type Entry, type Ledger, type Movement } from 'holdfast'
import { formatDecimal, scaleOf } from 'holdfast/money'
import { BadInput } from '../bad-input.ts'
import { requireBook } from '../existing-book.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { lookUpEach } from '../pieces.ts'
import { readCount } from '../read-count.ts'
import type { Register } from '../run.ts'
import { table } from '../table.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openLedgers } from '../wiring.ts'

/** One entry more is read than is shown: the change of the oldest is against the one before it. */
const SHOWN_MAX = 999

interface ExplainOptions extends BookOptions {
  readonly limit: number
}

/** What one movement changed on the account; amounts in minor units. */
interface Step {
  readonly entry: Entry
  readonly kind: Movement['kind'] | null
  readonly postedChange: bigint
  readonly heldChange: bigint
  /** The accounts on the other side of the movement's legs. */
  readonly others: readonly string[]
  readonly reason: string | null
}

/** `holdfast explain ACCOUNT`: how its balances came to be, newest first. */
export const registerExplain: Register = (program, run) => {
  withBook(program.command('explain'))
    .description('How the balances of an account came to be, newest first, with keys')
    .argument('<account>')
    .option(
      '--limit <count>',
      `how many steps, 1 to ${SHOWN_MAX}`,
      readCount('--limit', SHOWN_MAX),
      50,
    )
    .action((account: string, options: ExplainOptions) => run(io => explain(account, options, io)))
}

async function explain(id: string, options: ExplainOptions, io: Io): Promise<ExitCode> {
  const books = await openLedgers(options, { create: false })
  try {
    await requireBook(books.store, options.book)
    const ledger = books.ledger(options.book)
    const account = await ledger.account(id)
    if (!account) throw new BadInput(`There is no account ${id} in the book ${options.book}`)
    const steps = await stepsTo(ledger, id, options.limit)
    if (options.json) for (const step of steps) await io.print(toWireJson(step))
    else await io.print(inWords(account, steps))
    const last = steps.at(-1)
    if (last && last.entry.version > 1n)
      io.note(`${last.entry.version - 1n} older: holdfast entries ${id}`)
    return EXIT.clean
  } finally {
    await books.close()
  }
}

/** The newest steps of an account, newest first. */
async function stepsTo(ledger: Ledger, id: string, limit: number): Promise<Step[]> {
  const entries = await ledger.entries(id, { limit: limit + 1 })
  const keys = [...new Set(entries.slice(0, limit).map(entry => entry.key))]
  const found = (await lookUpEach(keys, key => ledger.movements(key))).flat()
  return entries.slice(0, limit).map((entry, index): Step => {
    const before = entries[index + 1]
    const movement = found.find(each => each.key === entry.key && each.part === entry.part)
    return {
      entry,
      kind: movement?.kind ?? null,
      postedChange: entry.posted - (before?.posted ?? 0n),
      heldChange: entry.held - (before?.held ?? 0n),
      others: movement ? othersOf(movement, id) : [],
      reason: movement?.reason ?? null,
    }
  })
}

function othersOf({ legs }: Movement, id: string): string[] {
  const own = legs.filter(leg => leg.to === id || leg.from.includes(id))
  const others = own.flatMap(leg => (leg.to === id ? leg.from : [leg.to]))
  return [...new Set(others)]
}

function inWords({ id, book, asset, posted, held }: Account, steps: readonly Step[]): string {
  const decimal = (amount: bigint) => formatDecimal(amount, scaleOf(asset))
  const change = (amount: bigint) => (amount > 0n ? `+${decimal(amount)}` : decimal(amount))
  const today = `posted ${decimal(posted)}, held ${decimal(held)}, available ${decimal(posted - held)}`
  const rows = steps.map(({ entry, kind, postedChange, heldChange, others, reason }) => [
    String(entry.version),
    entry.recorded,
    kind ?? 'no movement',
    entry.key,
    change(postedChange),
    change(heldChange),
    decimal(entry.posted - entry.held),
    [...others, ...(reason === null ? [] : [`(${reason})`])].join(' '),
  ])
  return [
    `${id} in the book ${book}, ${asset}: ${today}`,
    '',
    table(
      [
        { title: 'version', right: true },
        { title: 'recorded' },
        { title: 'what' },
        { title: 'key' },
        { title: 'posted', right: true },
        { title: 'held', right: true },
        { title: 'available', right: true },
        { title: 'with' },
      ],
      rows,
    ),
  ].join('\n')
}
