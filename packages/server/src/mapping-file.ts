import type { Readable } from 'node:stream'
import { parseMapping, type CsvMapping } from 'holdfast/statements'
import { BadInput } from './bad-input.ts'
import { readText } from './input-file.ts'

/** Reads a mapping of CSV columns, a JSON file. Throws {@link BadInput} that names the field. */
export async function readMapping(path: string, io: { stdin: Readable }): Promise<CsvMapping> {
  const text = await readText(path, io.stdin)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new BadInput(`--mapping ${path}: not JSON: ${(error as Error).message}`)
  }
  const parsed = parseMapping(json)
  if (!parsed.ok) throw new BadInput(`--mapping ${path}: ${parsed.field} ${parsed.why}`)
  return parsed.mapping
}
