import type { PayoutProgress, Payouts, PayoutStatus } from 'holdfast/payouts'
import { requireBook } from '../existing-book.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readGateway, withGateway, type GatewayOptions } from '../gateway-option.ts'
import type { Io } from '../io.ts'
import { payoutPages } from '../payout-pages.ts'
import { Progress } from '../progress.ts'
import { readConcurrency } from '../read-count.ts'
import type { Register } from '../run.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openBooks } from '../wiring.ts'

interface ResolveOptions extends BookOptions, GatewayOptions {
  readonly batch?: string
  readonly concurrency: number
}

/** `holdfast resolve`: asks the gateway what became of every payout without a final answer. */
export const registerResolve: Register = (program, run) => {
  withGateway(withBook(program.command('resolve')))
    .description('Ask the gateway about payouts without a final answer')
    .option('--batch <batch>', 'only those of a batch')
    .option('--concurrency <count>', 'how many at the same moment', readConcurrency, 40)
    .action((options: ResolveOptions) => run(io => resolve(options, io)))
}

async function resolve(options: ResolveOptions, io: Io): Promise<ExitCode> {
  const gateway = readGateway(options)
  const books = await openBooks(options, { create: false })
  try {
    await requireBook(books.store, options.book)
    const payouts = books.payouts(options.book, gateway)
    const { stuck } = await payouts.sweep()
    const done = await ask(payouts, options, io)
    const open = await readOpen(payouts, options.batch)
    for (const { payout, error } of [...stuck, ...done.stuck])
      io.note(`Payout ${payout}: ${String(error)}`)
    const { success, failed, unknown } = done
    await io.print(
      options.json
        ? JSON.stringify({ success, failed, unknown, stuck: done.stuck.length, open: open.length })
        : `${success} paid, ${failed} failed, ${unknown} still unknown; ${open.length} without a final answer now`,
    )
    if (!options.json && open.length > 0) await io.print(advice(open))
    return open.length === 0 && stuck.length === 0 ? EXIT.clean : EXIT.findings
  } finally {
    await books.close()
  }
}

async function ask(
  payouts: Payouts,
  { batch, concurrency }: ResolveOptions,
  io: Io,
): Promise<PayoutProgress> {
  const progress = new Progress(io, 'Asking', (await readOpen(payouts, batch)).length)
  try {
    return await payouts.resolve({
      concurrency,
      ...(batch !== undefined && { batch }),
      onProgress: ({ success, failed, unknown, stuck }) => {
        progress.reach(success + failed + unknown + stuck.length)
      },
    })
  } finally {
    progress.end()
  }
}

/** The statuses of the payouts without a final answer, also of those that another process has. */
async function readOpen(payouts: Payouts, batch: string | undefined): Promise<PayoutStatus[]> {
  const filter = {
    statuses: ['requested', 'processing', 'unknown'] as const,
    ...(batch !== undefined && { batch }),
  }
  const open: PayoutStatus[] = []
  for await (const page of payoutPages(payouts, filter))
    open.push(...page.map(payout => payout.status))
  return open
}

/** How to see which payouts have no final answer, and why. */
function advice(open: readonly PayoutStatus[]): string {
  const lists = [...new Set(open)].map(status => `holdfast payouts --status ${status}`)
  return `Which, and why: ${lists.join(', ')}`
}
