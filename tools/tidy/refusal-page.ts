import { lineAt, type Problem, type SourceFile } from './source-file.ts'

const PAGE = 'docs/reference/refusals.md'
/** A table of codes: `export const REFUSAL_CODES = [...]`, or `= {...}` with what each says. */
const TABLE = /export const (\w*_CODES)\b[^=]*= ([[{])([\s\S]*?)\n?[\]}] as const/g
const LISTED = /'([A-Z][A-Z0-9_]*)'/g
const KEYED = /^\s*([A-Z][A-Z0-9_]*):/gm
/** How the page introduces a code: at the start of a row, an item or a heading. */
const INTRODUCED = /^(?:\||[-*]|#+)\s*`([A-Z][A-Z0-9_]*)`/gm

/** Every code that is refused with or reported stands on the reference page, and no other does. */
export function refusalPageProblems(files: readonly SourceFile[]): Problem[] {
  const page = files.find(({ path }) => path === PAGE)?.text ?? ''
  const onPage = new Map(
    [...page.matchAll(INTRODUCED)].map(({ 1: code = '', index }) => [code, index]),
  )
  const codes = files.flatMap(codesOf)
  const known = new Set(codes.map(({ code }) => code))
  return [
    ...codes
      .filter(({ code }) => !onPage.has(code))
      .map(({ code, path, line }) => ({
        path,
        line,
        message: `${code} does not stand on ${PAGE}: add a row that begins with \`${code}\``,
      })),
    ...[...onPage]
      .filter(([code]) => !known.has(code))
      .map(([code, index]) => ({
        path: PAGE,
        line: lineAt(page, index),
        message: `${code} is in no table of codes: take it off the page`,
      })),
  ]
}

function codesOf({ path, text }: SourceFile): { code: string; path: string; line: number }[] {
  if (!/^packages\/[^/]+\/src\/.*\.ts$/.test(path)) return []
  return [...text.matchAll(TABLE)].flatMap(({ 2: bracket, 3: body = '', index }) =>
    [...body.matchAll(bracket === '[' ? LISTED : KEYED)].map(({ 1: code = '' }) => ({
      code,
      path,
      line: lineAt(text, index),
    })),
  )
}
