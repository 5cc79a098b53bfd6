import type { AccountId, Asset, Key } from './command.ts'

/** Every kind of difference that `check` can find, and what each says. */
export const CHECK_CODES = {
  MOVEMENT_MALFORMED: 'a movement has legs, or amounts in them, that no command can have',
  MOVEMENT_UNREADABLE: 'a movement is no movement; what comes after it was not compared',
  MOVED_OUTSIDE_LEG: 'a transfer or a hold moved less than a leg asked for at least, or more',
  ASSET_DIFFERS: 'a leg moves another asset than an account of it holds',
  HOLD_MISSING: 'a settle or a release has no open hold before it',
  SETTLED_AFTER_EXPIRY: 'a hold was settled when it had expired',
  END_DIFFERS_FROM_HOLD: 'a settle or a release does not fit what its hold held',
  REPLACED_HOLD_NOT_RELEASED: 'a hold says that it replaced one that was not released with it',
  ORIGINAL_MISSING: 'a reversal has no transfer and no settled hold that it mirrors',
  REVERSED_TOO_MUCH: 'reversals of one original come to more than it moved',
  REVERSAL_DIFFERS: 'a reversal does not mirror its original',
  RECORDED_BACKWARDS: 'a movement was recorded before the one that precedes it on an account',
  FLOOR_CROSSED: 'a movement without mayOwe lowered available below the floor',
  ENTRY_MISSING: "an account's newest entry, which its row speaks of, is not there",
  VERSION_GAP: "an account's entries leave out a version",
  MOVEMENT_WITHOUT_ENTRY: 'a movement has not written an entry that it must have written',
  ENTRY_WITHOUT_MOVEMENT: 'an entry was written by no movement',
  ENTRY_OUT_OF_ORDER: 'the entries of an account do not follow the order of its movements',
  ENTRY_POSTED_DIFFERS: 'posted of an entry is not what the movements come to',
  ENTRY_HELD_DIFFERS: 'held of an entry is not what the movements come to',
  ENTRY_RECORDED_DIFFERS: 'an entry was recorded at another time than its movement',
  ENTRIES_DIFFER: 'the entries of an account differ from its movements; the place was not named',
  ACCOUNT_MISSING: 'a movement or an entry names an account that is not there',
  ACCOUNT_VERSION_DIFFERS: 'version of an account is not that of its newest entry',
  ACCOUNT_POSTED_DIFFERS: 'posted of an account is not that of its newest entry',
  ACCOUNT_HELD_DIFFERS: 'held of an account is not that of its newest entry',
  HELD_DIFFERS_FROM_HOLDS: 'held of an account is not the sum of its open holds',
  BOOK_UNBALANCED: 'the posted balances of an asset do not add up to 0',
} as const

/** The name of a kind in {@link CHECK_CODES}. */
export type CheckCode = keyof typeof CHECK_CODES

/** A place where the stored book is not what the invariants say. Amounts are in minor units. */
export interface Difference {
  readonly code: CheckCode
  /** One sentence that names the place. */
  readonly message: string
  readonly account?: AccountId
  readonly asset?: Asset
  /** The movement's key; for the end of a hold that of the hold. */
  readonly key?: Key
  /** The version of the account at which it was seen. */
  readonly version?: bigint
  /** What the rule calls for: an amount or a version, or a key, an asset, an instant, a list. */
  readonly expected?: bigint | string
  readonly found?: bigint | string
}

/** Takes each difference as it is found. */
export type Report = (difference: Difference) => void

/** A movement in a sentence: a key names a hold and its end. */
export function nameOf(movement: { readonly key: Key; readonly part: 0 | 1 }): string {
  return movement.part === 1 ? `the end of ${movement.key}` : movement.key
}
