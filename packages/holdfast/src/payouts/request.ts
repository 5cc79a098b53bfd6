import type { AccountId, Asset, Book } from '../ledger/command.ts'
import { isAmount, isAsset, isKey, isName, KEY_RULE, NAME_RULE } from '../ledger/shape.ts'
import { ASSET_RULE } from '../money/asset.ts'
import { holdsCardNumber } from './card-number.ts'
import { DESTINATION_CHARS_MAX, PAYEE_NAME_CHARS_MAX } from './limits.ts'
import { TRIAL_ACCOUNT_PREFIX } from './ledger-port.ts'
import { isPayoutId, payoutId } from './payout-id.ts'
import type { Payout } from './payout.ts'
import { refusals, type PayoutRefusal, type PayoutRefusalCode } from './refusals.ts'
import { isPrintable } from './text.ts'

/** What is asked for: pay one amount to one recipient. */
export interface PayoutRequest {
  /** The caller's key, unique in the book: 1 to 128 printable ASCII characters, no space. */
  readonly requestKey: string
  readonly account: AccountId
  /** The name of a gateway that was given to `Payouts`. */
  readonly gateway: string
  readonly asset: Asset
  /** In minor units, 1 to 2^63-1. */
  readonly amount: bigint
  readonly payeeName: string
  /** Where the money goes, in the gateway's own terms (an IBAN, an account id). */
  readonly destination: string
  /** Payouts that are approved together. */
  readonly batch?: string
  /** The failed payout that this one takes the place of. */
  readonly retryOf?: string
}

/** A payout as it is first written down. */
export type NewPayout = Pick<
  Payout,
  | 'id'
  | 'requestKey'
  | 'batch'
  | 'account'
  | 'gateway'
  | 'asset'
  | 'amount'
  | 'payeeName'
  | 'destination'
  | 'retryOf'
>

interface Rule {
  readonly code: PayoutRefusalCode
  readonly field: keyof PayoutRequest
  readonly holds: (request: PayoutRequest, gateways: ReadonlySet<string>) => boolean
  readonly rule: string
}

/** What is asked of the fields of a request, in the order in which it is checked. */
const RULES: readonly Rule[] = [
  {
    code: 'INVALID_REQUEST_KEY',
    field: 'requestKey',
    holds: ({ requestKey }) => isKey(requestKey),
    rule: KEY_RULE,
  },
  {
    code: 'INVALID_BATCH',
    field: 'batch',
    holds: ({ batch }) => batch === undefined || isKey(batch),
    rule: KEY_RULE,
  },
  {
    code: 'INVALID_ACCOUNT',
    field: 'account',
    holds: ({ account }) => isName(account),
    rule: NAME_RULE,
  },
  {
    code: 'ACCOUNT_NOT_PAYABLE',
    field: 'account',
    holds: ({ account }) => !account.startsWith(TRIAL_ACCOUNT_PREFIX),
    rule: 'no trial credit: it can be spent, and never be paid out',
  },
  {
    code: 'INVALID_GATEWAY',
    field: 'gateway',
    holds: ({ gateway }, gateways) => gateways.has(gateway),
    rule: 'the name of a gateway that is known here',
  },
  {
    code: 'INVALID_ASSET',
    field: 'asset',
    holds: ({ asset }) => isAsset(asset),
    rule: ASSET_RULE,
  },
  {
    code: 'INVALID_AMOUNT',
    field: 'amount',
    holds: ({ amount }) => isAmount(amount),
    rule: 'a whole number of minor units, 1 to 2^63-1 (a bigint)',
  },
  {
    code: 'INVALID_PAYEE',
    field: 'payeeName',
    holds: ({ payeeName }) => isPrintable(payeeName, PAYEE_NAME_CHARS_MAX),
    rule: `1 to ${PAYEE_NAME_CHARS_MAX} printable characters`,
  },
  {
    code: 'INVALID_DESTINATION',
    field: 'destination',
    holds: ({ destination }) => isPrintable(destination, DESTINATION_CHARS_MAX),
    rule: `1 to ${DESTINATION_CHARS_MAX} printable characters`,
  },
  {
    code: 'INVALID_RETRY_OF',
    field: 'retryOf',
    holds: ({ retryOf }) => retryOf === undefined || isPayoutId(retryOf),
    rule: 'the id of a payout, 15 characters of A-Z0-9',
  },
]

/** The first thing that is wrong with the form of a request; null where it is well formed. */
export function checkRequest(
  request: PayoutRequest,
  gateways: ReadonlySet<string>,
): PayoutRefusal | null {
  const broken = RULES.find(({ holds }) => !holds(request, gateways))
  if (broken) {
    const { code, field, rule } = broken
    return { code, field, message: `${field}: ${rule}` }
  }
  const card = (['payeeName', 'destination'] as const).find(each => holdsCardNumber(request[each]))
  return card === undefined ? null : refusals.cardNumber(card)
}

/** The payout that a well-formed request asks for. */
export function newPayout(book: Book, request: PayoutRequest): NewPayout {
  const { requestKey, account, gateway, asset, amount, payeeName, destination } = request
  const { batch = null, retryOf = null } = request
  const id = payoutId(book, requestKey)
  return { id, requestKey, batch, account, gateway, asset, amount, payeeName, destination, retryOf }
}

/**
 * The fields in which a request differs from the first one under its key; none means that it is the
 * same request again. What was erased is not compared.
 */
export function requestDifferences(first: NewPayout, again: NewPayout): string[] {
  const fields = ['batch', 'account', 'gateway', 'asset', 'amount', 'retryOf'] as const
  const personal = first.destination === '' ? [] : (['payeeName', 'destination'] as const)
  return [...fields, ...personal].filter(field => first[field] !== again[field])
}
