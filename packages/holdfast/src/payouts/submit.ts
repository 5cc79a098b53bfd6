import { gatewayOf, move, startCounting, type PayoutContext } from './context.ts'
import { evidenceOf, readEvidence } from './evidence.ts'
import { instructionOf, type Gateway } from './gateway.ts'
import { endHold } from './hold-end.ts'
import type { Payout } from './payout.ts'
import type { AttemptEnd, Leased } from './repository.ts'
import { cleanText } from './text.ts'
import { whatNext, type Step } from './transitions.ts'

const TOO_LATE: AttemptEnd = {
  answer: 'not-sent',
  reason: 'the worker came too late to send it',
  reference: null,
}

/**
 * Sends one leased payout: the attempt is committed, then the gateway is called with no transaction
 * open, then the answer is kept and acted on (I7). A worker that was stopped in between, and wakes
 * after `sendBy`, does not call. Null where the payout is no longer this worker's.
 */
export async function submit(context: PayoutContext, leased: Leased): Promise<Payout | null> {
  const { book, repository, sendWithinMs } = context
  const { record, lease } = leased
  const { payout } = record
  const gateway = gatewayOf(context, payout)
  const elapsedMs = startCounting(context)
  const attempt = await repository.startAttempt(book, payout.id, lease.token, sendWithinMs)
  if (!attempt) return leaveUnsent(context, leased)
  // Counted from before the commit, so that `sendBy`, by the database's clock, has not come yet.
  const late = elapsedMs() >= sendWithinMs
  const end = late ? TOO_LATE : await send(gateway, payout)
  await repository.recordAnswer(book, payout.id, attempt.number, end)
  const attempts =
    attempt.number === 1 ? [{ ...attempt, ...end }] : await repository.attempts(book, payout.id)
  return conclude(context, leased, whatNext(evidenceOf(context, leased, attempts)))
}

/**
 * What becomes of a payout whose attempt may not begin. Where that is because a payout whose place it
 * takes was paid after all, its own hold is released unless it was sent before.
 */
async function leaveUnsent(context: PayoutContext, leased: Leased): Promise<Payout | null> {
  const evidence = await readEvidence(context, leased)
  return evidence.originalPaid ? conclude(context, leased, whatNext(evidence)) : null
}

async function send(gateway: Gateway, payout: Payout): Promise<AttemptEnd> {
  try {
    const said = await gateway.send(instructionOf(payout))
    if (said.answer === 'paid')
      return {
        answer: 'paid',
        reason: null,
        reference: said.reference && cleanText(said.reference),
      }
    return { answer: said.answer, reason: cleanText(said.reason), reference: null }
  } catch (error) {
    return { answer: 'unknown', reason: cleanText(String(error)), reference: null }
  }
}

/** Does what was decided, short of sending; null where the payout is no longer this worker's. */
export async function conclude(
  context: PayoutContext,
  { record: { payout }, lease: { token } }: Leased,
  step: Step,
): Promise<Payout | null> {
  const { id, status } = payout
  const from = [status]
  switch (step.step) {
    case 'settle': {
      const returnTotal = step.returned > 0n ? step.returned : null
      const reference = step.reference && cleanText(step.reference)
      const mark = { id, from, token, reason: null, reference, returnTotal }
      return endHold(context, { ...mark, holdEnd: 'settle' })
    }
    case 'release': {
      const mark = { id, from, token, reason: cleanText(step.reason) }
      return endHold(context, { ...mark, holdEnd: 'release', reference: null, returnTotal: null })
    }
    case 'wait': {
      const reason = cleanText(step.reason)
      if (status === 'processing') {
        const common = { id, holdEnd: null, token, reason, keepLease: false } as const
        const [moved] = await move(context, [{ ...common, from: status, to: 'unknown' }])
        return moved?.payout ?? null
      }
      const given = await context.repository.giveUpLease(context.book, id, token, reason)
      return given ? { ...payout, reason } : null
    }
    case 'send':
      throw new Error(`payout ${id} is to be sent, not concluded`)
  }
}
