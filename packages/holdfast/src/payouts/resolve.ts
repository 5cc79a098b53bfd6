import type { Instant } from '../instant.ts'
import type { PayoutContext } from './context.ts'
import { askGateway, evidenceOf } from './evidence.ts'
import { finishHoldEnd } from './hold-end.ts'
import { ROWS_AT_ONCE } from './limits.ts'
import type { Payout } from './payout.ts'
import type { Leased, LeaseFilter, PayoutCursor } from './repository.ts'
import { conclude, moveLeased, submit } from './submit.ts'
import { whatNext } from './transitions.ts'

/**
 * Until when final statements of a gateway's bank cover the time since the first payout that is
 * open, without a gap; null where they do not.
 */
export type Coverage = (gateway: string) => Instant | null

/**
 * Leases payouts without a final answer, and hands them out one by one. Those whose worker let its
 * lease run out become `unknown` first.
 */
export async function* claimOpen(
  context: PayoutContext,
  atOnce: number,
  { batch, ids }: Pick<LeaseFilter, 'batch' | 'ids'>,
): AsyncGenerator<Leased, void> {
  let after: PayoutCursor | undefined
  for (;;) {
    const leased = await context.repository.lease(
      context.book,
      {
        statuses: ['processing', 'unknown'],
        gateways: [...context.gateways.keys()],
        limit: Math.min(atOnce, ROWS_AT_ONCE),
        ...(batch !== undefined && { batch }),
        ...(ids !== undefined && { ids }),
        ...(after !== undefined && { after }),
      },
      context.leaseMs,
    )
    after = leased.at(-1)?.record.cursor
    if (after === undefined) return
    const isLeft = ({ record: { payout, holdEnd } }: Leased) =>
      payout.status === 'processing' && holdEnd === null
    yield* leased.filter(each => !isLeft(each))
    yield* await moveLeased(context, leased.filter(isLeft), 'unknown', 'its worker stopped')
  }
}

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
  const attempts = await context.repository.attempts(context.book, payout.id)
  const known = whatNext(evidenceOf(context, leased, attempts))
  if (known.step !== 'wait') return conclude(context, leased, known)
  const step = whatNext(await askGateway(context, leased, coverage(payout.gateway)))
  return step.step === 'send' ? submit(context, leased) : conclude(context, leased, step)
}
