import type { AccountId, Key } from './command.ts'
import type { Movement } from './movement.ts'

/** Every code a ledger refuses with, in the order in which they are checked. */
export const REFUSAL_CODES = [
  'INVALID_AMOUNT',
  'INVALID_EXPIRY',
  'INVALID_KEY',
  'INVALID_ACCOUNT',
  'INVALID_ASSET',
  'INVALID_LEGS',
  'SAME_ACCOUNT',
  'INVALID_TIME',
  'INVALID_META',
  'KEY_REUSED',
  'HOLD_SETTLED',
  'HOLD_RELEASED',
  'ACCOUNT_NOT_FOUND',
  'HOLD_NOT_FOUND',
  'TRANSFER_NOT_FOUND',
  'NOT_REVERSIBLE',
  'ACCOUNT_DIFFERS',
  'ACCOUNT_CLOSED',
  'ASSET_MISMATCH',
  'HOLD_EXPIRED',
  'HOLD_NOT_EXPIRED',
  'AMOUNT_EXCEEDS_HOLD',
  'AMOUNT_EXCEEDS_TRANSFER',
  'INSUFFICIENT_FUNDS',
  'BALANCE_TOO_LARGE',
] as const

/** One of {@link REFUSAL_CODES}. */
export type RefusalCode = (typeof REFUSAL_CODES)[number]

/** A business answer of no: a value with a code, never thrown. It leaves no trace in the ledger. */
export interface Refusal {
  readonly code: RefusalCode
  /** One sentence that names the field and the rule. */
  readonly message: string
  /** The field of the command that is at fault, `legs[0].amount`. */
  readonly field?: string
  /** For `KEY_REUSED`: the fields that differ from the first use of the key. */
  readonly fields?: readonly string[]
  /** The account or the key that the refusal is about. */
  readonly account?: AccountId
  readonly key?: Key
  /** For `INSUFFICIENT_FUNDS`: the leg (from 0), its sources, what they could give, what was asked. */
  readonly leg?: number
  readonly sources?: readonly AccountId[]
  readonly available?: bigint
  readonly asked?: bigint
}

/** The answer to one command. `movement` is absent for open and close. */
export type Outcome =
  | { readonly ok: true; readonly replayed: boolean; readonly movement?: Movement }
  | { readonly ok: false; readonly refusal: Refusal }
