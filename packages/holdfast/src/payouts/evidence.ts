import { addMs, type Instant } from '../instant.ts'
import { gatewayOf, type PayoutContext } from './context.ts'
import { instructionOf, type Gateway, type StatusAnswer } from './gateway.ts'
import type { Attempt, Payout } from './payout.ts'
import type { Leased } from './repository.ts'
import { cleanText } from './text.ts'
import type { Evidence } from './transitions.ts'

/** Puts together what is known about a leased payout. */
export function evidenceOf(
  context: PayoutContext,
  { record: { payout }, lease }: Leased,
  attempts: readonly Attempt[],
  status: StatusAnswer | null = null,
  statementsCoverUntil: Instant | null = null,
): Evidence {
  return {
    attempts,
    status,
    declares: gatewayOf(context, payout).declares,
    amount: payout.amount,
    askedAt: lease.takenAt,
    // An attempt is committed within the lease, and sent within this time of its commit.
    sentBefore: addMs(lease.until, context.sendWithinMs),
    statementsCoverUntil,
  }
}

/** Asks the gateway. Attempts are read after its answer, since late answers are evidence too. */
export async function askGateway(
  context: PayoutContext,
  leased: Leased,
  statementsCoverUntil: Instant | null,
): Promise<Evidence> {
  const { payout } = leased.record
  const status = await statusOf(gatewayOf(context, payout), payout)
  const attempts = await context.repository.attempts(context.book, payout.id)
  return evidenceOf(context, leased, attempts, status, statementsCoverUntil)
}

async function statusOf(gateway: Gateway, payout: Payout): Promise<StatusAnswer> {
  try {
    return await gateway.status(instructionOf(payout))
  } catch (error) {
    return { answer: 'unknown', reason: cleanText(String(error)) }
  }
}
