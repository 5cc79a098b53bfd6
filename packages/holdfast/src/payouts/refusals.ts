import type { PayoutStatus } from './payout.ts'

/** Every code that payouts refuse with. */
export const PAYOUT_REFUSAL_CODES = [
  'INVALID_REQUEST_KEY',
  'INVALID_BATCH',
  'INVALID_ACCOUNT',
  'ACCOUNT_NOT_PAYABLE',
  'INVALID_GATEWAY',
  'INVALID_ASSET',
  'INVALID_AMOUNT',
  'INVALID_PAYEE',
  'INVALID_DESTINATION',
  'INVALID_RETRY_OF',
  'CARD_NUMBER_REFUSED',
  'KEY_REUSED',
  'ID_COLLISION',
  'RETRY_OF_NOT_FAILED',
  'ALREADY_RETRIED',
  'PAYOUT_NOT_FOUND',
  'WRONG_STATUS',
  'PAYOUT_BUSY',
  'INVALID_PERSON',
  'INVALID_REASON',
  'FINALITY_DECLARED',
  'STILL_UNCERTAIN',
  'RETURN_EXCEEDS_PAYOUT',
] as const

/** One of {@link PAYOUT_REFUSAL_CODES}. */
export type PayoutRefusalCode = (typeof PAYOUT_REFUSAL_CODES)[number]

/** A business answer of no: a value with a code, never thrown. */
export interface PayoutRefusal {
  readonly code: PayoutRefusalCode
  /** One sentence that names the field and the rule. It holds no personal data. */
  readonly message: string
  /** The field of the request that is at fault. */
  readonly field?: string
  /** For `KEY_REUSED`: the fields that differ from the first request under the key. */
  readonly fields?: readonly string[]
  /** The payout that it is about, and where it stands. */
  readonly payout?: string
  readonly status?: PayoutStatus
}

/** Every refusal that is not about one field's form, made in one place. */
export const refusals = {
  cardNumber: (field: string): PayoutRefusal => ({
    code: 'CARD_NUMBER_REFUSED',
    field,
    message: `${field}: the number of a payment card is not taken`,
  }),
  keyReused: (payout: string, fields: readonly string[]): PayoutRefusal => ({
    code: 'KEY_REUSED',
    field: 'requestKey',
    fields,
    payout,
    message: `requestKey: used before with other content: ${fields.join(', ')}`,
  }),
  idCollision: (payout: string): PayoutRefusal => ({
    code: 'ID_COLLISION',
    field: 'requestKey',
    payout,
    message: `requestKey: another request key gives the same id ${payout}: use another one`,
  }),
  retryOfNotFailed: (payout: string, status: PayoutStatus): PayoutRefusal => ({
    code: 'RETRY_OF_NOT_FAILED',
    field: 'retryOf',
    payout,
    status,
    message: `retryOf: payout ${payout} is ${status}: only a failed one may be paid anew`,
  }),
  alreadyRetried: (payout: string): PayoutRefusal => ({
    code: 'ALREADY_RETRIED',
    field: 'retryOf',
    payout,
    message: `retryOf: another payout already takes the place of ${payout}`,
  }),
  notFound: (payout: string, field: 'id' | 'retryOf' = 'id'): PayoutRefusal => ({
    code: 'PAYOUT_NOT_FOUND',
    field,
    payout,
    message: `${field}: there is no payout ${payout}`,
  }),
  wrongStatus: (payout: string, status: PayoutStatus, to: string): PayoutRefusal => ({
    code: 'WRONG_STATUS',
    payout,
    status,
    message: `payout ${payout} is ${status}: it cannot be ${to}`,
  }),
  busy: (payout: string): PayoutRefusal => ({
    code: 'PAYOUT_BUSY',
    payout,
    message: `a worker is at payout ${payout}: try again when it is done`,
  }),
  finalityDeclared: (payout: string): PayoutRefusal => ({
    code: 'FINALITY_DECLARED',
    payout,
    message: `the gateway of payout ${payout} declares when it is final: resolving releases it`,
  }),
  stillUncertain: (payout: string, reason: string): PayoutRefusal => ({
    code: 'STILL_UNCERTAIN',
    payout,
    message: `payout ${payout} may still be paid: ${reason}`,
  }),
  returnExceeds: (payout: string): PayoutRefusal => ({
    code: 'RETURN_EXCEEDS_PAYOUT',
    field: 'totalReturned',
    payout,
    message: `totalReturned: from 1 to the amount of payout ${payout}, in minor units`,
  }),
} as const
