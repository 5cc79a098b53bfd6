import type { Instant } from '../instant.ts'
import type { PayoutContext } from './context.ts'
import { askGateway, readEvidence } from './evidence.ts'
import { finishHoldEnd } from './hold-end.ts'
import type { Payout } from './payout.ts'
import type { Leased } from './repository.ts'
import { conclude, submit } from './submit.ts'
import { whatNext } from './transitions.ts'

/**
 * Until when final statements of a payout's bank prove that it was not paid; null where they do not.
 */
export type Coverage = (payout: Payout) => Instant | null

/**
 * Finds out what became of one leased payout. What is written down decides where it can; otherwise
 * the gateway is asked, and only then may the payout be sent again (I8, `transitions.ts`).
 */
export async function resolveOne(
  context: PayoutContext,
  leased: Leased,
  coverage: Coverage,
): Promise<Payout | null> {
  const { record } = leased
  if (record.holdEnd !== null) return finishHoldEnd(context, record)
  const { payout } = record
  const known = whatNext(await readEvidence(context, leased))
  if (known.step !== 'wait') return conclude(context, leased, known)
  const step = whatNext(await askGateway(context, leased, coverage(payout)))
  return step.step === 'send' ? submit(context, leased) : conclude(context, leased, step)
}
