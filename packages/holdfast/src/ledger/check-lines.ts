import { sum } from '../money/amount.ts'
import type { AccountId, Key } from './command.ts'
import type { KeptLeg, Movement } from './movement.ts'

/** What one line of a movement changes on an account, in minor units. */
export interface Line {
  readonly account: AccountId
  readonly posted: bigint
  readonly held: bigint
}

/**
 * The lines that a movement must have written, in order; `hold` is what an end ends. Written apart
 * from `decide`, which it proves: it goes by what moved and asks nothing of the balances.
 */
export function linesOf(movement: Movement, hold: Movement | null): Line[] {
  const { kind, legs, moved } = movement
  const held = hold?.moved ?? moved
  switch (kind) {
    case 'transfer':
      return legs.flatMap((leg, index) => {
        const given = moved[index] ?? []
        const lines = ofSources(leg, given, (account, amount) => line(account, -amount, 0n))
        lines.push(line(leg.to, sum(given), 0n))
        return lines
      })
    case 'hold':
      return legs.flatMap((leg, index) =>
        ofSources(leg, moved[index] ?? [], (account, amount) => line(account, 0n, amount)),
      )
    case 'settle':
      return legs.flatMap((leg, index) => {
        const paid = moved[index] ?? []
        const total = sum(paid)
        const lines = ofSources(leg, held[index] ?? [], (account, amount, at) =>
          line(account, -(paid[at] ?? 0n), -amount),
        )
        if (total !== 0n) lines.push(line(leg.to, total, 0n))
        return lines
      })
    case 'release':
      return legs.flatMap((leg, index) =>
        ofSources(leg, held[index] ?? [], (account, amount) => line(account, 0n, -amount)),
      )
    case 'reverse':
      return [...legs.entries()].reverse().flatMap(([index, leg]) => {
        const back = moved[index] ?? []
        const total = sum(back)
        const lines = ofSources(leg, back, (account, amount) => line(account, amount, 0n))
        if (total !== 0n) lines.push(line(leg.to, -total, 0n))
        return lines.reverse()
      })
  }
}

/** One line for each source with an amount other than 0. */
function ofSources(
  leg: KeptLeg,
  amounts: readonly bigint[],
  change: (account: AccountId, amount: bigint, source: number) => Line,
): Line[] {
  const lines: Line[] = []
  leg.from.forEach((account, source) => {
    const amount = amounts[source] ?? 0n
    if (amount !== 0n) lines.push(change(account, amount, source))
  })
  return lines
}

function line(account: AccountId, posted: bigint, held: bigint): Line {
  return { account, posted, held }
}

/** The holds that are open while the movements of a book pass in order. */
export class OpenHolds {
  readonly #open = new Map<Key, Movement>()

  /** The hold that a movement ends; null where it is no end, or its hold is not open. */
  pass(movement: Movement): Movement | null {
    if (movement.kind === 'hold') this.#open.set(movement.key, movement)
    if (movement.part === 0) return null
    const hold = this.#open.get(movement.key) ?? null
    this.#open.delete(movement.key)
    return hold
  }

  values(): Iterable<Movement> {
    return this.#open.values()
  }
}
