import { toWireJson } from 'holdfast'
import { formatDecimal, scaleOf } from 'holdfast/money'
import { PAYOUT_STATUSES, type Payout, type PayoutStatus } from 'holdfast/payouts'
import { BadInput } from '../bad-input.ts'
import { requireBook } from '../existing-book.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { payoutPages } from '../payout-pages.ts'
import type { Register } from '../run.ts'
import { table } from '../table.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openBooks } from '../wiring.ts'

interface PayoutsOptions extends BookOptions {
  readonly status?: PayoutStatus
  readonly batch?: string
}

/** `holdfast payouts`: the payouts of a book, in the order in which they were requested. */
export const registerPayouts: Register = (program, run) => {
  withBook(program.command('payouts'))
    .description('List payouts')
    .option('--status <status>', `only those that are ${PAYOUT_STATUSES.join(', ')}`, readStatus)
    .option('--batch <batch>', 'only those of a batch')
    .action((options: PayoutsOptions) => run(io => list(options, io)))
}

async function list({ status, batch, ...options }: PayoutsOptions, io: Io): Promise<ExitCode> {
  const books = await openBooks(options, { create: false })
  try {
    await requireBook(books.store, options.book)
    const payouts = books.payouts(options.book)
    const filter = {
      ...(status !== undefined && { statuses: [status] }),
      ...(batch !== undefined && { batch }),
    }
    for await (const page of payoutPages(payouts, filter)) {
      if (options.json) for (const payout of page) await io.print(toWireJson(payout))
      else await io.print(inTable(page))
    }
    return EXIT.clean
  } finally {
    await books.close()
  }
}

function inTable(payouts: readonly Payout[]): string {
  return table(
    [
      { title: 'payout' },
      { title: 'request key' },
      { title: 'batch' },
      { title: 'account' },
      { title: 'amount', right: true },
      { title: 'asset' },
      { title: 'status' },
      { title: 'why' },
    ],
    payouts.map(({ id, requestKey, batch, account, amount, asset, status, reason }) => [
      ...[id, requestKey, batch ?? '', account],
      ...[formatDecimal(amount, scaleOf(asset)), asset, status, reason ?? ''],
    ]),
  )
}

function readStatus(text: string): PayoutStatus {
  const status = PAYOUT_STATUSES.find(each => each === text)
  if (!status) throw new BadInput(`--status: one of ${PAYOUT_STATUSES.join(', ')}`)
  return status
}
