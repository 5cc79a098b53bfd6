import type { Instant } from '../instant.ts'

/** A set of accounts that is closed under movement. 1 to 128 of `A-Za-z0-9._:/@+-`. */
export type Book = string

/** The name of an account in its book, `user:42`. 1 to 128 of `A-Za-z0-9._:/@+-`. */
export type AccountId = string

/**
 * What is counted, with its scale: `EUR/2`, `JPY/0`, `GBP/6`. A capital, up to 15 capitals or
 * digits, `/`, a scale of 0 to 18. `EUR` alone is a convenience of `money` and the command line.
 */
export type Asset = string

/** The caller's idempotency key, unique in a book. 1 to 128 printable ASCII characters, no space. */
export type Key = string

/** What the caller wants to find again beside a movement: a JSON object of at most 2,048 bytes. */
export type Meta = Readonly<Record<string, unknown>>

/**
 * An amount of an asset from one account to another: it cannot be unbalanced (I3).
 * Several sources are taken in order, each as far as it is available. With `atLeast` the leg is
 * elastic: it moves what is available, up to `amount`, and is refused below `atLeast`.
 */
export interface Leg {
  readonly from: AccountId | readonly AccountId[]
  readonly to: AccountId
  readonly asset: Asset
  /** In minor units, 1 to 2^63-1. */
  readonly amount: bigint
  /** In minor units, 1 to `amount`; absent means `amount`. */
  readonly atLeast?: bigint
}

/** Makes an account. Again with the same asset and floor is a replay, otherwise `ACCOUNT_DIFFERS`. */
export interface Open {
  readonly do: 'open'
  readonly account: AccountId
  readonly asset: Asset
  /** The least that `available` may be lowered to, in minor units; null means no floor. */
  readonly floor: bigint | null
}

/** Refuses new transfers and holds on an account; settle, release and reverse still work. */
export interface Close {
  readonly do: 'close'
  readonly account: AccountId
}

/** Moves money at once. Legs are taken in order, each may use what an earlier one brought. */
export interface Transfer {
  readonly do: 'transfer'
  readonly key: Key
  readonly legs: readonly Leg[]
  /** When the caller says that it happened. */
  readonly effective?: Instant
  readonly meta?: Meta
}

/** Reserves money of the sources; the destinations are not touched before it is settled. */
export interface Hold {
  readonly do: 'hold'
  readonly key: Key
  readonly legs: readonly Leg[]
  /** After this many milliseconds it can no longer be settled; 1 to 315,360,000,000. */
  readonly expiresInMs?: number
  /** The hold that ends, released, in the same step. */
  readonly replaces?: Key
  readonly meta?: Meta
}

/** Ends a hold: its money arrives. What `amounts` (one a leg) leaves over is released with it. */
export interface Settle {
  readonly do: 'settle'
  readonly hold: Key
  /** In minor units, one a leg, 0 to what was held; absent means all. */
  readonly amounts?: readonly bigint[]
}

/** Ends a hold: its money returns. */
export interface Release {
  readonly do: 'release'
  readonly hold: Key
  /** Only where the hold has expired, else `HOLD_NOT_EXPIRED`: what a sweep sends. */
  readonly ifExpired?: true
  readonly reason?: string
}

/** The mirror of a transfer or of a settled hold, at most its amount in total, last leg first. */
export interface Reverse {
  readonly do: 'reverse'
  readonly key: Key
  readonly of: Key
  /** In minor units, one a leg; absent means all that is left. */
  readonly amounts?: readonly bigint[]
  /** The giver may fall below its floor by this (a recorded debt). */
  readonly mayOwe?: true
}

/** Everything that can be asked of a ledger. Each is all or nothing by itself. */
export type Command = Open | Close | Transfer | Hold | Settle | Release | Reverse
