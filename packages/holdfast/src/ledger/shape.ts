import { parseInstant } from '../instant.ts'
import { AMOUNT_MAX } from '../money/amount.ts'
import { ASSET_RULE, parseAsset } from '../money/asset.ts'
import type { Command } from './command.ts'
import { EXPIRES_IN_MS_MAX, LEGS_MAX, META_BYTES_MAX, SOURCES_MAX } from './limits.ts'
import type { Refusal, RefusalCode } from './outcome.ts'

/** A command as it may come from outside: the types have not been proved yet. */
type Raw = Readonly<Record<string, unknown>>
type Fault = { readonly field: string; readonly rule: string }
type Check = (command: Raw) => Fault | null

/** What a key is made of, in words. */
export const KEY_RULE = '1 to 128 printable ASCII characters without space'
const KEY = /^[\x21-\x7e]{1,128}$/
/** What the name of an account or a book is made of, in words. */
export const NAME_RULE = '1 to 128 characters of A-Za-z0-9._:/@+-'
const NAME = /^[A-Za-z0-9._:/@+-]{1,128}$/
const NO_TEXT = /[\0\p{Surrogate}]/u

/** Whether a text can name an account or a book. */
export function isName(text: unknown): text is string {
  return typeof text === 'string' && NAME.test(text)
}

/** Whether a text can be a key. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && KEY.test(text)
}

/** Whether a text is an asset with its scale, `EUR/2`. */
export function isAsset(text: unknown): text is string {
  return parseAsset(text).ok
}

/** Throws a TypeError for what is no command at all: a bug of the caller, not a refusal. */
export function assertCommand(value: unknown): asserts value is Command {
  const kind: unknown = (value as Raw | null | undefined)?.['do']
  if (typeof kind !== 'string' || !Object.hasOwn(KEY_FIELDS, kind))
    throw new TypeError(`do: one of ${Object.keys(KEY_FIELDS).join(', ')}`)
}

/**
 * The first thing that is wrong with the shape of a command, code by code in the order of the
 * table below; null where it is well formed.
 */
export function checkShape(command: Command): Refusal | null {
  const raw = command as unknown as Raw
  for (const [code, check] of CHECKS) {
    const fault = check(raw)
    if (fault) return { code, field: fault.field, message: `${fault.field}: ${fault.rule}` }
  }
  return null
}

const CHECKS: readonly (readonly [RefusalCode, Check])[] = [
  ['INVALID_AMOUNT', checkAmounts],
  ['INVALID_EXPIRY', checkExpiry],
  ['INVALID_KEY', checkKeys],
  ['INVALID_ACCOUNT', checkAccounts],
  ['INVALID_ASSET', checkAssets],
  ['INVALID_LEGS', checkLegs],
  ['SAME_ACCOUNT', checkSameAccount],
  ['INVALID_TIME', checkEffective],
  ['INVALID_META', checkMeta],
]

/** Whether a value is an amount that a leg can move: 1 to 2^63-1. */
export function isAmount(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= 1n && value <= AMOUNT_MAX
}

function legsOf(command: Raw): readonly Raw[] {
  const legs = command['legs']
  if (!Array.isArray(legs)) return []
  return legs.map((leg: unknown) => (typeof leg === 'object' && leg !== null ? (leg as Raw) : {}))
}

function sourcesOf(leg: Raw): readonly unknown[] {
  const from: unknown = leg['from']
  return Array.isArray(from) ? from : [from]
}

function firstFault<T>(items: readonly T[], check: (item: T, index: number) => Fault | null) {
  for (const [index, item] of items.entries()) {
    const fault = check(item, index)
    if (fault) return fault
  }
  return null
}

function checkAmounts(command: Raw): Fault | null {
  const { floor, amounts } = command
  if (command['do'] === 'open' && floor !== null && floor !== undefined) {
    if (typeof floor !== 'bigint' || floor > AMOUNT_MAX || floor < -AMOUNT_MAX)
      return { field: 'floor', rule: 'null or a whole number of minor units within 2^63-1 of zero' }
  }
  const inLegs = firstFault(legsOf(command), (leg, index) => {
    const { amount, atLeast } = leg
    if (!isAmount(amount))
      return {
        field: `legs[${index}].amount`,
        rule: 'a whole number of minor units, 1 to 2^63-1 (a bigint; digits on the wire)',
      }
    if (atLeast !== undefined && !(isAmount(atLeast) && atLeast <= amount))
      return { field: `legs[${index}].atLeast`, rule: 'at least 1 and at most the amount' }
    return null
  })
  if (inLegs || amounts === undefined) return inLegs
  return checkAmountList(amounts)
}

