import { instructionOf, payoutId, type Gateway, type Payouts } from 'holdfast/payouts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { readGateway, withGateway, GATEWAY_NAME, type GatewayOptions } from '../gateway-option.ts'
import { readText } from '../input-file.ts'
import type { Io } from '../io.ts'
import { prepareAccounts } from '../payment-accounts.ts'
import { inWords, toJson, type PaidRow } from '../payment-report.ts'
import { readPayments, type PaymentRow } from '../payments-file.ts'
import { inPieces, lookUpEach } from '../pieces.ts'
import { Progress } from '../progress.ts'
import { readConcurrency } from '../read-count.ts'
import type { Register } from '../run.ts'
import { withBook, type BookOptions } from '../where.ts'
import { openBooks } from '../wiring.ts'

interface PayOptions extends BookOptions, GatewayOptions {
  readonly concurrency: number
}

/** So many payouts are requested at once. */
const REQUESTS_AT_ONCE = 100

/** `holdfast pay FILE.csv`: requests, approves and sends every payout of a file, each once. */
export const registerPay: Register = (program, run) => {
  withGateway(withBook(program.command('pay')))
    .description('Pay out a file: request_key,account,amount,asset,payee,destination[,batch]')
    .argument('<file>', 'a CSV file, or - for standard input')
    .option('--concurrency <count>', 'how many at the same moment', readConcurrency, 40)
    .action((file: string, options: PayOptions) => run(io => pay(file, options, io)))
}

async function pay(file: string, options: PayOptions, io: Io): Promise<ExitCode> {
  const rows = readPayments(file, await readText(file, io.stdin), GATEWAY_NAME)
  const reachable = readGateway(options)
  const books = await openBooks(options, { create: false })
  try {
    const payouts = books.payouts(options.book, reachable)
    await prepareAccounts(file, rows, books.ledger(options.book), GATEWAY_NAME)
    const away = await whyAway(reachable.gateway, options.book, rows)
    if (away !== null) {
      io.note(`The gateway cannot be reached: ${away}. Nothing was requested.`)
      return EXIT.notDone
    }
    const requested = await request(payouts, rows, io)
    await send(payouts, requested, options.concurrency, io)
    const paid = await lookUp(payouts, requested)
    for (const line of options.json ? paid.map(toJson) : [inWords(paid)]) await io.print(line)
    return paid.every(({ payout }) => payout?.status === 'success') ? EXIT.clean : EXIT.findings
  } finally {
    await books.close()
  }
}

/** So often a gateway is asked whether it is there. */
const TRIES_MAX = 3

/** No request key has a space in it, so what has this one was never asked for. */
const NOBODYS_KEY = 'is it there?'

/** A gateway that cannot even be asked would turn every payout of the file into an unknown one. */
async function whyAway(
  gateway: Gateway,
  book: string,
  [first]: readonly PaymentRow[],
): Promise<string | null> {
  if (!first) return null
  const asked = instructionOf({ ...first.request, id: payoutId(book, NOBODYS_KEY) })
  let why: string | null = null
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const status = await gateway.status(asked)
    if (status.answer !== 'unknown') return null
    why = status.reason
  }
  return why
}

async function request(payouts: Payouts, rows: readonly PaymentRow[], io: Io): Promise<PaidRow[]> {
  const progress = new Progress(io, 'Requesting', rows.length)
  const requested: PaidRow[] = []
  try {
    // What another run left in the middle is finished first.
    await payouts.sweep()
    for (const part of inPieces(rows, REQUESTS_AT_ONCE)) {
      const results = await payouts.requestMany(part.map(row => row.request))
      for (const [index, result] of results.entries()) {
        const row = part[index]
        if (!row) throw new Error('there are more answers than requests')
        requested.push(
          result.ok
            ? { ...row, payout: result.payout, replayed: result.replayed, refusal: null }
            : { ...row, payout: null, replayed: false, refusal: result.refusal },
        )
      }
      progress.reach(requested.length)
    }
  } finally {
    progress.end()
  }
  return requested
}

/** Approves what is pending, and pays what is approved. */
async function send(
  payouts: Payouts,
  rows: readonly PaidRow[],
  concurrency: number,
  io: Io,
): Promise<void> {
  const pending = rows.flatMap(({ payout }) => (payout?.status === 'pending' ? [payout.id] : []))
  await payouts.approve(pending)
  const total = rows.filter(({ payout }) => isToBePaid(payout?.status)).length
  const progress = new Progress(io, 'Paying', total)
  try {
    const { stuck } = await payouts.payBatch({
      concurrency,
      // What else is approved in this book is not of this file.
      ids: rows.flatMap(({ payout }) => payout?.id ?? []),
      onProgress: ({ success, failed, unknown, stuck }) => {
        progress.reach(success + failed + unknown + stuck.length)
      },
    })
    for (const { payout, error } of stuck) io.note(`Payout ${payout}: ${String(error)}`)
  } finally {
    progress.end()
  }
}

function isToBePaid(status: string | undefined): boolean {
  return status === 'pending' || status === 'approved'
}

/** How the payouts of the file stand now, whichever process has paid them. */
function lookUp(payouts: Payouts, rows: readonly PaidRow[]): Promise<PaidRow[]> {
  return lookUpEach(rows, async row => ({
    ...row,
    payout: row.payout && (await payouts.find(row.payout.id)),
  }))
}
