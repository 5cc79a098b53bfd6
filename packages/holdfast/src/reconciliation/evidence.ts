import type { KnownPayout } from './matching.ts'
import {
  PAGE_LINES_MAX,
  type AcceptedStatement,
  type MatchedPayout,
  type PayoutActions,
  type PayoutReads,
  type ReconciliationStore,
} from './ports.ts'

/** What is needed to act on what a statement shows. */
export interface EvidencePorts {
  readonly store: ReconciliationStore
  readonly payouts: PayoutActions
  readonly reads: PayoutReads
}

/** A payout takes at most two steps; more are left for what others do to it meanwhile. */
const STEPS_MAX = 8

/**
 * Brings the payouts in line with what a matched statement shows of them: a line that pays settles,
 * a line that returns gives back. Everything is read again from what was written down, so that it
 * can stop anywhere and be done again.
 */
export async function actOnEvidence(
  statement: AcceptedStatement,
  ports: EvidencePorts,
): Promise<void> {
  let after = ''
  let isLast = false
  while (!isLast) {
    const page = { after, limit: PAGE_LINES_MAX }
    const matched = await ports.store.matchedPayouts(statement, page)
    const payouts = await ports.reads.byIds(matched.map(({ payout }) => payout))
    const byId = new Map(payouts.map(payout => [payout.id, payout]))
    for (const each of matched) await actOn(statement, each, byId.get(each.payout), ports)
    after = matched.at(-1)?.payout ?? after
    isLast = matched.length < PAGE_LINES_MAX
  }
}

/** Gives back what a late return shows: its payout was paid, so nothing else is left to be done. */
export async function actOnReturn(
  { payout, returned }: MatchedPayout,
  { payouts, reads }: Omit<EvidencePorts, 'store'>,
): Promise<void> {
  for (let steps = 0; steps <= STEPS_MAX; steps += 1) {
    const [read] = await reads.byIds([payout])
    if (!read) throw new Error(`Payout ${payout} has disappeared`)
    if (returned <= read.returned) return
    await payouts.recordReturn(payout, returned)
  }
  throw new Error(`Payout ${payout} does not take what came back of it; run it again`)
}

/** Takes step after step until our books say of the payout what the statement shows. */
async function actOn(
  statement: AcceptedStatement,
  matched: MatchedPayout,
  read: KnownPayout | undefined,
  { store, payouts, reads }: EvidencePorts,
): Promise<void> {
  let payout = read
  for (let steps = 0; steps <= STEPS_MAX; steps += 1) {
    if (!payout) throw new Error(`Payout ${matched.payout} has disappeared`)
    const { id } = payout
    // Its hold may have been released since it was matched: then the money is not in clearing.
    if (matched.paid && payout.released) await store.movePaidAfterRelease(statement, id)
    const step = nextStep(payout, matched)
    if (step === null) return
    if (step === 'settle') await payouts.recordPaid(id)
    else if (step === 'paid-after-release') await payouts.paidAfterRelease(id)
    else await payouts.recordReturn(id, matched.returned)
    payout = (await reads.byIds([id]))[0]
  }
  throw new Error(`Payout ${matched.payout} does not take what the statement shows; run it again`)
}

function nextStep(
  { status, returned }: KnownPayout,
  matched: MatchedPayout,
): 'settle' | 'paid-after-release' | 'return' | null {
  if (matched.paid && (status === 'processing' || status === 'unknown')) return 'settle'
  if (matched.paid && status === 'failed') return 'paid-after-release'
  return matched.returned > returned ? 'return' : null
}
