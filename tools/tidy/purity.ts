import { importsOf, packageOf } from './imports.ts'
import { isTest, isTypeScript, lineAt, type Problem, type SourceFile } from './source-file.ts'

const SOURCE = 'packages/holdfast/src/'
/** The pure parts: all of a folder, or a file; what they import is pure with them. */
const PURE = [`${SOURCE}money/`, `${SOURCE}ledger/decide.ts`]
/** The port of the clock has the machine's clock beside it. */
const PORTS = new Set([`${SOURCE}instant.ts`])
/** What reads the world without an import. */
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bprocess\.|\bfetch\(|\bset(?:Timeout|Interval|Immediate)\(|\bcrypto\./g

/** `money` and `decide`, with everything that they import, use no I/O, clock or randomness. */
export function purityProblems(files: readonly SourceFile[]): Problem[] {
  const byPath = new Map(files.map(file => [file.path, file]))
  const open = files.filter(
    ({ path }) => isTypeScript(path) && !isTest(path) && PURE.some(pure => path.startsWith(pure)),
  )
  const seen = new Set(open)
  const problems: Problem[] = []
  for (const file of seen) {
    problems.push(...problemsIn(file))
    for (const { target } of importsOf(file)) {
      const next = target === null ? undefined : byPath.get(target)
      if (next) seen.add(next)
    }
  }
  return problems
}

function problemsIn(file: SourceFile): Problem[] {
  const imports = importsOf(file)
    .filter(found => found.specifier.startsWith('node:') || packageOf(found) !== null)
    .map(({ specifier, line }) => ({
      path: file.path,
      line,
      message: `is pure and imports ${specifier}: pass what it needs in as a value`,
    }))
  if (PORTS.has(file.path)) return imports
  const uses = [...file.text.matchAll(IMPURE)].map(({ 0: word, index }) => ({
    path: file.path,
    line: lineAt(file.text, index),
    message: `is pure and uses ${word}: pass the value in, or use a port in the caller`,
  }))
  return [...imports, ...uses]
}
