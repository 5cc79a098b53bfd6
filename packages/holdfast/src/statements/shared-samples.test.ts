import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseMapping } from './csv/mapping.ts'
import { readStatements, type ReadOptions } from './reader.ts'
import { summarize, type FileJson, type LineJson } from './statement-json.ts'

/**
 * Samples that are not part of this repository: they lie beside it, where it was checked out with
 * them.
 */
const FOLDER = new URL('../../../../../shared/statements/', import.meta.url)
const EXPECTED = new URL('expected.jsonl', FOLDER)
const IN_SCOPE = /^(?:camt053\/|csv\/|derived\/.*\.xml$)/

interface Expected extends Pick<FileJson, 'format' | 'accepted' | 'statements'> {
  readonly file: string
  readonly why?: string
}

function expectedFiles(): Expected[] {
  if (!existsSync(EXPECTED)) return []
  return readFileSync(EXPECTED, 'utf8')
    .trim()
    .split('\n')
    .map(row => JSON.parse(row) as Expected)
    .filter(({ file }) => IN_SCOPE.test(file))
}

function optionsFor(file: string): ReadOptions {
  if (!file.endsWith('.csv')) return {}
  const mapping = readFileSync(new URL(file.replace(/csv$/, 'mapping.json'), FOLDER), 'utf8')
  const parsed = parseMapping(JSON.parse(mapping))
  if (!parsed.ok) throw new Error(`${parsed.field} ${parsed.why}`)
  return { mapping: parsed.mapping }
}

/** A reader may give more references than are expected; everything else is exactly the same. */
function withoutExtraRefs(is: LineJson, expected: LineJson | undefined): LineJson {
  const names = Object.keys(expected?.refs ?? {})
  return {
    ...is,
    refs: Object.fromEntries(Object.entries(is.refs).filter(([name]) => names.includes(name))),
  }
}

const files = expectedFiles()

describe.skipIf(files.length === 0)(
  'the shared samples (skipped where ../shared/statements is not beside the repository)',
  () => {
    test.each(files)('$file', async ({ file, format, accepted, statements, why = '' }) => {
      const is = await summarize(
        readStatements(createReadStream(new URL(file, FOLDER)), optionsFor(file)),
      )
      expect(is.format).toBe(format)
      expect(is.accepted).toBe(accepted)
      if (!is.accepted) expect(is.why.slice(0, 20)).toBe(why.slice(0, 20))
      else
        expect(
          is.statements.map((statement, index) => ({
            ...statement,
            lines: statement.lines.map((line, at) =>
              withoutExtraRefs(line, statements[index]?.lines[at]),
            ),
          })),
        ).toEqual(statements)
    })
  },
)
