import type { Key } from '../ledger/command.ts'
import type { Refusal, RefusalCode } from '../ledger/outcome.ts'

/** Every code that charges refuse with themselves; what the ledger refuses keeps the ledger's code. */
export const CHARGE_REFUSAL_CODES = [
  'INVALID_KEY',
  'INVALID_PARTY',
  'INVALID_RECIPIENT',
  'INVALID_AMOUNT',
  'INVALID_LIMIT',
  'INVALID_EXPIRY',
  'INVALID_ACCOUNT',
  'INVALID_ASSET',
  'NO_SCHEDULE',
  'KEY_REUSED',
  'LIMIT_EXCEEDED',
  'CHARGE_NOT_FOUND',
  'AMOUNT_EXCEEDS_AUTHORISATION',
  'AMOUNT_EXCEEDS_CHARGE',
  'NOTHING_TO_CONVERT',
] as const

/** One of {@link CHARGE_REFUSAL_CODES}. */
export type ChargeRefusalCode = (typeof CHARGE_REFUSAL_CODES)[number]

/** Which limit a charge meets. */
export type LimitKind = 'call' | 'day' | 'key'

/** A business answer of no: a value with a code, never thrown. Nothing moved. */
export interface ChargeRefusal {
  readonly code: ChargeRefusalCode | RefusalCode
  /** One sentence that names the field and the rule. */
  readonly message: string
  /** The field of the request that is at fault. */
  readonly field?: string
  /** For `KEY_REUSED`: the fields that differ from the first request under the key. */
  readonly fields?: readonly string[]
  readonly key?: Key
  /** For `LIMIT_EXCEEDED`. */
  readonly limit?: LimitKind
  /** In minor units: what there is, and what was asked. */
  readonly available?: bigint
  readonly asked?: bigint
  /** What the ledger said, where it was the ledger. */
  readonly ledger?: Refusal
}

/** Tells a refusal from what else a function gives. */
export function isChargeRefusal(value: object): value is ChargeRefusal {
  return 'code' in value && 'message' in value
}

/** Every refusal that is not about one field's form, made in one place. */
export const refusals = {
  invalid: (code: ChargeRefusalCode, field: string, rule: string): ChargeRefusal => ({
    code,
    field,
    message: `${field}: ${rule}`,
  }),
  noSchedule: (day: string): ChargeRefusal => ({
    code: 'NO_SCHEDULE',
    message: `no version of the fee schedule is in force on ${day}`,
  }),
  keyReused: (key: Key, fields: readonly string[]): ChargeRefusal => ({
    code: 'KEY_REUSED',
    key,
    fields,
    message: `key ${key} was used before with other content: ${fields.join(', ')}`,
  }),
  limitExceeded: (limit: LimitKind, available: bigint, asked: bigint): ChargeRefusal => ({
    code: 'LIMIT_EXCEEDED',
    limit,
    available,
    asked,
    message: `the limit of the ${limit} leaves ${available}, asked were ${asked}`,
  }),
  chargeNotFound: (key: Key): ChargeRefusal => ({
    code: 'CHARGE_NOT_FOUND',
    key,
    message: `there is no charge or captured authorisation ${key}`,
  }),
  exceedsAuthorisation: (key: Key, available: bigint, asked: bigint): ChargeRefusal => ({
    code: 'AMOUNT_EXCEEDS_AUTHORISATION',
    key,
    field: 'amount',
    available,
    asked,
    message: `amount: ${asked} is more than the ${available} that authorisation ${key} holds`,
  }),
  exceedsCharge: (key: Key, available: bigint, asked: bigint): ChargeRefusal => ({
    code: 'AMOUNT_EXCEEDS_CHARGE',
    key,
    field: 'amount',
    available,
    asked,
    message: `amount: ${asked} is more than the ${available} that is left to refund of ${key}`,
  }),
  nothingToConvert: (available: bigint): ChargeRefusal => ({
    code: 'NOTHING_TO_CONVERT',
    available,
    message: `the ${available} minor units that were earned are not one unit of the other asset`,
  }),
  ofLedger: (refusal: Refusal): ChargeRefusal => {
    const { code, message, field, fields, key, available, asked } = refusal
    return {
      code,
      message,
      ...(field === undefined ? {} : { field }),
      ...(fields === undefined ? {} : { fields }),
      ...(key === undefined ? {} : { key }),
      ...(available === undefined ? {} : { available }),
      ...(asked === undefined ? {} : { asked }),
      ledger: refusal,
    }
  },
} as const
