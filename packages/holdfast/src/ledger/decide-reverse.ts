import { sum } from '../money/amount.ts'
import { blank, fill, giveable, type Draft, type Verdict } from './draft.ts'
import type { KeptLeg, Movement } from './movement.ts'
import type { Refusal } from './outcome.ts'
import type { PreparedReverse } from './prepare.ts'
import { refusals } from './refusals.ts'

/** The mirror of a transfer or of a settled hold, last leg first; at most its amount in total. */
export function decideReverse(draft: Draft, command: PreparedReverse): Verdict {
  const { key, of, amounts, mayOwe } = command
  const original = draft.movement(of, 0)
  if (!original) return { refusal: refusals.transferNotFound(of) }
  const given = whatMoved(draft, original)
  if (!given) return { refusal: refusals.notReversible(of) }
  const { legs } = original
  if (amounts && amounts.length !== legs.length)
    return { refusal: refusals.amountsMismatch(legs.length, amounts.length) }

  const left = whatIsLeft(given, draft.reversals(of))
  const asked = amounts ?? left.map(sum)
  const excess = exceeds(asked, left)
  if (excess) return { refusal: excess }

  const moved: bigint[][] = legs.map(() => [])
  for (const [index, leg] of [...legs.entries()].reverse()) {
    const amount = asked[index] ?? 0n
    // The last source that gave is paid back first.
    const back = fill((left[index] ?? []).toReversed(), amount).toReversed()
    moved[index] = back
    if (amount === 0n) continue
    const refusal =
      (mayOwe ? null : lacksFunds(draft, leg, index, amount)) ??
      draft.line(leg.to, -amount, 0n, key, 0) ??
      payBack(draft, leg, back, key)
    if (refusal) return { refusal }
  }
  return {
    movement: { ...blank(draft), key, kind: 'reverse', legs, moved, of, amounts, mayOwe },
  }
}

/** What each source of a transfer or of a settled hold gave; null where there is nothing to mirror. */
function whatMoved(draft: Draft, original: Movement): Movement['moved'] | null {
  if (original.kind === 'transfer') return original.moved
  if (original.kind !== 'hold') return null
  const end = draft.movement(original.key, 1)
  return end?.kind === 'settle' ? end.moved : null
}

function whatIsLeft(given: Movement['moved'], reversals: readonly Movement[]): bigint[][] {
  return given.map((sources, leg) =>
    sources.map((amount, source) =>
      reversals.reduce((left, reversal) => left - (reversal.moved[leg]?.[source] ?? 0n), amount),
    ),
  )
}

function exceeds(asked: readonly bigint[], left: readonly (readonly bigint[])[]): Refusal | null {
  if (sum(asked) === 0n) return refusals.amountExceedsTransfer(0, 0n, 0n)
  for (const [index, amount] of asked.entries()) {
    const available = sum(left[index] ?? [])
    if (amount > available) return refusals.amountExceedsTransfer(index, available, amount)
  }
  return null
}

function lacksFunds(draft: Draft, leg: KeptLeg, index: number, amount: bigint): Refusal | null {
  const giver = draft.account(leg.to)
  const available = giver ? giveable(giver, draft.balanceMax) : 0n
  return available === null || available >= amount
    ? null
    : refusals.insufficientFunds(index, [leg.to], available, amount)
}

function payBack(draft: Draft, leg: KeptLeg, back: readonly bigint[], key: string): Refusal | null {
  for (const [source, amount] of [...back.entries()].reverse()) {
    const id = leg.from[source]
    if (id === undefined || amount === 0n) continue
    const refusal = draft.line(id, amount, 0n, key, 0)
    if (refusal) return refusal
  }
  return null
}
