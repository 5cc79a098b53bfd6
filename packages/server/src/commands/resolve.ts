import type { PayoutProgress, Payouts } from 'holdfast/payouts'
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
    const open = await countOpen(payouts, options.batch)
    for (const { payout, error } of [...stuck, ...done.stuck])
      io.note(`Payout ${payout}: ${String(error)}`)
    const { success, failed, unknown } = done
    await io.print(
      options.json
        ? JSON.stringify({ success, failed, unknown, stuck: done.stuck.length, open })
        : `${success} paid, ${failed} failed, ${unknown} still unknown; ${open} without a final answer now`,
    )
    return open === 0 && stuck.length === 0 ? EXIT.clean : EXIT.findings
  } finally {
    await books.close()
  }
}

async function ask(
  payouts: Payouts,
  { batch, concurrency }: ResolveOptions,
  io: Io,
): Promise<PayoutProgress> {
  const progress = new Progress(io, 'Asking', await countOpen(payouts, batch))
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

/** Payouts without a final answer, also those that another process has in hand right now. */
async function countOpen(payouts: Payouts, batch: string | undefined): Promise<number> {
  const filter = {
    statuses: ['requested', 'processing', 'unknown'] as const,
    ...(batch !== undefined && { batch }),
  }
  let count = 0
  for await (const page of payoutPages(payouts, filter)) count += page.length
  return count
}
