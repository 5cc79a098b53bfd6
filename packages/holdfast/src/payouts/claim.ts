import { move, type PayoutContext } from './context.ts'
import { ROWS_AT_ONCE } from './limits.ts'
import type { PayoutStatus } from './payout.ts'
import type { Leased, LeaseFilter, PayoutCursor } from './repository.ts'

/** What a run over payouts is narrowed to. */
type Among = Pick<LeaseFilter, 'batch' | 'ids'>

/**
 * Leases payouts that are approved, makes them `processing`, and hands them out one by one. At most
 * `atOnce` are leased ahead of the work.
 */
export async function* claimApproved(
  context: PayoutContext,
  atOnce: number,
  among: Among,
): AsyncGenerator<Leased, void> {
  for await (const leased of leasePieces(context, ['approved'], atOnce, among))
    yield* await moveLeased(context, leased, 'processing', null)
}

/**
 * Leases payouts without a final answer, and hands them out one by one. Those whose worker let its
 * lease run out become `unknown` first.
 */
export async function* claimOpen(
  context: PayoutContext,
  atOnce: number,
  among: Among,
): AsyncGenerator<Leased, void> {
  for await (const leased of leasePieces(context, ['processing', 'unknown'], atOnce, among)) {
    yield* leased.filter(each => !isLeft(each))
    yield* await moveLeased(context, leased.filter(isLeft), 'unknown', 'its worker stopped')
  }
}

function isLeft({ record: { payout, holdEnd } }: Leased): boolean {
  return payout.status === 'processing' && holdEnd === null
}

/** Leases payouts of some statuses, each at most once, the next piece when the last is taken. */
async function* leasePieces(
  context: PayoutContext,
  statuses: readonly PayoutStatus[],
  atOnce: number,
  { batch, ids }: Among,
): AsyncGenerator<readonly Leased[], void> {
  let after: PayoutCursor | undefined
  for (;;) {
    const leased = await context.repository.lease(
      context.book,
      {
        statuses,
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
    yield leased
  }
}

/** Moves leased payouts on; gives those that moved. */
async function moveLeased(
  context: PayoutContext,
  leased: readonly Leased[],
  to: 'processing' | 'unknown',
  reason: string | null,
): Promise<Leased[]> {
  const moved = await move(
    context,
    leased.map(({ record, lease: { token } }) => {
      const { id, status: from } = record.payout
      return { id, from, to, holdEnd: null, token, reason, keepLease: true }
    }),
  )
  const records = new Map(moved.map(record => [record.payout.id, record]))
  return leased.flatMap(({ record, lease }) => {
    const now = records.get(record.payout.id)
    return now ? [{ record: now, lease }] : []
  })
}
