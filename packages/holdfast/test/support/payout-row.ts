import type { Instant } from '../../src/instant.ts'
import type { Book } from '../../src/ledger/command.ts'
import type { PayoutRecord } from '../../src/payouts/repository.ts'
import type { NewPayout } from '../../src/payouts/request.ts'

/** A row of the table of payouts. It is never changed, only put in place of another. */
export interface Row extends Omit<PayoutRecord, 'cursor'> {
  /** Counts up from 1 in the order of requests. */
  readonly seq: number
  readonly token: bigint
  readonly leaseUntil: Instant | null
  /** When to look for a hold that came late; null where none can. */
  readonly lateHoldDue: Instant | null
}

/** What the statements of the adapters demand of a row before they change it. */
export const CONDITIONS = [
  /** A request key, an id, and the place of a failed payout are each taken once. */
  'free key',
  /** Nobody else has the payout in hand. */
  'free lease',
  /** The lease is the one that the worker was given last. */
  'lease token',
  /** The lease has not run out. */
  'live lease',
  /** The payout still has the status that the worker saw. */
  'status',
  /** How the hold ends is decided once, and after that nothing is sent. */
  'hold end',
] as const
export type Condition = (typeof CONDITIONS)[number]

export function newRow(
  book: Book,
  wanted: NewPayout,
  seq: number,
  lease: { readonly token: bigint; readonly now: Instant; readonly until: Instant },
): Row {
  const { token, now, until } = lease
  return {
    payout: {
      ...wanted,
      book,
      status: 'requested',
      reason: null,
      reference: null,
      returned: 0n,
      createdAt: now,
      updatedAt: now,
    },
    holdEnd: null,
    returnTotal: null,
    seq,
    token,
    leaseUntil: until,
    lateHoldDue: null,
  }
}

export function recordOf({ payout, holdEnd, returnTotal, seq }: Row): PayoutRecord {
  return { payout, holdEnd, returnTotal, cursor: String(seq) }
}

/** All of a row but its payee and when it was touched last. */
export function textOfRow(row: Row): string {
  const { payout, holdEnd, returnTotal, token, leaseUntil, lateHoldDue } = row
  const { id, requestKey, amount, status, reason, reference, returned, createdAt } = payout
  const kept = [id, requestKey, amount, status, reason, reference, returned, createdAt]
  return [...kept, holdEnd, returnTotal, token, leaseUntil, lateHoldDue].map(String).join(' ')
}
