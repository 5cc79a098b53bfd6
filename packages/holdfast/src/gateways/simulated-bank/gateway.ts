import { currencyOf, scaleOf } from '../../money/asset.ts'
import type { Gateway, GatewayDeclaration, PayoutInstruction } from '../../payouts/gateway.ts'
import { exchange } from './exchange.ts'
import { readSend, readStatus } from './reading.ts'
import type { AskedPayment } from './reading.ts'

/** How to reach a simulated bank. */
export interface SimulatedBankOptions {
  /** Where it listens, `http://127.0.0.1:4010`. */
  readonly url: string
  /** Stands in account ids: `clearing:<name>`. */
  readonly name: string
  /** How long an answer may take as a whole, in milliseconds. */
  readonly timeoutMs: number
  /** Where the bank was started with other promises than its own defaults. */
  readonly declares?: Partial<GatewayDeclaration>
}

/**
 * What a bank keeps that is started without options: keys for 24 hours, final after 10 minutes. A
 * refusal is kept under its key too, and its status is read from the one book.
 */
const DECLARES: GatewayDeclaration = {
  idempotency: true,
  keyRetentionMs: 86_400_000,
  finalityMs: 600_000,
  statusIsStrong: true,
}

/** The gateway of `@holdfast/simulated-bank`. A payout's id is its key and its end-to-end id. */
export function simulatedBankGateway(options: SimulatedBankOptions): Gateway {
  const { name, timeoutMs } = options
  const base = new URL(options.url)
  if (base.protocol !== 'http:') throw new TypeError('The url of a simulated bank is http://')
  return {
    name,
    declares: { ...DECLARES, ...options.declares },
    async send(instruction) {
      const payment = paymentOf(instruction)
      const answer = await exchange({
        method: 'POST',
        url: new URL('/payments', base),
        headers: { 'content-type': 'application/json', 'idempotency-key': payment.id },
        body: JSON.stringify(payment),
        timeoutMs,
      })
      if ('lost' in answer) return { answer: 'unknown', reason: answer.lost }
      return readSend(answer, payment)
    },
    async status(instruction) {
      const payment = paymentOf(instruction)
      const url = new URL(`/payments/${encodeURIComponent(payment.id)}`, base)
      const answer = await exchange({ method: 'GET', url, headers: {}, body: null, timeoutMs })
      if ('lost' in answer) return { answer: 'unknown', reason: answer.lost }
      return readStatus(answer, payment)
    },
  }
}

/** The body of a send. The scale goes with it: an amount means nothing without. */
function paymentOf(
  instruction: PayoutInstruction,
): AskedPayment & Readonly<Record<string, unknown>> {
  const { payout, amount, asset, payeeName, destination } = instruction
  return {
    id: payout,
    amount: String(amount),
    currency: currencyOf(asset),
    scale: scaleOf(asset),
    payeeName,
    destination,
    endToEndId: payout,
  }
}
