import type { Key, Meta } from '../ledger/command.ts'
import type { KeptLeg, Movement } from '../ledger/movement.ts'
import { sum } from '../money/amount.ts'
import type { Party } from './accounts.ts'
import type { Parties } from './request.ts'
import { SELLER, type Day, type Role } from './schedule.ts'
import type { Recipients } from './shares.ts'

/** What one leg of a charge is: a role's share, or the use of a limit, `@day` or `@key`. */
export type LegName = string

/** What a charge keeps in the meta of its movement, beside the caller's. */
export interface ChargeMeta {
  readonly version: Day
  readonly buyer: Party
  readonly seller: Party
  readonly recipients: Recipients
  /** One a leg, in order. */
  readonly legs: readonly LegName[]
}

/** A charge or an authorisation as the ledger keeps it. */
export interface ChargeRecord extends ChargeMeta {
  readonly key: Key
  /** The transfer or the hold. */
  readonly first: Movement
  /** Where the money moved: the transfer, or the settle of the hold; null before, and never after. */
  readonly took: Movement | null
  /** The legs that carry shares, with their places in the movement. */
  readonly priceLegs: readonly {
    readonly role: Role
    readonly leg: KeptLeg
    readonly index: number
  }[]
  /** The price, or the ceiling, in minor units. */
  readonly gross: bigint
}

/** The meta of a charge, with the caller's own beside it. */
export function metaOf(charge: ChargeMeta, note: Meta | undefined): Meta {
  return note === undefined ? { charge } : { charge, note }
}

/** Reads a charge out of the movements under its key; null where they are none. */
export function readCharge(movements: readonly Movement[]): ChargeRecord | null {
  const [first, end] = movements
  const meta = readMeta(first?.meta?.['charge'])
  if (!first || meta?.legs.length !== first.legs.length) return null
  const priceLegs = first.legs.flatMap((leg, index) => {
    const role = meta.legs[index] ?? ''
    return role.startsWith('@') ? [] : [{ role, leg, index }]
  })
  return {
    ...meta,
    key: first.key,
    first,
    took: first.kind === 'transfer' ? first : end?.kind === 'settle' ? end : null,
    priceLegs,
    gross: sum(priceLegs.map(({ leg }) => leg.amount)),
  }
}

/** What one role got, in minor units. */
export function movedTo(record: ChargeRecord, role: Role = SELLER): bigint {
  const at = record.priceLegs.find(each => each.role === role)?.index
  return at === undefined ? 0n : sum(record.took?.moved[at] ?? [])
}

/**
 * The fields in which a request differs from the first one under its key. Limits and meta are not
 * compared, and neither is the split: the version that was in force at the first request stays.
 */
export function requestDifferences(
  record: ChargeRecord,
  request: Parties,
  gross: { readonly name: 'price' | 'ceiling'; readonly amount: bigint },
  expiresInMs: number | null,
): string[] {
  const kind = expiresInMs === null ? 'transfer' : 'hold'
  if (record.first.kind !== kind) return ['do']
  return [
    ...(record.buyer === request.buyer ? [] : ['buyer']),
    ...(record.seller === request.seller ? [] : ['seller']),
    ...(record.gross === gross.amount ? [] : [gross.name]),
    ...(sameRecipients(record.recipients, request.recipients ?? {}) ? [] : ['recipients']),
    ...(record.first.expiresInMs === expiresInMs ? [] : ['expiresInMs']),
  ]
}

function sameRecipients(first: Recipients, second: Recipients): boolean {
  const roles = Object.keys(first)
  return (
    roles.length === Object.keys(second).length && roles.every(role => first[role] === second[role])
  )
}

function readMeta(value: unknown): ChargeMeta | null {
  if (!isObject(value)) return null
  const { version, buyer, seller, recipients, legs } = value
  if (typeof version !== 'string' || typeof buyer !== 'string' || typeof seller !== 'string')
    return null
  return isTexts(legs) && isObject(recipients) && isRecipients(recipients)
    ? { version, buyer, seller, recipients, legs }
    : null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(each => typeof each === 'string')
}

function isRecipients(value: Record<string, unknown>): value is Record<string, string> {
  return Object.values(value).every(each => typeof each === 'string')
}
