import { readCamt053 } from './camt053/read.ts'
import type { CsvMapping } from './csv/mapping.ts'
import { readCsv } from './csv/read.ts'
import { decodeHead, HEAD_BYTES, withHead } from './decode.ts'
import { StatementRefused } from './statement-refused.ts'
import type { StatementEvent } from './statement.ts'

/** What must be known besides the file: a CSV file says nothing of its columns by itself. */
export interface ReadOptions {
  readonly mapping?: CsvMapping
}

type Read = (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<StatementEvent>

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
    const read = readerOf(head, options)
    if (head.includes('\0')) throw new StatementRefused('a binary file', null)
    if (!read) throw new StatementRefused('a file of no known format; CSV needs a mapping', null)
    yield* read(startingWith(first.value, source))
  } finally {
    await source.return(undefined)
  }
}

/**
 * The reader of a file, told by its beginning; null where there is none. Any XML is taken for
 * camt.053, whose reader says where there is no statement; anything else is CSV, where a mapping
 * says how. So the files of one bank may be of both formats.
 */
function readerOf(head: string, { mapping }: ReadOptions): Read | null {
  if (head.trimStart().startsWith('<')) return readCamt053
  return mapping ? chunks => readCsv(chunks, mapping) : null
}

async function* startingWith(
  first: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first
  yield* rest
}
