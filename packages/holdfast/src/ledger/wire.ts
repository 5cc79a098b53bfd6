import type { Command } from './command.ts'

/** Thrown for JSON that is no command at all; what is only ill-formed is refused by `decide`. */
export class MalformedCommand extends Error {
  override readonly name: string = 'MalformedCommand'
}

const FIELDS: Readonly<Record<Command['do'], readonly string[]>> = {
  open: ['account', 'asset', 'floor'],
  close: ['account'],
  transfer: ['key', 'legs', 'effective', 'meta'],
  hold: ['key', 'legs', 'expiresInMs', 'replaces', 'meta'],
  settle: ['hold', 'amounts'],
  release: ['hold', 'ifExpired', 'reason'],
  reverse: ['key', 'of', 'amounts', 'mayOwe'],
}
const LEG_FIELDS = ['from', 'to', 'asset', 'amount', 'atLeast']
const DIGITS_MAX = 40

/**
 * Makes a command of JSON: amounts are decimal strings (`0|[1-9][0-9]*`), a floor may have a minus.
 * What is no such amount stays as it is, so that `decide` refuses it as `INVALID_AMOUNT`. Null
 * stands for absent. Throws {@link MalformedCommand} for what is no object, an unknown `do`, an
 * unknown field, or a flag that is no boolean.
 */
export function decodeCommand(json: unknown): Command {
  if (!isObject(json)) throw new MalformedCommand('a command is a JSON object')
  const kind = json['do']
  if (typeof kind !== 'string' || !Object.hasOwn(FIELDS, kind))
    throw new MalformedCommand(`do: one of ${Object.keys(FIELDS).join(', ')}`)
  const known = FIELDS[kind as Command['do']]
  const command: Record<string, unknown> = { do: kind }
  for (const [field, value] of Object.entries(json)) {
    if (field === 'do' || value === null) continue
    if (!known.includes(field)) throw new MalformedCommand(`${field}: no field of a ${kind}`)
    const decoded = decodeField(field, value)
    if (decoded !== undefined) command[field] = decoded
  }
  return command as unknown as Command
}

function decodeField(field: string, value: unknown): unknown {
  switch (field) {
    case 'floor':
      return decodeAmount(value, /^-?(0|[1-9][0-9]*)$/)
    case 'amounts':
      return Array.isArray(value) ? value.map((amount: unknown) => decodeAmount(amount)) : value
    case 'legs':
      return Array.isArray(value) ? value.map(decodeLeg) : value
    case 'ifExpired':
    case 'mayOwe':
      if (typeof value !== 'boolean') throw new MalformedCommand(`${field}: true, or absent`)
      return value || undefined
    default:
      return value
  }
}

function decodeLeg(json: unknown, index: number): unknown {
  if (!isObject(json)) return json
  const leg: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(json)) {
    if (value === null) continue
    if (!LEG_FIELDS.includes(field))
      throw new MalformedCommand(`legs[${index}].${field}: no field of a leg`)
    leg[field] = field === 'amount' || field === 'atLeast' ? decodeAmount(value) : value
  }
  return leg
}

function decodeAmount(value: unknown, pattern: RegExp = /^(0|[1-9][0-9]*)$/): unknown {
  if (typeof value !== 'string' || value.length > DIGITS_MAX) return value
  return pattern.test(value) ? BigInt(value) : value
}

function isObject(json: unknown): json is Record<string, unknown> {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

/** JSON with every `bigint` as a decimal string: amounts, balances and versions on the wire. */
export function toWireJson(value: unknown): string {
  return JSON.stringify(value, bigintAsText)
}

/** For `JSON.stringify`: a `bigint` as a decimal string, all else as it is. */
export function bigintAsText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
