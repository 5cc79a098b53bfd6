import type { AccountId, Key, Meta } from '../ledger/command.ts'
import { EXPIRES_IN_MS_MAX } from '../ledger/limits.ts'
import { isAmount, isKey, isName } from '../ledger/shape.ts'
import type { Party } from './accounts.ts'
import { KEY_CHARS_MAX, PARTY_CHARS_MAX, RECIPIENTS_MAX } from './limits.ts'
import { refusals, type ChargeRefusal } from './refusals.ts'
import type { Recipients } from './shares.ts'

/** How much may be spent at most, in minor units. Each is 1 to 2^63-1; what is absent is no limit. */
export interface SpendLimits {
  /** On one call. */
  readonly callMax?: bigint
  /** By the buyer on a day of UTC. The first charge of the day fixes it. */
  readonly dayMax?: bigint
  /** With one spending key, in all. The first charge with it fixes it. */
  readonly key?: { readonly name: Party; readonly max: bigint }
}

/** Whom a charge is between. */
export interface Parties {
  /** The caller's key (an invocation id), unique in the book: 1 to 100 printable ASCII, no space. */
  readonly key: Key
  readonly buyer: Party
  readonly seller: Party
  /** Accounts by role, for fees that the schedule gives no account to, or another one here. */
  readonly recipients?: Recipients
  readonly limits?: SpendLimits
  /** What the caller wants to find again beside the movement. */
  readonly meta?: Meta
}

/** A price that is known. */
export interface ChargeRequest extends Parties {
  /** In minor units, 1 to 2^63-1. */
  readonly price: bigint
}

/** A price that is known afterwards. */
export interface AuthoriseRequest extends Parties {
  /** The most that it may come to, in minor units, 1 to 2^63-1. */
  readonly ceiling: bigint
  /** After this many milliseconds it can no longer be captured, and its money returns. */
  readonly expiresInMs: number
}

/** Keys that begin so are the room's own. */
export const OWN_KEY_PREFIX = 'charges:'

const PARTY_RULE = `1 to ${PARTY_CHARS_MAX} characters of A-Za-z0-9._:/@+-`
const AMOUNT_RULE = 'a whole number of minor units, 1 to 2^63-1 (a bigint)'

/** The first thing that is wrong with the form of a request; null where it is well formed. */
export function checkParties(request: Parties): ChargeRefusal | null {
  const { key, buyer, seller, recipients = {}, limits = {} } = request
  return (
    checkKey(key, 'key') ??
    checkParty(buyer, 'buyer') ??
    checkParty(seller, 'seller') ??
    checkRecipients(recipients) ??
    checkLimits(limits)
  )
}

/** A caller's key: shorter than the ledger's, and not one of the room's own. */
export function checkKey(key: Key, field: string): ChargeRefusal | null {
  return isKey(key) && key.length <= KEY_CHARS_MAX && !key.startsWith(OWN_KEY_PREFIX)
    ? null
    : refusals.invalid(
        'INVALID_KEY',
        field,
        `1 to ${KEY_CHARS_MAX} printable ASCII characters without space, not beginning with ${OWN_KEY_PREFIX}`,
      )
}

/** The name of a buyer, a seller or a spending key. */
export function checkParty(party: Party, field: string): ChargeRefusal | null {
  return isName(party) && party.length <= PARTY_CHARS_MAX
    ? null
    : refusals.invalid('INVALID_PARTY', field, PARTY_RULE)
}

export function checkAmount(amount: bigint, field: string): ChargeRefusal | null {
  return isAmount(amount) ? null : refusals.invalid('INVALID_AMOUNT', field, AMOUNT_RULE)
}

export function checkAccount(account: AccountId, field: string): ChargeRefusal | null {
  return isName(account)
    ? null
    : refusals.invalid('INVALID_ACCOUNT', field, '1 to 128 characters of A-Za-z0-9._:/@+-')
}

/** Not without an end: a call that crashes lets go of its money by itself. */
export function checkExpiry(expiresInMs: number): ChargeRefusal | null {
  return Number.isInteger(expiresInMs) && expiresInMs >= 1 && expiresInMs <= EXPIRES_IN_MS_MAX
    ? null
    : refusals.invalid(
        'INVALID_EXPIRY',
        'expiresInMs',
        `whole milliseconds, 1 to ${EXPIRES_IN_MS_MAX}`,
      )
}

function checkRecipients(recipients: Recipients): ChargeRefusal | null {
  const all = Object.entries(recipients)
  if (all.length > RECIPIENTS_MAX)
    return refusals.invalid('INVALID_RECIPIENT', 'recipients', `at most ${RECIPIENTS_MAX}`)
  const bad = all.find(([, account]) => !isName(account))
  return bad
    ? refusals.invalid(
        'INVALID_RECIPIENT',
        `recipients.${bad[0]}`,
        '1 to 128 characters of A-Za-z0-9._:/@+-',
      )
    : null
}

function checkLimits({ callMax, dayMax, key }: SpendLimits): ChargeRefusal | null {
  const amounts = { callMax, dayMax, 'key.max': key?.max }
  const bad = Object.entries(amounts).find(([, max]) => max !== undefined && !isAmount(max))
  if (bad) return refusals.invalid('INVALID_LIMIT', `limits.${bad[0]}`, AMOUNT_RULE)
  return key ? checkParty(key.name, 'limits.key.name') : null
}
