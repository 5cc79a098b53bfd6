import { addMs, type Instant } from '../instant.ts'
import type { GatewayDeclaration, StatusAnswer } from './gateway.ts'
import { ATTEMPTS_MAX } from './limits.ts'
import type { Attempt, PayoutStatus } from './payout.ts'

/** What may follow what (I9). Every move of a row is checked against this table. */
export const TRANSITIONS: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  requested: ['pending', 'refused'],
  refused: [],
  pending: ['approved', 'cancelled'],
  approved: ['processing', 'cancelled'],
  cancelled: [],
  processing: ['success', 'failed', 'unknown'],
  unknown: ['success', 'failed'],
  success: ['reversed'],
  // Paid after its hold was released: the bank's own statement says so.
  failed: ['success'],
  // A further part comes back.
  reversed: ['reversed'],
}

/** How the hold of a payout ends. It is written on the row before the ledger is told, and for good. */
export type HoldEnd = 'settle' | 'release'

/** The status that a payout has once its hold has ended in the way that stands on its row. */
export function statusAfter(status: PayoutStatus, end: HoldEnd): PayoutStatus {
  if (end === 'settle') return 'success'
  return status === 'pending' || status === 'approved' ? 'cancelled' : 'failed'
}

/** Everything that is known about a payout whose attempts have begun. */
export interface Evidence {
  readonly attempts: readonly Attempt[]
  /**
   * Whether a payout whose place this one takes was paid after all: then this one is never sent
   * (again).
   */
  readonly originalPaid: boolean
  /** What the gateway says; null where it has not been asked. */
  readonly status: StatusAnswer | null
  readonly declares: GatewayDeclaration
  /** The amount of the payout, in minor units. */
  readonly amount: bigint
  /** By the database's clock, not later than the question to the gateway. */
  readonly askedAt: Instant
  /** By the database's clock: a send that is decided on now is made before this, or never. */
  readonly sentBefore: Instant
  /** Final statements cover the time since the first attempt, without a gap, until this. */
  readonly statementsCoverUntil: Instant | null
}

/** What is to be done next with a payout. */
export type Step =
  | { readonly step: 'settle'; readonly reference: string | null; readonly returned: bigint }
  | { readonly step: 'release'; readonly reason: string }
  | { readonly step: 'send' }
  | { readonly step: 'wait'; readonly reason: string }

/**
 * Decides from the evidence alone (I8). The hold is settled only where somebody who knows says
 * paid, and released only where it is proved that the money did not move and cannot move any more.
 */
export function whatNext(evidence: Evidence): Step {
  const { attempts, status, amount } = evidence
  const paid = attempts.find(each => each.answer === 'paid')
  if (paid) return { step: 'settle', reference: paid.reference, returned: 0n }
  if (status?.answer === 'paid') {
    const { reference, returned } = status
    if (returned < 0n || returned > amount) return wait('more is said to be returned than was paid')
    return { step: 'settle', reference, returned }
  }
  const sent = attempts.filter(each => each.answer !== 'not-sent')
  const open = sent.filter(each => each.answer !== 'refused')
  if (sent.length === 0 && evidence.originalPaid)
    return release('a payout whose place it takes was paid after all')
  if (sent.length > 0 && open.length === 0) return release(sent.at(-1)?.reason ?? 'refused')
  switch (status?.answer) {
    case undefined:
      return wait(open.at(-1)?.reason ?? 'the worker stopped before it had an answer')
    case 'unknown':
      return wait(status.reason)
    case 'processing':
      return wait('the gateway is working on it')
    case 'refused':
      return isRefusalProof(evidence, sent, open)
        ? release(status.reason)
        : wait(`not proof yet: ${status.reason}`)
    case 'not-found':
      if (maySend(evidence, sent)) return { step: 'send' }
      return isGone(evidence, open)
        ? release('the gateway does not know it, and can no longer pay it')
        : wait('the gateway does not know it')
  }
}

/**
 * Why two people may not release the hold by their own hand; null where they may. What they stand
 * in for is a finality that the gateway does not declare, and nothing else: no call may be under
 * way, and the gateway must not know of a payment.
 */
export function whyNotByHand(evidence: Evidence): string | null {
  const { status } = evidence
  const step = whatNext(evidence)
  if (step.step !== 'wait') return 'resolving it settles, releases or sends it'
  if (status?.answer !== 'not-found' && status?.answer !== 'refused') return step.reason
  return isOver(evidence) ? null : 'a call of the gateway may still be made'
}

/**
 * A refusal in a status proves something where it can only be about the one send that was made.
 * After several sends it may be about an earlier one: then the status must be strong, or so old
 * that no send can lead to a payment any more.
 */
function isRefusalProof(
  evidence: Evidence,
  sent: readonly Attempt[],
  open: readonly Attempt[],
): boolean {
  if (!isOver(evidence)) return false
  return sent.length <= 1 || evidence.declares.statusIsStrong || isFinal(evidence, open)
}

/**
 * The first send needs no promise. A further one, under the same id, needs a gateway that answers
 * it with the first one's answer, and that remembers the id until the send has surely been made.
 */
function maySend(evidence: Evidence, sent: readonly Attempt[]): boolean {
  const { attempts, originalPaid, declares, sentBefore } = evidence
  if (originalPaid) return false
  const [first] = sent
  if (!first) return true
  if (!declares.idempotency || attempts.length >= ATTEMPTS_MAX) return false
  return sentBefore <= addMs(first.startedAt, declares.keyRetentionMs)
}

/** No attempt can be paid any more, and final statements show that none was. */
function isGone(evidence: Evidence, open: readonly Attempt[]): boolean {
  const { declares, statementsCoverUntil: covered } = evidence
  if (!isFinal(evidence, open) || declares.finalityMs === null || covered === null) return false
  const finalityMs = declares.finalityMs
  return open.every(each => addMs(each.sendBy, finalityMs) <= covered)
}

function isFinal({ declares, askedAt }: Evidence, open: readonly Attempt[]): boolean {
  const { finalityMs } = declares
  return finalityMs !== null && open.every(each => addMs(each.sendBy, finalityMs) <= askedAt)
}

/** Every attempt has been answered, or can no longer be sent. */
function isOver({ attempts, askedAt }: Evidence): boolean {
  return attempts.every(each => each.answer !== null || each.sendBy <= askedAt)
}

function wait(reason: string): Step {
  return { step: 'wait', reason }
}

function release(reason: string): Step {
  return { step: 'release', reason }
}
