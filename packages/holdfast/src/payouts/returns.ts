import {
  answered,
  findOne,
  move,
  refused,
  type PayoutContext,
  type PayoutResult,
} from './context.ts'
import { LedgerRefused } from './ledger-port.ts'
import { RETURN_TRIES_MAX } from './limits.ts'
import { isPaid, type Payout } from './payout.ts'
import { refusals } from './refusals.ts'
import type { PayoutRecord } from './repository.ts'

/**
 * Records that `total` of a payout, in minor units, has come back so far, and brings the part that
 * is new back to its owner. A total only grows, so the webhook, the status and the bank's line of
 * one return are one, in whatever order they come.
 */
export async function recordReturn(
  context: PayoutContext,
  id: string,
  total: bigint,
): Promise<PayoutResult> {
  for (let attempt = 0; attempt < RETURN_TRIES_MAX; attempt += 1) {
    const record = await findOne(context, id)
    if (!record) return refused(refusals.notFound(id))
    const { payout } = record
    if (!isPaid(payout)) return refused(refusals.wrongStatus(id, payout.status, 'reversed'))
    if (total < 1n || total > payout.amount) return refused(refusals.returnExceeds(id))
    if (record.returnTotal !== null) {
      await finishReturn(context, record)
      continue
    }
    if (total <= payout.returned) return answered(payout, true)
    const marked = await context.repository.markReturn(context.book, id, payout.returned, total)
    if (marked) return answered(await finishReturn(context, marked), false)
  }
  throw new Error(`more than ${RETURN_TRIES_MAX} other returns of payout ${id} came in between`)
}

/** Does what a row has announced: the money first, then the row. Safe to do again. */
export async function finishReturn(
  context: PayoutContext,
  { payout, holdEnd, returnTotal }: PayoutRecord,
): Promise<Payout> {
  if (returnTotal === null) throw new Error(`no return of payout ${payout.id} is announced`)
  const { id, status: from, reason, returned } = payout
  // What was paid after its release is already back with its owner: only the bank moved it.
  if (holdEnd === 'settle') {
    const outcome = await context.ledger.submit({
      do: 'reverse',
      key: `return:${id}:${returnTotal}`,
      of: id,
      amounts: [returnTotal - returned],
    })
    if (!outcome.ok) throw new LedgerRefused(id, outcome.refusal)
  }
  const [moved] = await move(context, [
    {
      id,
      from,
      to: 'reversed',
      holdEnd,
      token: null,
      reason,
      keepLease: false,
      returned: returnTotal,
    },
  ])
  const record = moved ?? (await findOne(context, id))
  if (!record) throw new Error(`payout ${id} has disappeared`)
  return record.payout
}

/**
 * Moves a released payout to `success`, because the bank paid it nevertheless. The ledger is not
 * touched: the posting of the statement shows the money, and the caller makes a finding of it.
 */
export async function paidAfterRelease(
  context: PayoutContext,
  id: string,
  reference: string | null,
): Promise<PayoutResult> {
  const record = await findOne(context, id)
  if (!record) return refused(refusals.notFound(id))
  const { payout, holdEnd } = record
  if (payout.status === 'success' && holdEnd === 'release') return answered(payout, true)
  const [moved] = await move(context, [
    {
      id,
      from: 'failed',
      to: 'success',
      holdEnd: 'release',
      token: null,
      reason: 'paid after its hold was released',
      keepLease: false,
      reference,
    },
  ])
  return moved
    ? answered(moved.payout, false)
    : refused(refusals.wrongStatus(id, payout.status, 'paid after its release'))
}
