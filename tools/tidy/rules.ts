import { linesOf, type SourceFile, type Violation } from './source-file.ts'

const LINES_MAX = 400
const CODE = /\.(ts|mjs|js|sql|lua)$/
/** These files name the words that they look for. */
const TIDY = /^(tools\/tidy\/|eslint\.config\.js$)/

/** No file of code is over 400 lines. */
export function lengthViolations({ path, text }: SourceFile): Violation[] {
  const lines = text.split('\n').length - 1
  return CODE.test(path) && lines > LINES_MAX
    ? [`${path}: ${lines} lines, at most ${LINES_MAX}: part it by what changes together`]
    : []
}

/** Nothing is left for later or switched off. That no type is `any`, the linter holds. */
export function wordViolations({ path, text }: SourceFile): Violation[] {
  if (!CODE.test(path) || TIDY.test(path)) return []
  const words: readonly (readonly [RegExp, string])[] = [
    [/\b(TODO|FIXME|HACK)\b|(\/\/|--|\*) *XXX\b/, 'do it, or open an issue'],
    [/@ts-(ignore|nocheck|expect-error)\b(?!.*\S+ .*\S)/, 'mend the type, or say why beside it'],
    [/eslint-disable(?!.*-- \S)/, 'mend it, or give the reason after two dashes'],
    [/\b(it|test|describe)\.(only|todo)\(/, 'run all tests'],
    [/parseFloat\(/, 'money is a bigint: parse it with money/amount.ts'],
  ]
  return linesOf(text).flatMap(([line, number]) =>
    words
      .filter(([word]) => word.test(line))
      .map(([, fix]) => `${path}:${number}: ${line.trim()}: ${fix}`),
  )
}

/** Every file of SQL or Lua says what goes in, what comes out and which locks it takes. */
export function headerViolations({ path, text }: SourceFile): Violation[] {
  if (!/\.(sql|lua)$/.test(path)) return []
  const [header = ''] = /^(\s*--.*\n)+/.exec(text) ?? []
  return ['Inputs', 'Outputs', 'Locks']
    .filter(word => !header.includes(word))
    .map(word => `${path}: the header does not name its ${word}: write a line "-- ${word}: ..."`)
}

/** Paths of one machine do not belong into the repository; a document names no temporary one. */
export function pathViolations({ path, text }: SourceFile): Violation[] {
  if (TIDY.test(path)) return []
  const folders = path.endsWith('.md') ? 'work|home|root|Users|tmp' : 'work|home|root|Users'
  const machinePath = new RegExp(`(^|[\\s'"\`(=])/(${folders})/`)
  return linesOf(text)
    .filter(([line]) => machinePath.test(line))
    .map(
      ([line, number]) =>
        `${path}:${number}: ${line.trim()}: a path of one machine: use one relative to the repository`,
    )
}

/** Every code stands on its page of the reference. */
export function codeViolations(
  codes: readonly string[],
  page: SourceFile | undefined,
  name: string,
): Violation[] {
  if (!page) return [`${name}: the page is missing`]
  return codes
    .filter(code => !page.text.includes(`\`${code}\``))
    .map(code => `${name}: ${code} is missing: add its row`)
}

/** A table of codes that no page is held against would be explained nowhere. */
export function tableViolations({ path, text }: SourceFile, known: readonly string[]): Violation[] {
  if (!path.startsWith('packages/holdfast/src/')) return []
  return [...text.matchAll(/^export const (\w+_(?:CODES|KINDS))\b/gm)]
    .map(([, name = '']) => name)
    .filter(name => !known.includes(name))
    .map(name => `${path}: ${name} has no page: add it to TABLES in tools/tidy/repository.test.ts`)
}

/** Every dependency from a registry has one exact version; a package of the workspace its own. */
export function versionViolations({ path, text }: SourceFile): Violation[] {
  if (!path.endsWith('package.json')) return []
  const manifest = JSON.parse(text) as Record<string, Record<string, string> | undefined>
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap(field =>
    Object.entries(manifest[field] ?? {})
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${path}: ${name} ${version}: pin one exact version`),
  )
}
