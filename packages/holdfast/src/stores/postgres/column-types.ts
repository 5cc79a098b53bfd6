import type { Instant } from '../../instant.ts'

/** Reads one column's text, as Postgres prints it. */
export type ColumnReader = (text: string) => unknown

/** One second, one minute and one hour in milliseconds: a printed offset has all three. */
const OFFSET_UNITS_MS = [3_600_000, 60_000, 1_000]

const TIMESTAMP_WITH_ZONE =
  /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/

/**
 * What a `timestamptz` becomes: an instant in UTC, cut to milliseconds. Throws on what is no
 * instant (`infinity`, a year before 1 or after 9999) and on a session whose DateStyle is not ISO.
 */
export function readTimestamp(text: string): Instant {
  const parts = TIMESTAMP_WITH_ZONE.exec(text)
  if (!parts) throw new Error(`Not a timestamp with time zone in ISO style: ${text}`)
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number)
  const millisecond = Number((parts[7] ?? '').slice(0, 3).padEnd(3, '0'))
  const local = new Date(0)
  local.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day)
  local.setUTCHours(hour ?? 0, minute, second, millisecond)
  const offsetMs = OFFSET_UNITS_MS.reduce(
    (sum, unitMs, index) => sum + Number(parts[9 + index] ?? 0) * unitMs,
    0,
  )
  return new Date(local.getTime() - (parts[8] === '-' ? -offsetMs : offsetMs)).toISOString()
}

function readBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'))
}

const asText: ColumnReader = text => text

/** The object identifiers of Postgres's own types, fixed since they came (pg_type.dat). */
const SCALARS: ReadonlyMap<number, ColumnReader> = new Map([
  [16, text => text === 't'], // bool
  [17, readBytes], // bytea
  [20, BigInt], // int8
  [21, Number], // int2
  [23, Number], // int4
  [25, asText], // text
  [26, Number], // oid
  [114, asText], // json
  [700, Number], // float4
  [701, Number], // float8
  [1043, asText], // varchar
  [1082, asText], // date
  [1114, asText], // timestamp
  [1184, readTimestamp], // timestamptz
  [1700, asText], // numeric
  [2950, asText], // uuid
  [3802, asText], // jsonb
] as [number, ColumnReader][])

/** An array type and the type of its elements. */
const ARRAYS: readonly (readonly [array: number, element: number])[] = [
  [1000, 16],
  [1001, 17],
  [1016, 20],
  [1005, 21],
  [1007, 23],
  [1009, 25],
  [1028, 26],
  [199, 114],
  [1021, 700],
  [1022, 701],
  [1015, 1043],
  [1182, 1082],
  [1115, 1114],
  [1185, 1184],
  [1231, 1700],
  [2951, 2950],
  [3807, 3802],
]

/**
 * What each column type becomes, the same on Postgres and PGlite: int8 a `bigint`, timestamptz an
 * {@link Instant}, bool a boolean, bytea a `Uint8Array`, smaller integers and floats a `number`,
 * and arrays of these. Everything else stays text: numeric because no `number` holds it, date
 * because it is no instant, json because JSON.parse would round integers above 2^53.
 */
export const COLUMN_READERS: ReadonlyMap<number, ColumnReader> = new Map([
  ...SCALARS,
  ...ARRAYS.map(([array, element]): [number, ColumnReader] => {
    const read = SCALARS.get(element) ?? asText
    return [array, text => readArray(text, read)]
  }),
])

/** How a column is read; a type that is not in the table stays text. */
export function columnReader(type: number): ColumnReader {
  return COLUMN_READERS.get(type) ?? asText
}

/** An element in quotes, an element without, or a mark. */
const ARRAY_TOKENS = /"((?:[^"\\]|\\.)*)"|([^{},"]+)|([{},])/gs

/** Reads an array as Postgres prints it, `{1,NULL,"a b"}`, of any number of dimensions. */
function readArray(text: string, read: ColumnReader): unknown[] {
  const root: unknown[] = []
  const open: unknown[][] = [root]
  // Bounds that do not start at 1 are printed before the elements: `[0:1]={5,6}`.
  const elements = text.startsWith('[') ? text.slice(text.indexOf('=') + 1) : text
  for (const [, quoted, bare, mark] of elements.matchAll(ARRAY_TOKENS)) {
    const parent = open.at(-1) ?? root
    if (quoted !== undefined) {
      parent.push(read(quoted.replace(/\\(.)/gs, '$1')))
    } else if (bare !== undefined) {
      parent.push(bare === 'NULL' ? null : read(bare))
    } else if (mark === '{') {
      const child: unknown[] = []
      parent.push(child)
      open.push(child)
    } else if (mark === '}') {
      open.pop()
    }
  }
  return root[0] as unknown[]
}
