const DEPTH_MAX = 64

/** What cannot be told from another value of its kind by looking at it. */
class Opaque extends Error {}

/**
 * A value as text, equal only for values that a program cannot tell apart by what is in them:
 * bigints, dates, maps, sets, bytes, errors and plain data. Undefined for what has none: a function,
 * a symbol, a cycle, an instance of a class, which may hide what it is in private fields.
 */
export function textOf(value: unknown): string | undefined {
  try {
    return write(value, 0)
  } catch (error) {
    if (error instanceof Opaque) return undefined
    throw error
  }
}

/** In place of a value that cannot be compared. */
export const OPAQUE: unique symbol = Symbol('opaque')

/** A value as it is kept to be compared with `Object.is`: itself, or its text where it is an object. */
export function keptOf(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    const text = textOf(value)
    return text === undefined ? OPAQUE : `\0${text}`
  }
  if (typeof value === 'function' || typeof value === 'symbol') return OPAQUE
  // Not to be taken for the text of an object, which never begins with a quote.
  if (typeof value === 'string' && value.startsWith('\0')) return `\0"${value}`
  return value
}

function write(value: unknown, depth: number): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'bigint':
      return `${value}n`
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'boolean':
    case 'undefined':
      return String(value)
    case 'object':
      return value === null ? 'null' : writeObject(value, depth + 1)
    case 'function':
    case 'symbol':
      throw new Opaque()
  }
}

/** The order of keys, and of what is in a map or a set, can be seen, so it is part of the text. */
function writeObject(value: object, depth: number): string {
  if (depth > DEPTH_MAX) throw new Opaque()
  const inside = (each: unknown) => write(each, depth)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (value instanceof Error) return writeError(value, inside)
  if (prototype === Array.prototype) {
    const list = value as unknown[]
    const fields = Object.keys(list).length === list.length ? '' : writeFields(list, inside)
    return `[${list.map(inside).join()}]${fields}`
  }
  if (prototype === Object.prototype || prototype === null) return writeFields(value, inside)
  if (prototype === Date.prototype) return `Date(${(value as Date).getTime()})`
  if (prototype === Map.prototype) {
    const pairs = [...(value as Map<unknown, unknown>)]
    return `Map{${pairs.map(([key, each]) => `${inside(key)}:${inside(each)}`).join()}}`
  }
  if (prototype === Set.prototype) return `Set{${[...(value as Set<unknown>)].map(inside).join()}}`
  if (value instanceof Uint8Array) return `Bytes(${value.join()})`
  throw new Opaque()
}

function writeFields(value: object, inside: (each: unknown) => string): string {
  if (Object.getOwnPropertySymbols(value).length > 0) throw new Opaque()
  const fields = Object.entries(value) as [string, unknown][]
  return `{${fields.map(([name, each]) => `${JSON.stringify(name)}:${inside(each)}`).join()}}`
}

const classes = new WeakMap<object, number>()
let classCount = 0

/** Errors are told apart by their class too, of which many have the same name. */
function writeError(error: Error, inside: (each: unknown) => string): string {
  const prototype = Object.getPrototypeOf(error) as object
  const known = classes.get(prototype) ?? (classCount += 1)
  classes.set(prototype, known)
  const { name, message, cause } = error
  const errors: unknown = error instanceof AggregateError ? error.errors : undefined
  return `Error${known}(${[name, message, cause, errors].map(inside).join()})${writeFields(error, inside)}`
}
