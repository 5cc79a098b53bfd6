import { isCalendarDate, type Instant } from '../instant.ts'
import type { AccountId, Asset } from '../ledger/command.ts'
import { isAmount, isAsset, isName, NAME_RULE } from '../ledger/shape.ts'
import { ASSET_RULE } from '../money/asset.ts'
import { DENOMINATOR_MAX, FEES_MAX, VERSIONS_MAX } from './limits.ts'

/** Who gets a share: `seller`, or the role of a fee. A letter, then up to 31 of `a-z0-9-`. */
export type Role = string

/** A day of UTC, `2026-01-31`. */
export type Day = string

/** A part of an amount: whole basis points, or an exact fraction. Neither is over the whole. */
export type Rate =
  { readonly basisPoints: number } | { readonly numerator: bigint; readonly denominator: bigint }

/** One fee: a rate, a fixed amount or both, kept between a minimum and a maximum. */
export interface Fee {
  /** Fees of one role are added up exactly before anything is rounded. */
  readonly role: Role
  readonly rate?: Rate
  /** What the rate is of: the gross (where absent), or what the fees before this one left. */
  readonly of?: 'gross' | 'rest'
  /** In minor units, added to what the rate gives. */
  readonly fixed?: bigint
  /** In minor units. A fee is never more than what the fees before it left. */
  readonly minimum?: bigint
  readonly maximum?: bigint
}

/** The fees that are in force from a day on, until the next version. What remains is the seller's. */
export interface ScheduleVersion {
  readonly from: Day
  /** In the order in which they are taken. */
  readonly fees: readonly Fee[]
  /**
   * Where the share of a role goes. A role that is not named here has a share only where the charge
   * names its recipient.
   */
  readonly accounts: Readonly<Record<Role, AccountId>>
}

/** The role of what no fee takes. */
export const SELLER = 'seller'

const ROLE = /^[a-z][a-z0-9-]{0,31}$/
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const BASIS_POINTS_MAX = 10_000

/**
 * The one place that says who gets what of a price: versions by date. It is checked once, when it is
 * made: whoever holds one holds a good one.
 */
export class FeeSchedule {
  readonly asset: Asset
  /** By day, the oldest first. */
  readonly versions: readonly ScheduleVersion[]

  /** Throws a RangeError that names the field and the rule. */
  constructor(asset: Asset, versions: readonly ScheduleVersion[]) {
    if (!isAsset(asset)) throw new RangeError(`asset: ${ASSET_RULE}`)
    if (versions.length < 1 || versions.length > VERSIONS_MAX)
      throw new RangeError(`versions: 1 to ${VERSIONS_MAX}`)
    for (const [index, version] of versions.entries()) checkVersion(version, `versions[${index}]`)
    const days = versions.map(version => version.from)
    const twice = days.findIndex((day, index) => days.indexOf(day) < index)
    if (twice >= 0) throw new RangeError(`versions[${twice}].from: no day twice`)
    this.asset = asset
    this.versions = structuredClone(versions).toSorted((a, b) => (a.from < b.from ? -1 : 1))
    Object.freeze(this)
  }

  /** The version in force at a time, by the day of UTC; null before the first one. */
  at(instant: Instant): ScheduleVersion | null {
    const day = instant.slice(0, 10)
    return this.versions.findLast(version => version.from <= day) ?? null
  }

  /** The version that came into force on a day; null where none did. */
  from(day: Day): ScheduleVersion | null {
    return this.versions.find(version => version.from === day) ?? null
  }
}

function checkVersion(version: ScheduleVersion, place: string): void {
  const { from, fees, accounts } = version
  const [, year, month, day] = (DAY.exec(from) ?? []).map(Number)
  if (!isCalendarDate(year ?? 0, month ?? 0, day ?? 0))
    throw new RangeError(`${place}.from: a day, 2026-01-31`)
  if (fees.length > FEES_MAX) throw new RangeError(`${place}.fees: at most ${FEES_MAX}`)
  for (const [index, fee] of fees.entries()) checkFee(fee, `${place}.fees[${index}]`)
  for (const [role, account] of Object.entries(accounts)) {
    if (!fees.some(fee => fee.role === role))
      throw new RangeError(`${place}.accounts.${role}: no fee has this role`)
    if (!isName(account)) throw new RangeError(`${place}.accounts.${role}: ${NAME_RULE}`)
  }
}

function checkFee(fee: Fee, place: string): void {
  const { role, rate, of, fixed, minimum, maximum } = fee
  if (!ROLE.test(role) || role === SELLER)
    throw new RangeError(`${place}.role: a letter and up to 31 of a-z0-9-, not ${SELLER}`)
  if (rate === undefined && fixed === undefined && minimum === undefined)
    throw new RangeError(`${place}: a rate, a fixed amount or a minimum`)
  if (rate !== undefined) checkRate(rate, `${place}.rate`)
  if (of !== undefined && (rate === undefined || !['gross', 'rest'].includes(of)))
    throw new RangeError(`${place}.of: gross or rest, and only beside a rate`)
  for (const [name, amount] of Object.entries({ fixed, minimum, maximum }))
    if (amount !== undefined && !isAmount(amount))
      throw new RangeError(`${place}.${name}: a whole number of minor units, 1 to 2^63-1`)
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    throw new RangeError(`${place}.minimum: at most the maximum`)
}

function checkRate(rate: Rate, place: string): void {
  if ('basisPoints' in rate) {
    const { basisPoints } = rate
    if (!Number.isInteger(basisPoints) || basisPoints < 1 || basisPoints > BASIS_POINTS_MAX)
      throw new RangeError(`${place}.basisPoints: a whole number, 1 to ${BASIS_POINTS_MAX}`)
    return
  }
  const { numerator, denominator } = rate
  const whole = [numerator, denominator].every(each => typeof each === 'bigint' && each > 0n)
  if (!whole || numerator > denominator || denominator > DENOMINATOR_MAX)
    throw new RangeError(
      `${place}: whole numbers from 1, the numerator at most the denominator, that at most ${DENOMINATOR_MAX}`,
    )
}
