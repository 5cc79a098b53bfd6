const DEPTH_MAX = 64

/** What cannot be told from another value of its kind by looking at it. */
class Opaque extends Error {}

/**
 * A value as text, equal for equal values: bigints, dates, maps, sets, bytes, errors and plain data,
 * by content. Undefined for what has none (a function, a symbol, a cycle).
 */
export function textOf(value: unknown): string | undefined {
  try {
    return write(value, 0)
  } catch (error) {
    if (error instanceof Opaque) return undefined
    throw error
  }
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

function writeObject(value: object, depth: number): string {
  if (depth > DEPTH_MAX) throw new Opaque()
  const inside = (each: unknown) => write(each, depth)
  if (Array.isArray(value)) return `[${value.map(inside).join()}]`
  if (value instanceof Date) return `Date(${value.getTime()})`
  if (value instanceof Map) {
    const pairs = [...(value as Map<unknown, unknown>)]
    return `Map{${pairs
      .map(([key, each]) => `${inside(key)}:${inside(each)}`)
      .sort()
      .join()}}`
  }
  if (value instanceof Set) return `Set{${[...(value as Set<unknown>)].map(inside).sort().join()}}`
  if (value instanceof Uint8Array) return `Bytes(${value.join()})`
  if (value instanceof Promise || value instanceof WeakMap) throw new Opaque()
  const fields = Object.entries(value)
  if (fields.length === 0 && !isPlain(value)) throw new Opaque()
  const body = fields
    .map(([name, each]) => `${JSON.stringify(name)}:${inside(each)}`)
    .sort()
    .join()
  return value instanceof Error
    ? `${value.name}(${JSON.stringify(value.message)}){${body}}`
    : `{${body}}`
}

/** An instance of a class without fields may hide what it is in private ones. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || value instanceof Error
}
