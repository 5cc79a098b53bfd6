import { isName, NAME_RULE } from '../ledger/shape.ts'
import {
  answered,
  findOne,
  gatewayOf,
  refused,
  type PayoutContext,
  type PayoutResult,
} from './context.ts'
import { askGateway } from './evidence.ts'
import { endHold } from './hold-end.ts'
import { REASON_CHARS_MAX } from './limits.ts'
import { refusals, type PayoutRefusal } from './refusals.ts'
import type { Leased } from './repository.ts'
import { isPrintable } from './text.ts'
import { whyNotByHand } from './transitions.ts'

/** How many different people it takes. */
const PEOPLE_NEEDED = 2

/**
 * Releases an unknown payout on the word of two different people, where its gateway declares no
 * finality. The first word is kept and changes nothing else: the answer is then still `unknown`.
 */
export async function releaseByHand(
  context: PayoutContext,
  id: string,
  person: string,
  reason: string,
): Promise<PayoutResult> {
  const unfit = checkReleaseWord(person, reason)
  if (unfit) return refused(unfit)
  const record = await findOne(context, id)
  if (!record) return refused(refusals.notFound(id))
  const { payout, holdEnd } = record
  if (payout.status !== 'unknown' || holdEnd !== null)
    return refused(refusals.wrongStatus(id, payout.status, 'released by hand'))
  if (gatewayOf(context, payout).declares.finalityMs !== null)
    return refused(refusals.finalityDeclared(id))
  const [leased] = await context.repository.lease(
    context.book,
    { statuses: ['unknown'], gateways: [payout.gateway], ids: [id], limit: 1 },
    context.leaseMs,
  )
  return leased ? releaseLeased(context, leased, person, reason) : refused(refusals.busy(id))
}

async function releaseLeased(
  context: PayoutContext,
  leased: Leased,
  person: string,
  reason: string,
): Promise<PayoutResult> {
  const { book, repository } = context
  const { id } = leased.record.payout
  const { token } = leased.lease
  const doubt = whyNotByHand(await askGateway(context, leased, null))
  if (doubt !== null) {
    await repository.giveUpLease(book, id, token, doubt)
    return refused(refusals.stillUncertain(id, doubt))
  }
  const people = await repository.keepReleaseWord(book, id, person, reason)
  if (people < PEOPLE_NEEDED) {
    const waiting = 'one person wants to release it; another one must say so too'
    await repository.giveUpLease(book, id, token, waiting)
    return answered({ ...leased.record.payout, reason: waiting }, false)
  }
  const mark = { id, from: ['unknown'], token, reason: `released by hand: ${reason}` } as const
  const released = await endHold(context, {
    ...mark,
    holdEnd: 'release',
    reference: null,
    returnTotal: null,
  })
  return released ? answered(released, false) : refused(refusals.busy(id))
}

function checkReleaseWord(person: string, reason: string): PayoutRefusal | null {
  if (!isName(person))
    return {
      code: 'INVALID_PERSON',
      field: 'person',
      message: `person: ${NAME_RULE}`,
    }
  if (isPrintable(reason, REASON_CHARS_MAX)) return null
  return {
    code: 'INVALID_REASON',
    field: 'reason',
    message: `reason: 1 to ${REASON_CHARS_MAX} printable characters`,
  }
}
