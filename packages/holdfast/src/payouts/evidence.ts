import { addMs, type Instant } from '../instant.ts'
import { gatewayOf, type PayoutContext } from './context.ts'
import { instructionOf, type Gateway, type StatusAnswer } from './gateway.ts'
import type { Attempt, Payout } from './payout.ts'
import type { Leased } from './repository.ts'
import { cleanText } from './text.ts'
import type { Evidence } from './transitions.ts'

/**
 * Puts together what is known about a leased payout. Where nothing is said of it, no payout whose
 * place it takes was paid: so it is right after an attempt has begun.
 */
export function evidenceOf(
  context: PayoutContext,
  { record: { payout }, lease }: Leased,
  attempts: readonly Attempt[],
  more: Partial<Pick<Evidence, 'originalPaid' | 'status' | 'statementsCoverUntil'>> = {},
): Evidence {
  return {
    attempts,
    originalPaid: false,
    status: null,
    declares: gatewayOf(context, payout).declares,
    amount: payout.amount,
    askedAt: lease.takenAt,
    // An attempt is committed within the lease, and sent within this time of its commit.
    sentBefore: addMs(lease.until, context.sendWithinMs),
    statementsCoverUntil: null,
    ...more,
  }
}

/** Reads what is written down about a leased payout. */
export async function readEvidence(
  context: PayoutContext,
  leased: Leased,
  asked: Partial<Pick<Evidence, 'status' | 'statementsCoverUntil'>> = {},
): Promise<Evidence> {
  const { book, repository } = context
  const { id, retryOf } = leased.record.payout
  const attempts = await repository.attempts(book, id)
  const originalPaid = retryOf !== null && (await repository.paidOriginals(book, [id])).has(id)
  return evidenceOf(context, leased, attempts, { ...asked, originalPaid })
}

/** Asks the gateway. Attempts are read after its answer, since late answers are evidence too. */
export async function askGateway(
  context: PayoutContext,
  leased: Leased,
  statementsCoverUntil: Instant | null,
): Promise<Evidence> {
  const { payout } = leased.record
  const status = await statusOf(gatewayOf(context, payout), payout)
  return readEvidence(context, leased, { status, statementsCoverUntil })
}

async function statusOf(gateway: Gateway, payout: Payout): Promise<StatusAnswer> {
  try {
    return await gateway.status(instructionOf(payout))
  } catch (error) {
    return { answer: 'unknown', reason: cleanText(String(error)) }
  }
}
