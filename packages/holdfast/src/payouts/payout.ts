import type { Instant } from '../instant.ts'
import type { AccountId, Asset, Book } from '../ledger/command.ts'

/** Where a payout stands. Only `transitions.ts` says what may follow what. */
export const PAYOUT_STATUSES = [
  'requested',
  'refused',
  'pending',
  'approved',
  'cancelled',
  'processing',
  'unknown',
  'success',
  'failed',
  'reversed',
] as const

/** One of {@link PAYOUT_STATUSES}. */
export type PayoutStatus = (typeof PAYOUT_STATUSES)[number]

const PAID: ReadonlySet<PayoutStatus> = new Set(['success', 'reversed'])
const SENT: ReadonlySet<PayoutStatus> = new Set([...PAID, 'processing', 'unknown', 'failed'])

/** Whether our books say that it was paid, whatever has come back since. */
export function isPaid({ status }: Pick<Payout, 'status'>): boolean {
  return PAID.has(status)
}

/** Whether the gateway has been called, or may have been. */
export function wasSent({ status }: Pick<Payout, 'status'>): boolean {
  return SENT.has(status)
}

/** Money that leaves: one amount for one recipient. */
export interface Payout {
  /** 15 characters of `A-Z0-9` out of the book and the request key: survives every bank format. */
  readonly id: string
  readonly book: Book
  /** The caller's key for the request, unique in the book. */
  readonly requestKey: string
  /** Payouts that are approved together. */
  readonly batch: string | null
  /** The account that the money leaves. */
  readonly account: AccountId
  /** Stands in `clearing:<gateway>`, where the money arrives when it is settled. */
  readonly gateway: string
  readonly asset: Asset
  /** In minor units. */
  readonly amount: bigint
  /** For whom. Empty once it has been erased, like the destination. */
  readonly payeeName: string
  /** Where the money goes, in the gateway's own terms (an IBAN, an account id). */
  readonly destination: string
  readonly status: PayoutStatus
  /** Why it is refused, failed or unknown. */
  readonly reason: string | null
  /** The failed payout that this one takes the place of. */
  readonly retryOf: string | null
  /** The gateway's own reference, once it has named one. */
  readonly reference: string | null
  /** What has come back after it was paid, in minor units. */
  readonly returned: bigint
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/**
 * What came of an attempt. `refused` proves that the money did not move, and so does `not-sent`: the
 * worker came too late and did not call.
 */
export type AttemptAnswer = 'paid' | 'refused' | 'unknown' | 'not-sent'

/** One call of a gateway, committed before it is made. */
export interface Attempt {
  readonly payout: string
  /** Counts up from 1. */
  readonly number: number
  /** After this instant the call may no longer be made. */
  readonly sendBy: Instant
  readonly startedAt: Instant
  /** Null while it is not known. */
  readonly answer: AttemptAnswer | null
  readonly reason: string | null
  /** The gateway's own reference, where it answered with one. */
  readonly reference: string | null
}