function checkAmountList(amounts: unknown): Fault | null {
  if (!Array.isArray(amounts) || amounts.length === 0)
    return { field: 'amounts', rule: 'a list with one amount for each leg' }
  const list: readonly unknown[] = amounts
  const fault = firstFault(list, (amount, index) =>
    amount === 0n || isAmount(amount)
      ? null
      : { field: `amounts[${index}]`, rule: 'a whole number of minor units, 0 to 2^63-1' },
  )
  if (fault) return fault
  return list.every(amount => amount === 0n)
    ? { field: 'amounts', rule: 'not all of them 0' }
    : null
}

function checkExpiry(command: Raw): Fault | null {
  const { expiresInMs } = command
  if (expiresInMs === undefined) return null
  const valid =
    Number.isInteger(expiresInMs) &&
    (expiresInMs as number) >= 1 &&
    (expiresInMs as number) <= EXPIRES_IN_MS_MAX
  return valid
    ? null
    : { field: 'expiresInMs', rule: `whole milliseconds, 1 to ${EXPIRES_IN_MS_MAX}` }
}

const KEY_FIELDS: Readonly<Record<Command['do'], readonly string[]>> = {
  open: [],
  close: [],
  transfer: ['key'],
  hold: ['key', 'replaces'],
  settle: ['hold'],
  release: ['hold'],
  reverse: ['key', 'of'],
}

function checkKeys(command: Raw): Fault | null {
  return firstFault(KEY_FIELDS[command['do'] as Command['do']], field => {
    if (isKey(command[field]) || (field === 'replaces' && command[field] === undefined)) return null
    return { field, rule: KEY_RULE }
  })
}

function checkAccounts(command: Raw): Fault | null {
  if ((command['do'] === 'open' || command['do'] === 'close') && !isName(command['account']))
    return { field: 'account', rule: NAME_RULE }
  return firstFault(legsOf(command), (leg, index) => {
    const bad = sourcesOf(leg).findIndex(source => !isName(source))
    if (bad >= 0)
      return {
        field: `legs[${index}].from${Array.isArray(leg['from']) ? `[${bad}]` : ''}`,
        rule: NAME_RULE,
      }
    return isName(leg['to']) ? null : { field: `legs[${index}].to`, rule: NAME_RULE }
  })
}

function checkAssets(command: Raw): Fault | null {
  if (command['do'] === 'open' && !isAsset(command['asset']))
    return { field: 'asset', rule: ASSET_RULE }
  return firstFault(legsOf(command), (leg, index) =>
    isAsset(leg['asset']) ? null : { field: `legs[${index}].asset`, rule: ASSET_RULE },
  )
}

function checkLegs(command: Raw): Fault | null {
  if (command['do'] !== 'transfer' && command['do'] !== 'hold') return null
  const legs = command['legs']
  if (!Array.isArray(legs) || legs.length < 1 || legs.length > LEGS_MAX)
    return { field: 'legs', rule: `a list of 1 to ${LEGS_MAX} legs` }
  return firstFault(legsOf(command), (leg, index) => {
    const sources = sourcesOf(leg)
    const field = `legs[${index}].from`
    if (sources.length < 1 || sources.length > SOURCES_MAX)
      return { field, rule: `1 to ${SOURCES_MAX} sources` }
    return new Set(sources).size < sources.length ? { field, rule: 'no source twice' } : null
  })
}

function checkSameAccount(command: Raw): Fault | null {
  return firstFault(legsOf(command), (leg, index) =>
    sourcesOf(leg).includes(leg['to'])
      ? { field: `legs[${index}].to`, rule: 'not one of the sources of its leg' }
      : null,
  )
}

function checkEffective(command: Raw): Fault | null {
  const { effective } = command
  return effective === undefined || parseInstant(effective) !== null
    ? null
    : { field: 'effective', rule: 'ISO 8601 with an offset, whole milliseconds' }
}

function checkMeta(command: Raw): Fault | null {
  const { meta, reason } = command
  if (reason !== undefined && !isShortText(reason))
    return { field: 'reason', rule: `Unicode text of at most ${META_BYTES_MAX} bytes, without NUL` }
  if (meta === undefined) return null
  const rule = `a JSON object of at most ${META_BYTES_MAX} bytes`
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta))
    return { field: 'meta', rule }
  const json = toJson(meta)
  return json?.startsWith('{') && byteLength(json) <= META_BYTES_MAX
    ? null
    : { field: 'meta', rule }
}

/** No store keeps NUL or half of a surrogate pair in a text. */
function isShortText(value: unknown): boolean {
  return typeof value === 'string' && byteLength(value) <= META_BYTES_MAX && !NO_TEXT.test(value)
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}
