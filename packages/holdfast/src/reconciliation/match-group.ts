import { addMs } from '../instant.ts'
import { wasSent } from '../payouts/payout.ts'
import { DAY_MS } from './cover.ts'
import type { FindingKind } from './finding.ts'
import { carriedNames } from './identify.ts'
import type { KnownPayout, Matching } from './matching.ts'
import { signed, type Part } from './parts.ts'

/** The payouts that a batch line stands for, or why nobody can tell. */
type Group = { readonly payouts: readonly KnownPayout[] } | { readonly doubt: FindingKind }

/**
 * Matches a batch line as a whole: by its sum and count, never payout by payout. What it stands for
 * is told by the ids in it, else by the name of a batch of ours, else by its sum and count alone.
 */
export function matchGroup(
  part: Part,
  namedByLine: readonly KnownPayout[],
  matching: Matching,
): void {
  const named = distinct([
    ...namedByLine,
    ...part.detailRefs.flatMap(refs => matching.named({ ...part, refs, bankRef: null }).payouts),
  ])
  const group = groupOf(part, named, matching)
  if ('doubt' in group) {
    const books = part.detailSum === null ? null : signed(part, part.detailSum)
    matching.suspend(part, group.doubt, { named: named.map(({ id }) => id), books })
    return
  }
  const sum = sumOf(group.payouts)
  const doubt = doubtAboutGroup(part, group.payouts, matching)
  if (doubt) {
    matching.suspend(part, doubt, { named: group.payouts.map(({ id }) => id), books: -sum })
    return
  }
  for (const payout of group.payouts) {
    matching.pay(part, payout, payout.amount)
    if (!payout.released) continue
    matching.find(part, 'PAID_AFTER_RELEASE', { ...matching.about(payout), bank: -payout.amount })
  }
  if (part.amount !== sum) matching.allocate(part, 'fees', part.charges)
}

function groupOf(part: Part, named: readonly KnownPayout[], matching: Matching): Group {
  if (part.kind === 'doubtful') {
    return { doubt: part.detailSum === null ? 'AMBIGUOUS' : 'AMOUNT_DIFFERS' }
  }
  if (part.direction === 'credit' || part.reversal) {
    return { doubt: named.length > 0 ? 'AMBIGUOUS' : 'NOT_IN_OUR_BOOKS' }
  }
  if (named.length > 0) return { payouts: named }
  const [payouts, another] = groupsFor(part, matching)
  if (!payouts) return { doubt: 'NOT_IN_OUR_BOOKS' }
  return another ? { doubt: 'AMBIGUOUS' } : { payouts }
}

/** Why a batch line does not pay the group that it stands for. */
function doubtAboutGroup(
  part: Part,
  group: readonly KnownPayout[],
  matching: Matching,
): FindingKind | null {
  if (group.some(payout => matching.wasSeenPaid(payout))) return 'PAID_MORE_THAN_ONCE'
  if (group.some(payout => !wasSent(payout))) return 'STATUS_DIFFERS'
  if (group.some(payout => payout.asset !== matching.bank.asset)) return 'AMOUNT_DIFFERS'
  if (part.count !== null && part.count !== group.length) return 'AMBIGUOUS'
  const sum = sumOf(group)
  return part.amount === sum || part.amount === sum + part.charges ? null : 'AMOUNT_DIFFERS'
}

/**
 * The batches of ours that the line names, or else those of its sum and count, where no detail says
 * that it is about something else. A payout that failed was left out of the batch.
 */
function groupsFor(part: Part, matching: Matching): (readonly KnownPayout[])[] {
  const names = new Set([part.refs, ...part.detailRefs].flatMap(carriedNames))
  const batches = matching.known.batches
    .filter(({ payouts }) => !payouts.some(payout => isLaterThan(part, payout)))
    .map(({ batch, payouts }) => ({
      isNamed: names.has(batch),
      payouts: payouts.filter(payout => payout.status !== 'failed'),
    }))
  const named = batches.filter(({ isNamed }) => isNamed)
  const isOfOthers = part.detailRefs.some(refs => refs['endToEndId'] !== undefined)
  if (named.length > 0 || isOfOthers) return named.map(({ payouts }) => payouts)
  const fitting = batches.filter(
    ({ payouts }) =>
      isOfSumAndCount(part, payouts) && !payouts.some(payout => matching.wasSeenPaid(payout)),
  )
  return fitting.map(({ payouts }) => payouts)
}

/** Whether a payout was requested only after the line was booked. A bank's day may last until noon UTC. */
function isLaterThan({ booked }: Part, { createdAt }: KnownPayout): boolean {
  return booked !== null && addMs(`${booked}T12:00:00.000Z`, DAY_MS) < createdAt
}

function isOfSumAndCount(
  { amount, charges, count }: Part,
  payouts: readonly KnownPayout[],
): boolean {
  const sum = sumOf(payouts)
  return count === payouts.length && (sum === amount || sum + charges === amount)
}

function sumOf(payouts: readonly KnownPayout[]): bigint {
  return payouts.reduce((sum, { amount }) => sum + amount, 0n)
}

function distinct(payouts: readonly KnownPayout[]): KnownPayout[] {
  return [...new Map(payouts.map(payout => [payout.id, payout])).values()]
}
