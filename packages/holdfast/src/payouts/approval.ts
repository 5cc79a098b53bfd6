import { answered, move, refused, type PayoutContext, type PayoutResult } from './context.ts'
import { finishHoldEnd } from './hold-end.ts'
import { inPieces } from './lanes.ts'
import { ROWS_AT_ONCE } from './limits.ts'
import type { PayoutStatus } from './payout.ts'
import { refusals } from './refusals.ts'
import type { Move, Original, PayoutCursor, PayoutRecord } from './repository.ts'

/**
 * Approves payouts that are pending; one answer for each id. One that takes the place of a payout that
 * was paid after all is refused here; what is paid later than this stops it when it is to be sent.
 */
export async function approve(
  context: PayoutContext,
  ids: readonly string[],
): Promise<PayoutResult[]> {
  const results: PayoutResult[] = []
  for (const piece of inPieces(ids, ROWS_AT_ONCE)) {
    const { moved, needless } = await approveThese(context, piece)
    const known = await findById(context, piece)
    for (const id of piece) {
      const record = known.get(id)
      const paid = record?.payout.status === 'pending' ? needless.get(id) : undefined
      results.push(
        paid
          ? refused(refusals.retryOfNotFailed(paid.id, paid.status))
          : answerTo(id, record, moved.has(id), 'approved'),
      )
    }
  }
  return results
}

/** Approves all payouts of a batch that are pending; returns how many. */
export async function approveBatch(context: PayoutContext, batch: string): Promise<number> {
  const filter = { batch, statuses: ['pending'] } as const
  let count = 0
  let after: PayoutCursor | undefined
  for (;;) {
    const page = { limit: ROWS_AT_ONCE, ...(after !== undefined && { after }) }
    const records = await context.repository.list(context.book, filter, page)
    after = records.at(-1)?.cursor
    if (after === undefined) return count
    const ids = records.map(({ payout }) => payout.id)
    count += (await approveThese(context, ids)).moved.size
  }
}

/** Approves what may be; gives what moved, and what takes the place of a payout that was paid. */
async function approveThese(
  context: PayoutContext,
  ids: readonly string[],
): Promise<{ moved: ReadonlySet<string>; needless: ReadonlyMap<string, Original> }> {
  const needless = await context.repository.paidOriginals(context.book, ids)
  const wanted = ids.filter(id => !needless.has(id))
  const moves = wanted.map((id): Move => {
    const common = { id, holdEnd: null, token: null, reason: null, keepLease: false }
    return { ...common, from: 'pending', to: 'approved' }
  })
  const moved = (await move(context, moves)).map(({ payout }) => payout.id)
  return { moved: new Set(moved), needless }
}

/**
 * Cancels payouts that are pending or approved; one answer for each id. That the hold is to be
 * released is written on the row first, so that no worker can claim it any more.
 */
export async function cancel(
  context: PayoutContext,
  ids: readonly string[],
): Promise<PayoutResult[]> {
  const results: PayoutResult[] = []
  for (const piece of inPieces(ids, ROWS_AT_ONCE)) {
    const marked = await context.repository.markHoldEnd(
      context.book,
      [...new Set(piece)].map(id => ({ id, ...CANCEL })),
    )
    const begun = new Set(marked.map(({ payout }) => payout.id))
    const known = await findById(context, piece)
    const open = [...known.values()].filter(isBeingCancelled)
    for (const payout of await Promise.all(open.map(each => finishHoldEnd(context, each)))) {
      const record = known.get(payout.id)
      if (record) known.set(payout.id, { ...record, payout })
    }
    for (const id of piece) results.push(answerTo(id, known.get(id), begun.has(id), 'cancelled'))
  }
  return results
}

const CANCEL = {
  from: ['pending', 'approved'],
  holdEnd: 'release',
  token: null,
  reason: null,
  reference: null,
  returnTotal: null,
} as const

/** Whether a cancel has begun and is not finished. */
export function isBeingCancelled({ payout, holdEnd }: PayoutRecord): boolean {
  return holdEnd !== null && (payout.status === 'pending' || payout.status === 'approved')
}

function answerTo(
  id: string,
  record: PayoutRecord | undefined,
  done: boolean,
  to: PayoutStatus,
): PayoutResult {
  if (!record) return refused(refusals.notFound(id))
  const { payout } = record
  // By the time that it is read, an approved payout may have gone on.
  if (done || payout.status === to) return answered(payout, !done)
  return refused(refusals.wrongStatus(id, payout.status, to))
}

async function findById(
  context: PayoutContext,
  ids: readonly string[],
): Promise<Map<string, PayoutRecord>> {
  const records = await context.repository.find(context.book, { ids })
  return new Map(records.map(record => [record.payout.id, record]))
}
