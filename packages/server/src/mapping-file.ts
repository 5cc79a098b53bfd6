import type { Command } from 'commander'
import { parseMapping, type CsvMapping, type ReadOptions } from 'holdfast/statements'
import { BadInput } from './bad-input.ts'
import { parseJson, readText } from './input-file.ts'
import type { Io } from './io.ts'

/** The option that says what the columns of a CSV file mean. */
export interface MappingOptions {
  readonly mapping?: string
}

/** Adds the option that says what the columns of a CSV file mean. */
export function withMapping(command: Command): Command {
  return command.option('--mapping <file>', 'what the columns of a CSV file mean, a JSON file')
}

/** How a bank's files are read. Throws {@link BadInput} that names the field of a bad mapping. */
export async function readOptions({ mapping }: MappingOptions, io: Io): Promise<ReadOptions> {
  return mapping === undefined ? {} : { mapping: await readMapping(mapping, io) }
}

async function readMapping(path: string, io: Io): Promise<CsvMapping> {
  const place = `--mapping ${path}: `
  const parsed = parseMapping(parseJson(await readText(path, io.stdin), place))
  if (!parsed.ok) throw new BadInput(`${place}${parsed.field} ${parsed.why}`)
  return parsed.mapping
}
