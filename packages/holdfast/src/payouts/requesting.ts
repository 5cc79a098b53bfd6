import type { Command } from '../ledger/command.ts'
import { OutcomeUnknown } from '../ledger/list-sender.ts'
import type { Outcome } from '../ledger/outcome.ts'
import {
  answered,
  move,
  refused,
  startCounting,
  type PayoutContext,
  type PayoutResult,
  type StuckPayout,
} from './context.ts'
import { inPieces } from './lanes.ts'
import { giveBackLateHold } from './late-hold.ts'
import { clearingAccount } from './ledger-port.ts'
import { ROWS_AT_ONCE } from './limits.ts'
import type { Payout } from './payout.ts'
import { refusals, type PayoutRefusal } from './refusals.ts'
import type { Leased, Move, Original, PayoutCursor } from './repository.ts'
import {
  checkRequest,
  newPayout,
  requestDifferences,
  type NewPayout,
  type PayoutRequest,
} from './request.ts'

/**
 * Requests payouts: each row is committed as `requested`, then its hold is sent, then it becomes
 * `pending` or `refused`. One that is answered `requested` is not decided yet, because an answer
 * was lost or another process is at it: the same request again, or a sweep, goes on with it.
 */
export async function requestMany(
  context: PayoutContext,
  requests: readonly PayoutRequest[],
): Promise<PayoutResult[]> {
  const results: PayoutResult[] = []
  for (const piece of inPieces(requests, ROWS_AT_ONCE))
    results.push(...(await requestPiece(context, piece)))
  return results
}

async function requestPiece(
  context: PayoutContext,
  requests: readonly PayoutRequest[],
): Promise<PayoutResult[]> {
  const gateways = new Set(context.gateways.keys())
  const checked = requests.map(
    request => checkRequest(request, gateways) ?? newPayout(context.book, request),
  )
  const wanted = checked.filter(isNew)
  const first = [...new Map(wanted.toReversed().map(each => [each.id, each])).values()].reverse()
  const elapsedMs = startCounting(context)
  const inserted =
    first.length === 0 ? [] : await context.repository.insert(context.book, first, context.leaseMs)
  throwFailure(await sendHolds(context, inserted, elapsedMs))
  const fresh = new Set(inserted.map(({ record }) => record.payout.id))
  const known = await readKnown(context, wanted, fresh)
  return checked.map(each => {
    if (!isNew(each)) return refused(each)
    const verdict = answerTo(each, known)
    if ('code' in verdict) return refused(verdict)
    // The first of a list's equal requests is the one that made the payout.
    return answered(verdict, !fresh.delete(each.id))
  })
}

function isNew(checked: NewPayout | PayoutRefusal): checked is NewPayout {
  return 'requestKey' in checked
}

/** What is known of requests that are answered. */
interface Known {
  readonly payouts: readonly Payout[]
  /** For each payout whose place is taken: one that it takes the place of, where that was paid. */
  readonly paidOriginals: ReadonlyMap<string, Original>
}

/** What stands under the ids, keys and `retryOf` of requests, once all is done that can be. */
async function readKnown(
  context: PayoutContext,
  wanted: readonly NewPayout[],
  fresh: ReadonlySet<string>,
): Promise<Known> {
  if (wanted.length === 0) return { payouts: [], paidOriginals: new Map() }
  const notFresh = wanted.filter(each => !fresh.has(each.id))
  const old = notFresh.map(each => each.id)
  if (old.length > 0)
    throwFailure((await takeOver(context, { ids: old, limit: ROWS_AT_ONCE })).stuck)
  const ids = wanted.flatMap(({ id, retryOf }) => (retryOf === null ? [id] : [id, retryOf]))
  const requestKeys = wanted.map(each => each.requestKey)
  const records = await context.repository.find(context.book, { ids, requestKeys })
  const retried = notFresh.flatMap(({ retryOf }) => retryOf ?? [])
  return {
    payouts: records.map(({ payout }) => payout),
    paidOriginals:
      retried.length === 0
        ? new Map()
        : await context.repository.paidOriginals(context.book, retried),
  }
}

