import { answered, findOne, refused, type PayoutContext, type PayoutResult } from './context.ts'
import { endHold, finishHoldEnd } from './hold-end.ts'
import { refusals } from './refusals.ts'

/**
 * Settles a payout that is processing or unknown, because a statement shows that it was paid. Safe to
 * do again. A worker that has it in hand meanwhile finds that the end of its hold is decided.
 */
export async function recordPaid(
  context: PayoutContext,
  id: string,
  reference: string | null,
): Promise<PayoutResult> {
  const settled = await endHold(context, {
    id,
    from: ['processing', 'unknown'],
    holdEnd: 'settle',
    token: null,
    reason: null,
    reference,
    returnTotal: null,
  })
  if (settled) return answered(settled, false)
  const record = await findOne(context, id)
  if (!record) return refused(refusals.notFound(id))
  const { payout, holdEnd } = record
  const isOpen = payout.status === 'processing' || payout.status === 'unknown'
  // Whoever decided how the hold ends may have died before it ended.
  const ended = isOpen && holdEnd !== null ? await finishHoldEnd(context, record) : payout
  return holdEnd === 'settle'
    ? answered(ended, true)
    : refused(refusals.wrongStatus(id, ended.status, 'settled by a statement'))
}
