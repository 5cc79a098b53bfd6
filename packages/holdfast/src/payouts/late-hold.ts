import { findOne, type PayoutContext, type StuckPayout } from './context.ts'
import { LedgerRefused } from './ledger-port.ts'
import { ROWS_AT_ONCE } from './limits.ts'

/**
 * Gives back the hold that a worker was given after another one, who took the payout over, had been
 * refused it. This is the quick way; what dies before it is found by {@link releaseLateHolds}.
 */
export async function giveBackLateHold(context: PayoutContext, id: string): Promise<void> {
  const record = await findOne(context, id)
  if (record?.payout.status === 'refused') await releaseLateHold(context, id)
}

/**
 * Releases holds that came after their payouts were refused; says how many, and what went wrong. Only
 * a payout that was taken over can have one. When the hold of a stopped worker can no longer come is
 * never certain, so such a payout is looked at again each time that it is twice as old.
 */
export async function releaseLateHolds(
  context: PayoutContext,
): Promise<{ found: number; stuck: StuckPayout[] }> {
  const stuck: StuckPayout[] = []
  let found = 0
  for (;;) {
    const ids = await context.repository.lateHolds(context.book, ROWS_AT_ONCE)
    const ends = await Promise.allSettled(ids.map(id => releaseLateHold(context, id)))
    for (const [index, end] of ends.entries()) {
      if (end.status === 'rejected') stuck.push({ payout: ids[index] ?? '', error: end.reason })
      else if (end.value) found += 1
    }
    if (ids.length < ROWS_AT_ONCE) return { found, stuck }
  }
}

/** Releases the hold of a refused payout, where there is one; false where none was open. */
async function releaseLateHold(context: PayoutContext, id: string): Promise<boolean> {
  const outcome = await context.ledger.submit({ do: 'release', hold: id })
  if (outcome.ok) return !outcome.replayed
  if (outcome.refusal.code === 'HOLD_NOT_FOUND') return false
  throw new LedgerRefused(id, outcome.refusal)
}
