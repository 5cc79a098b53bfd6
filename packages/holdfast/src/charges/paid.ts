import type { Authorisation, Charged } from './charged.ts'
import type { Charges } from './charges.ts'
import type { Refused } from './context.ts'
import type { ChargeRefusal } from './refusals.ts'
import type { Parties } from './request.ts'

/** A call that is served for money. */
export interface PaidRequest extends Parties {
  /** In minor units, 1 to 2^63-1: the price, or the most that the call may come to. */
  readonly price: bigint
  /** How long serving may take, in milliseconds: afterwards the money returns. */
  readonly expiresInMs: number
}

/** What serving a call gave. */
export interface Served<T> {
  readonly value: T
  /** What it came to, in minor units, 0 to the price; absent means the price. */
  readonly amount?: bigint
}

/** A call that was served; `charged` is null where it came to nothing. */
export type PaidResult<T> =
  { readonly ok: true; readonly value: T; readonly charged: Charged | null } | Refused

/**
 * Serves a call for money: holds the price, then serves, then takes what the call came to. Where
 * the money is not there nothing is served; where serving throws, the money returns and the error is
 * thrown on; where the money can no longer be taken, because it took too long, what was served is
 * not handed out. The same key again is served again and not charged again. Throws `OutcomeUnknown`
 * where an answer was lost: the same call again answers it.
 */
export async function servePaid<T>(
  charges: Charges,
  { price, ...request }: PaidRequest,
  serve: (authorisation: Authorisation) => Promise<Served<T>>,
): Promise<PaidResult<T>> {
  const held = await charges.authorise({ ...request, ceiling: price })
  if (!held.ok) return held
  const { authorisation } = held
  const { value, amount = price } = await servedOrReleased(charges, authorisation, serve)
  if (amount === 0n) {
    const released = await charges.release(authorisation, 'it came to nothing')
    return released.ok ? { ok: true, value, charged: null } : released
  }
  const captured = await charges.capture(authorisation, amount)
  return captured.ok ? { ok: true, value, charged: captured.charged } : captured
}

async function servedOrReleased<T>(
  charges: Charges,
  authorisation: Authorisation,
  serve: (authorisation: Authorisation) => Promise<Served<T>>,
): Promise<Served<T>> {
  try {
    return await serve(authorisation)
  } catch (error) {
    // Where the release is lost too, the hold expires.
    await charges.release(authorisation, 'it was not served').catch(() => undefined)
    throw error
  }
}

/** What stands in the body of an answer that says no: problem details (RFC 9457). */
export interface PaymentProblem {
  readonly type: 'about:blank'
  readonly title: string
  /** 402 where the money is not there, 409 where the key was used otherwise, 400 for the request. */
  readonly status: 400 | 402 | 409
  readonly detail: string
  readonly code: ChargeRefusal['code']
  /** In minor units, as decimal strings, of `asset`. */
  readonly asset?: string
  readonly available?: string
  readonly asked?: string
  readonly limit?: string
}

const TITLES = { 400: 'Bad Request', 402: 'Payment Required', 409: 'Conflict' } as const
const NO_MONEY = ['INSUFFICIENT_FUNDS', 'LIMIT_EXCEEDED', 'ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED']
const USED_OTHERWISE = ['KEY_REUSED', 'HOLD_SETTLED', 'HOLD_RELEASED', 'HOLD_EXPIRED']

/** A refusal as an HTTP answer: its status (RFC 9110) and its body, `application/problem+json`. */
export function paymentProblem(refusal: ChargeRefusal, asset: string): PaymentProblem {
  const { code, message, available, asked, limit } = refusal
  const status = NO_MONEY.includes(code) ? 402 : USED_OTHERWISE.includes(code) ? 409 : 400
  return {
    type: 'about:blank',
    title: TITLES[status],
    status,
    detail: message,
    code,
    ...(available === undefined && asked === undefined ? {} : { asset }),
    ...(available === undefined ? {} : { available: available.toString() }),
    ...(asked === undefined ? {} : { asked: asked.toString() }),
    ...(limit === undefined ? {} : { limit }),
  }
}
