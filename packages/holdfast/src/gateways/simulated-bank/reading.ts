import type { SendAnswer, StatusAnswer } from '../../payouts/gateway.ts'
import type { Answer } from './exchange.ts'

/** What was asked of the bank, as far as its answer must repeat it. */
export interface AskedPayment {
  readonly id: string
  /** In minor units as a decimal string. */
  readonly amount: string
  readonly currency: string
}

/**
 * Reads the answer to a send. `paid` repeats what was asked, to the minor unit; it is the answer to a
 * late retry too where the money has come back since, which the status tells. `refused` is a 422 that
 * says so of this very id. All else leaves open whether money moved.
 */
export function readSend(answer: Answer, asked: AskedPayment): SendAnswer {
  const unknown = (reason: string): SendAnswer => ({ answer: 'unknown', reason })
  const body = objectIn(answer.body)
  if (!body) return unknown(`HTTP ${answer.status} with a body that is no JSON object`)
  const { id, status, amount, currency, reason } = body
  if (answer.status === 422 && id === asked.id && status === 'refused') {
    return typeof reason === 'string'
      ? { answer: 'refused', reason }
      : unknown('a refusal without a reason')
  }
  if (answer.status !== 201) return unknown(httpReason(answer.status, body))
  if (id !== asked.id || amount !== asked.amount || currency !== asked.currency) {
    return unknown('the answer is about another payment than the one that was asked for')
  }
  if (status === 'processing') return unknown('processing')
  if (status !== 'paid' && status !== 'returned') {
    return unknown('HTTP 201 with an unexpected status')
  }
  return { answer: 'paid', reference: referenceIn(body) }
}

/** Reads the answer to a question. Only the bank's own 404 about this very id is `not-found`. */
export function readStatus(answer: Answer, payout: string): StatusAnswer {
  const unknown = (reason: string): StatusAnswer => ({ answer: 'unknown', reason })
  const body = objectIn(answer.body)
  if (!body) return unknown(`HTTP ${answer.status} with a body that is no JSON object`)
  const { id, status, amount, returned, reason, error } = body
  if (answer.status === 404 && id === payout && error === 'NOT_FOUND') {
    return { answer: 'not-found' }
  }
  if (answer.status !== 200) return unknown(httpReason(answer.status, body))
  if (id !== payout) return unknown('the answer is about another payment')
  if (status === 'processing') return { answer: 'processing' }
  if (status === 'refused' && typeof reason === 'string') return { answer: 'refused', reason }
  if (status !== 'paid' && status !== 'returned')
    return unknown('HTTP 200 with an unexpected status')
  const back = minorUnits(returned)
  const paid = minorUnits(amount)
  if (back === null || paid === null || back > paid || (status === 'returned') !== back > 0n) {
    return unknown('the amounts in the answer make no sense')
  }
  return { answer: 'paid', reference: referenceIn(body), returned: back }
}

type Fields = Readonly<Record<string, unknown>>

function objectIn(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Fields) : null
  } catch {
    return null
  }
}

function httpReason(status: number, { error }: Fields): string {
  return typeof error === 'string' ? `HTTP ${status} ${error}` : `HTTP ${status}`
}

function referenceIn({ reference }: Fields): string | null {
  return typeof reference === 'string' ? reference : null
}

function minorUnits(value: unknown): bigint | null {
  return typeof value === 'string' && /^\d{1,19}$/.test(value) ? BigInt(value) : null
}
