import type { Instant } from '../instant.ts'
import type { AccountId, Asset, Book, Key, Meta } from './command.ts'

/** What took effect: a transfer, a hold, one of the two ends of a hold, or a reversal. */
export type MovementKind = 'transfer' | 'hold' | 'settle' | 'release' | 'reverse'

/** A leg as it is kept: its sources always a list, `atLeast` always there. */
export interface KeptLeg {
  readonly from: readonly AccountId[]
  readonly to: AccountId
  readonly asset: Asset
  readonly amount: bigint
  readonly atLeast: bigint
}

/**
 * The immutable record of one command that took effect: the stored answer, the hold and the log in
 * one. A hold's end is part 1 of the hold's key; everything else is part 0.
 */
export interface Movement {
  readonly book: Book
  readonly key: Key
  readonly part: 0 | 1
  readonly kind: MovementKind
  /** The legs as asked for; those of the hold for its end, those of the original for a reversal. */
  readonly legs: readonly KeptLeg[]
  /**
   * What moved, leg by leg and source by source, in minor units. For a transfer what each source
   * gave; for a hold what was held of it; for a settle what arrived from it; for a release what
   * returned to it; for a reversal what it was paid back.
   */
  readonly moved: readonly (readonly bigint[])[]
  /** The original that a reversal mirrors. */
  readonly of: Key | null
  /** The hold that this hold took the place of. */
  readonly replaces: Key | null
  /** The amounts as asked for by a settle or a reversal; null means all. */
  readonly amounts: readonly bigint[] | null
  readonly expiresInMs: number | null
  readonly effective: Instant | null
  readonly mayOwe: boolean
  readonly meta: Meta | null
  readonly reason: string | null
  /** When the store wrote it, by the store's clock. Never goes backwards for one account. */
  readonly recorded: Instant
}

/** One account's immutable line for one leg of a movement. */
export interface Entry {
  readonly book: Book
  readonly account: AccountId
  /** Counts up by one from 1, without a gap. */
  readonly version: bigint
  readonly key: Key
  readonly part: 0 | 1
  /** After this entry, in minor units. */
  readonly posted: bigint
  readonly held: bigint
  readonly recorded: Instant
}

/** An account as it stands, or as it stood at a recorded time. `available` is `posted - held`. */
export interface Account {
  readonly book: Book
  readonly id: AccountId
  readonly asset: Asset
  readonly floor: bigint | null
  readonly posted: bigint
  readonly held: bigint
  readonly version: bigint
  readonly closed: boolean
}
