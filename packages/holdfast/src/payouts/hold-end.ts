import type { Command } from '../ledger/command.ts'
import { findOne, move, type PayoutContext } from './context.ts'
import { LedgerRefused } from './ledger-port.ts'
import type { Payout } from './payout.ts'
import type { HoldEndMark, PayoutRecord } from './repository.ts'
import { finishReturn } from './returns.ts'
import { statusAfter } from './transitions.ts'

/**
 * Ends the hold of a payout: the decision is committed, then the ledger is told, then the row moves.
 * Once the decision stands, nothing else can happen to the payout: no worker claims it, none sends
 * it, and whoever comes after a crash ends the hold in the same way. Null where the decision could
 * not be taken, because another one stands or the lease is over.
 */
export async function endHold(context: PayoutContext, mark: HoldEndMark): Promise<Payout | null> {
  const [marked] = await context.repository.markHoldEnd(context.book, [mark])
  return marked ? finishHoldEnd(context, marked) : null
}

/** Does what the mark on a row says. Safe to do again, and by several at once. */
export async function finishHoldEnd(
  context: PayoutContext,
  { payout, holdEnd, returnTotal }: PayoutRecord,
): Promise<Payout> {
  if (holdEnd === null) throw new Error(`the end of payout ${payout.id}'s hold is not decided`)
  const command: Command = { do: holdEnd, hold: payout.id }
  const outcome = await context.ledger.submit(command)
  if (!outcome.ok) throw new LedgerRefused(payout.id, outcome.refusal)
  const { id, status: from, reason } = payout
  const to = statusAfter(from, holdEnd)
  const [moved] = await move(context, [
    { id, from, to, holdEnd, token: null, reason, keepLease: false },
  ])
  const record = moved ?? (await findOne(context, id))
  if (!record) throw new Error(`payout ${id} has disappeared`)
  return returnTotal === null || record.returnTotal === null
    ? record.payout
    : finishReturn(context, record)
}