/** A lost answer leaves a payout `requested`; any other error is the caller's to know. */
function throwFailure(stuck: readonly StuckPayout[]): void {
  const failure = stuck.find(({ error }) => !(error instanceof OutcomeUnknown))
  if (failure) throw failure.error
}

/** The payout that a request made, then or now, or why there is none. */
function answerTo(wanted: NewPayout, { payouts, paidOriginals }: Known): Payout | PayoutRefusal {
  const same = payouts.find(each => each.requestKey === wanted.requestKey)
  if (same) {
    const fields = requestDifferences(same, wanted)
    return fields.length === 0 ? same : refusals.keyReused(same.id, fields)
  }
  if (payouts.some(each => each.id === wanted.id)) return refusals.idCollision(wanted.id)
  if (wanted.retryOf === null) throw new Error(`payout ${wanted.id} was not written down`)
  const original = payouts.find(each => each.id === wanted.retryOf)
  if (!original) return refusals.notFound(wanted.retryOf, 'retryOf')
  const notFailed = original.status === 'failed' ? paidOriginals.get(original.id) : original
  return notFailed
    ? refusals.retryOfNotFailed(notFailed.id, notFailed.status)
    : refusals.alreadyRetried(original.id)
}

/**
 * Takes payouts over that were left as `requested`, and sends their holds; gives those that it
 * leased and what went wrong with them.
 */
export async function takeOver(
  context: PayoutContext,
  wanted: { ids?: readonly string[]; after?: PayoutCursor; limit: number },
): Promise<{ taken: Leased[]; stuck: StuckPayout[] }> {
  const elapsedMs = startCounting(context)
  const gateways = [...context.gateways.keys()]
  const filter = { statuses: ['requested'], gateways, ...wanted } as const
  const taken = await context.repository.lease(context.book, filter, context.leaseMs)
  return { taken, stuck: await sendHolds(context, taken, elapsedMs) }
}

/** Sends the holds of leased payouts, and moves those whose answer is known. */
async function sendHolds(
  context: PayoutContext,
  leased: readonly Leased[],
  elapsedMs: () => number,
): Promise<StuckPayout[]> {
  // Whoever was stopped for long leaves the rows to the next sweep: another one may be at them.
  if (elapsedMs() >= context.sendWithinMs) return []
  const answers = await Promise.allSettled(
    leased.map(({ record }) => context.ledger.submit(holdOf(record.payout))),
  )
  const moves: Move[] = []
  const stuck: StuckPayout[] = []
  for (const [index, { record, lease }] of leased.entries()) {
    const answer = answers[index]
    const { id } = record.payout
    if (answer?.status === 'fulfilled') moves.push(moveAfter(id, answer.value, lease.token))
    else stuck.push({ payout: id, error: answer?.reason })
  }
  const moved = new Set((await move(context, moves)).map(({ payout }) => payout.id))
  for (const late of moves.filter(each => each.to === 'pending' && !moved.has(each.id)))
    await giveBackLateHold(context, late.id).catch((error: unknown) =>
      stuck.push({ payout: late.id, error }),
    )
  return stuck
}

/** The hold of a payout, the same every time that it is sent. It never expires. */
function holdOf({ id, account, gateway, asset, amount }: Payout): Command {
  return {
    do: 'hold',
    key: id,
    legs: [{ from: account, to: clearingAccount(gateway), asset, amount }],
  }
}

function moveAfter(id: string, outcome: Outcome, token: bigint): Move {
  const common = { id, from: 'requested', holdEnd: null, token, keepLease: false } as const
  return outcome.ok
    ? { ...common, to: 'pending', reason: null }
    : { ...common, to: 'refused', reason: outcome.refusal.code }
}
