import type { KeptLeg, Movement } from './movement.ts'
import { UnreadableMovement } from './store.ts'

/** A movement as stores keep it: JSON, what moved in one row, source after source. */
export interface MovementJson extends Omit<Movement, 'legs' | 'moved' | 'amounts'> {
  readonly legs: readonly (Omit<KeptLeg, 'amount' | 'atLeast'> & {
    readonly amount: string
    readonly atLeast: string
  })[]
  readonly moved: readonly string[]
  readonly amounts: readonly string[] | null
}

/**
 * Reads a stored movement; amounts are text in it, so no number is rounded. Throws an
 * {@link UnreadableMovement} for one that no list has written.
 */
export function readMovement(stored: MovementJson): Movement {
  try {
    const legs = stored.legs.map(({ from, to, asset, amount, atLeast }) => ({
      from: from.map(String),
      to,
      asset,
      amount: BigInt(amount),
      atLeast: BigInt(atLeast),
    }))
    return {
      ...stored,
      legs,
      moved: byLeg(legs, stored.moved),
      amounts: stored.amounts?.map(BigInt) ?? null,
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UnreadableMovement(stored.book, stored.key, why)
  }
}

/** What moved is kept in one row, source after source. */
export function byLeg(legs: readonly KeptLeg[], moved: readonly string[]): bigint[][] {
  const sources = legs.reduce((count, leg) => count + leg.from.length, 0)
  if (moved.length !== sources)
    throw new RangeError(`moved has ${moved.length} amounts for ${sources} sources`)
  let next = 0
  return legs.map(leg => leg.from.map(() => BigInt(moved[next++] ?? 0)))
}
