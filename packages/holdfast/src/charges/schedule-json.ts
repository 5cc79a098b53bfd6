import type { Asset } from '../ledger/command.ts'
import { parseDecimal } from '../money/amount.ts'
import { ASSET_RULE, fullAssetName, scaleOf } from '../money/asset.ts'
import { FeeSchedule, type Fee, type Rate, type ScheduleVersion } from './schedule.ts'

/** A schedule, or the field of the JSON that is at fault and its rule. */
export type ParsedSchedule =
  | { readonly ok: true; readonly schedule: FeeSchedule }
  | { readonly ok: false; readonly why: string }

/** Why a field is wrong: never leaves this file. */
class Fault extends Error {}

type Json = Readonly<Record<string, unknown>>

/**
 * Reads a schedule from JSON: amounts are decimals of its asset as text, `"0.20"`, a rate is
 * `"basisPoints": 250` or `"fraction": "1/6"`.
 */
export function parseSchedule(json: unknown): ParsedSchedule {
  try {
    const top = object(json, 'the schedule', ['asset', 'versions'])
    const named = top['asset']
    const asset = typeof named === 'string' ? fullAssetName(named) : null
    if (asset === null) throw new Fault(`asset: a currency, or ${ASSET_RULE}`)
    const versions = list(top['versions'], 'versions').map((version, index) =>
      parseVersion(version, asset, `versions[${index}]`),
    )
    return { ok: true, schedule: new FeeSchedule(asset, versions) }
  } catch (error) {
    if (error instanceof Fault || error instanceof RangeError)
      return { ok: false, why: error.message }
    throw error
  }
}

function parseVersion(json: unknown, asset: Asset, place: string): ScheduleVersion {
  const version = object(json, place, ['from', 'fees', 'accounts'])
  const fees = list(version['fees'], `${place}.fees`)
  const accounts = object(version['accounts'] ?? {}, `${place}.accounts`, null)
  return {
    from: text(version['from'], `${place}.from`),
    fees: fees.map((fee, index) => parseFee(fee, asset, `${place}.fees[${index}]`)),
    accounts: Object.fromEntries(
      Object.entries(accounts).map(([role, account]) => [
        role,
        text(account, `${place}.accounts.${role}`),
      ]),
    ),
  }
}

const FEE_FIELDS = ['role', 'basisPoints', 'fraction', 'of', 'fixed', 'minimum', 'maximum']

function parseFee(json: unknown, asset: Asset, place: string): Fee {
  const fee = object(json, place, FEE_FIELDS)
  const rate = parseRate(fee, place)
  const of = fee['of']
  if (of !== undefined && of !== 'gross' && of !== 'rest')
    throw new Fault(`${place}.of: gross or rest`)
  const amount = (name: 'fixed' | 'minimum' | 'maximum') =>
    fee[name] === undefined ? {} : { [name]: decimal(fee[name], asset, `${place}.${name}`) }
  return {
    role: text(fee['role'], `${place}.role`),
    ...(rate === null ? {} : { rate }),
    ...(of === undefined ? {} : { of }),
    ...amount('fixed'),
    ...amount('minimum'),
    ...amount('maximum'),
  }
}

function parseRate({ basisPoints, fraction }: Json, place: string): Rate | null {
  if (basisPoints !== undefined && fraction !== undefined)
    throw new Fault(`${place}: basisPoints or a fraction, not both`)
  if (basisPoints !== undefined) {
    if (typeof basisPoints !== 'number') throw new Fault(`${place}.basisPoints: a whole number`)
    return { basisPoints }
  }
  if (fraction === undefined) return null
  const [, numerator, denominator] =
    /^(\d{1,10})\/(\d{1,10})$/.exec(text(fraction, `${place}.fraction`)) ?? []
  if (numerator === undefined || denominator === undefined)
    throw new Fault(`${place}.fraction: two whole numbers, 1/6`)
  return { numerator: BigInt(numerator), denominator: BigInt(denominator) }
}

function decimal(value: unknown, asset: Asset, place: string): bigint {
  const parsed = parseDecimal(text(value, place), scaleOf(asset))
  if (!parsed.ok) throw new Fault(`${place}: "${String(value)}" ${parsed.why}`)
  return parsed.amount
}

function text(value: unknown, place: string): string {
  if (typeof value !== 'string') throw new Fault(`${place}: a text`)
  return value
}

function list(value: unknown, place: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Fault(`${place}: a list`)
  return value
}

/** An object that has no other fields than these; null allows any. */
function object(value: unknown, place: string, fields: readonly string[] | null): Json {
  if (!isObject(value)) throw new Fault(`${place}: an object`)
  const unknown = fields && Object.keys(value).find(field => !fields.includes(field))
  if (unknown !== null && unknown !== undefined)
    throw new Fault(`${place}: ${unknown} is no field of it; it has ${(fields ?? []).join(', ')}`)
  return value
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
