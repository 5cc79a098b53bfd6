import type { Asset } from 'holdfast'
import { fullAssetName } from 'holdfast/money'
import {
  readStatements,
  StatementRefused,
  type ReadOptions,
  type StatementFile,
} from 'holdfast/statements'
import { createReadStream } from 'node:fs'
import { BadInput } from './bad-input.ts'
import { whyUnreadable } from './input-file.ts'

/** A bank's file on the disk, to be taken: it is opened each time that it is read. */
export function statementFile(path: string, options: ReadOptions): StatementFile {
  return {
    open: () => createReadStream(path),
    read: chunks => readStatements(chunks, options),
  }
}

/**
 * Reads files to their end before any of them is taken. Returns the asset of the first line or
 * statement that names a currency, null where none does. Throws {@link BadInput} that names every
 * file that is refused, with the reason and the place.
 */
export async function checkFiles(
  paths: readonly string[],
  options: ReadOptions,
): Promise<Asset | null> {
  const problems: string[] = []
  let currency: string | null = null
  for (const path of paths) {
    try {
      const file = statementFile(path, options)
      for await (const event of file.read(file.open())) {
        if (event.type === 'line') currency ??= event.line.currency
        else if (event.type === 'end') currency ??= event.head.currency
      }
    } catch (error) {
      problems.push(`${path}: refused: ${whyRefused(error)}`)
    }
  }
  if (problems.length > 0) throw new BadInput(problems)
  return currency === null ? null : fullAssetName(currency)
}

function whyRefused(error: unknown): string {
  if (error instanceof StatementRefused) return error.message
  if (error instanceof Error && 'syscall' in error) return whyUnreadable(error)
  throw error
}
