import { readCamt053 } from './camt053/read.ts'
import type { CsvMapping } from './csv/mapping.ts'
import { readCsv } from './csv/read.ts'
import { decodeHead, HEAD_BYTES, withHead } from './decode.ts'
import { StatementRefused } from './statement-refused.ts'
import type { StatementEvent } from './statement.ts'

/** The kinds of file that there is a reader for. */
export type StatementFormat = 'camt.053' | 'csv'

/** What must be known besides the file: a CSV file says nothing of its columns by itself. */
export interface ReadOptions {
  readonly mapping?: CsvMapping
}

type Read = (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<StatementEvent>

/**
 * One entry a format, asked in this order: how it is told by the beginning of a file, and its
 * reader.
 */
const FORMATS: readonly {
  readonly format: StatementFormat
  readonly readerFor: (head: string, options: ReadOptions) => Read | null
}[] = [
  {
    format: 'csv',
    readerFor: (_head, { mapping }) => (mapping ? chunks => readCsv(chunks, mapping) : null),
  },
  {
    format: 'camt.053',
    readerFor: head => (head.trimStart().startsWith('<') ? readCamt053 : null),
  },
]

/**
 * The format of a file by its first bytes (1,024 are enough); null where no reader knows it. With a
 * mapping it is CSV. Any XML is taken for camt.053, whose reader says where there is no statement.
 */
export function detectFormat(
  firstBytes: Uint8Array,
  options: ReadOptions = {},
): StatementFormat | null {
  return formatOf(decodeHead(firstBytes), options)?.format ?? null
}

/**
 * Reads a bank's file of any known format, in memory that does not grow with it. The events count
 * only when they have ended: a `StatementRefused` thrown in between refuses the whole file.
 */
export async function* readStatements(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadOptions = {},
): AsyncGenerator<StatementEvent> {
  const source = withHead(chunks)
  try {
    const first = await source.next()
    if (first.done === true) throw new StatementRefused('empty file', null)
    const head = decodeHead(first.value.subarray(0, HEAD_BYTES))
    const read = formatOf(head, options)?.read
    if (head.includes('\0')) throw new StatementRefused('a binary file', null)
    if (!read) throw new StatementRefused('a file of no known format; CSV needs a mapping', null)
    yield* read(startingWith(first.value, source))
  } finally {
    await source.return(undefined)
  }
}

function formatOf(
  head: string,
  options: ReadOptions,
): { readonly format: StatementFormat; readonly read: Read } | null {
  for (const { format, readerFor } of FORMATS) {
    const read = readerFor(head, options)
    if (read) return { format, read }
  }
  return null
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}
