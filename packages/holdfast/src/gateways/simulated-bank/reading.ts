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
  const { id, status, reason } = body
  if (answer.status === 422 && id === asked.id && status === 'refused') {
    return typeof reason === 'string'
      ? { answer: 'refused', reason }
      : unknown('a refusal without a reason')
  }
  if (answer.status !== 201) return unknown(httpReason(answer.status, body))
  if (!repeats(body, asked)) return unknown(OTHER_PAYMENT)
  if (status === 'processing') return unknown('processing')
  if (status !== 'paid' && status !== 'returned') {
    return unknown('HTTP 201 with an unexpected status')
  }
  return { answer: 'paid', reference: referenceIn(body) }
}

/**
 * Reads the answer to a question. Only the bank's own 404 about this very id is `not-found`; all else
 * that it tells must repeat what was asked, to the minor unit.
 */
export function readStatus(answer: Answer, asked: AskedPayment): StatusAnswer {
  const unknown = (reason: string): StatusAnswer => ({ answer: 'unknown', reason })
  const body = objectIn(answer.body)
  if (!body) return unknown(`HTTP ${answer.status} with a body that is no JSON object`)
  const { id, status, returned, reason, error } = body
  if (answer.status === 404 && id === asked.id && error === 'NOT_FOUND') {
    return { answer: 'not-found' }
  }
  if (answer.status !== 200) return unknown(httpReason(answer.status, body))
  if (!repeats(body, asked)) return unknown(OTHER_PAYMENT)
  if (status === 'processing') return { answer: 'processing' }
  if (status === 'refused' && typeof reason === 'string') return { answer: 'refused', reason }
  if (status !== 'paid' && status !== 'returned')
    return unknown('HTTP 200 with an unexpected status')
  const back = minorUnits(returned)
  if (back === null || back > BigInt(asked.amount) || (status === 'returned') !== back > 0n) {
    return unknown('the amounts in the answer make no sense')
  }
  return { answer: 'paid', reference: referenceIn(body), returned: back }
}

type Fields = Readonly<Record<string, unknown>>

const OTHER_PAYMENT = 'the answer is about another payment than the one that was asked for'

function repeats({ id, amount, currency }: Fields, asked: AskedPayment): boolean {
  return id === asked.id && amount === asked.amount && currency === asked.currency
}

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
