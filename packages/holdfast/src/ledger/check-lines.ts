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
        return [
          ...ofSources(leg, given, amount => [-amount, 0n]),
          { account: leg.to, posted: sum(given), held: 0n },
        ]
      })
    case 'hold':
      return legs.flatMap((leg, index) =>
        ofSources(leg, moved[index] ?? [], amount => [0n, amount]),
      )
    case 'settle':
      return legs.flatMap((leg, index) => {
        const paid = moved[index] ?? []
        const ended = ofSources(leg, held[index] ?? [], (amount, at) => [
          -(paid[at] ?? 0n),
          -amount,
        ])
        return sum(paid) === 0n
          ? ended
          : [...ended, { account: leg.to, posted: sum(paid), held: 0n }]
      })
    case 'release':
      return legs.flatMap((leg, index) =>
        ofSources(leg, held[index] ?? [], amount => [0n, -amount]),
      )
    case 'reverse':
      return [...legs.entries()].reverse().flatMap(([index, leg]) => {
        const back = moved[index] ?? []
        return sum(back) === 0n
          ? []
          : [
              { account: leg.to, posted: -sum(back), held: 0n },
              ...ofSources(leg, back, amount => [amount, 0n]).reverse(),
            ]
      })
  }
}

/** One line for each source with an amount other than 0. */
function ofSources(
  leg: KeptLeg,
  amounts: readonly bigint[],
  change: (amount: bigint, source: number) => [posted: bigint, held: bigint],
): Line[] {
  return leg.from.flatMap((account, source) => {
    const amount = amounts[source] ?? 0n
    if (amount === 0n) return []
    const [posted, held] = change(amount, source)
    return [{ account, posted, held }]
  })
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
