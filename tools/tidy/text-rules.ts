import ts from 'typescript'
import { isTypeScript, lineAt, type Problem, type SourceFile } from './source-file.ts'

const LINES_MAX = 400
const CODE = /\.(ts|tsx|mts|js|mjs|cjs|sql|lua|css)$/
/** Split, so that the rule does not find itself. */
const UNFINISHED = new RegExp(
  `\\b(?:${['TO' + 'DO', 'FIX' + 'ME'].join('|')})\\b|(?://|--|#|\\*) *X{3}\\b`,
  'g',
)
/** Folders of one machine. */
const MACHINE_PATH = /(?<![\w./-])\/(?:work|home|root|Users|workspace)\/[\w.-]*/g
const TEMPORARY_PATH = /(?<![\w./-])\/tmp\/[\w.-]+/g
/** How the text was written is no part of it. */
const FOREIGN_WORD = new RegExp(['sub' + 'agent', 'Claude', 'ChatGPT', 'Copilot'].join('|'), 'gi')

/** A file has one subject, and is read in one go. */
export function lengthProblems(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ path }) => CODE.test(path))
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LINES_MAX)
    .map(({ path, lines }) => ({
      path,
      message: `has ${lines} lines, more than ${LINES_MAX}: split it by subject`,
    }))
}

/** What is not done is an issue, and not a comment. */
export function unfinishedProblems(files: readonly SourceFile[]): Problem[] {
  return matches(files, UNFINISHED, word => `says ${word}: do it now, or file an issue`)
}

/** Nothing names a place or a way of working that a reader does not have. */
export function foreignProblems(files: readonly SourceFile[]): Problem[] {
  const documents = files.filter(({ path }) => path.endsWith('.md'))
  return [
    ...matches(
      files,
      MACHINE_PATH,
      path => `names ${path}, a path of one machine: use a relative one`,
    ),
    ...matches(documents, TEMPORARY_PATH, path => `names ${path}: use a relative path`),
    ...matches(files, FOREIGN_WORD, word => `says "${word}": describe the product, not its making`),
  ]
}

/** A statement's file says what goes in, what comes out and what it locks. */
export function sqlHeaderProblems(files: readonly SourceFile[]): Problem[] {
  return files
    .filter(({ path }) => path.endsWith('.sql'))
    .flatMap(({ path, text }) => {
      const header = /^(?:--.*\n)*/.exec(text)?.[0] ?? ''
      return ['Inputs', 'Outputs', 'Locks']
        .filter(part => !new RegExp(`\\b${part}\\b[^:\\n]*:`).test(header))
        .map(part => ({
          path,
          line: 1,
          message: `has no "${part}:" in the comment at its head: write what it is, or "none"`,
        }))
    })
}

/** The type checker is not told to look away. */
export function escapeProblems(files: readonly SourceFile[]): Problem[] {
  const sources = files.filter(({ path }) => isTypeScript(path))
  const directive = new RegExp(
    '@ts-(?:ignore|nocheck|expect-error)|eslint-' + 'disable(?!.* -- )',
    'g',
  )
  return [
    ...matches(sources, directive, word =>
      word.startsWith('@')
        ? `says ${word}: give the value its right type`
        : `says ${word} without a reason: fix the code, or add " -- " and why`,
    ),
    ...sources.flatMap(anyProblems),
  ]
}

function anyProblems({ path, text }: SourceFile): Problem[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const problems: Problem[] = []
  const visit = (node: ts.Node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      const line = lineAt(text, node.getStart(file))
      problems.push({ path, line, message: 'says any: use unknown, and look what it is' })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return problems
}

function matches(
  files: readonly SourceFile[],
  pattern: RegExp,
  message: (found: string) => string,
): Problem[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      path,
      line: lineAt(text, index),
      message: message(found),
    })),
  )
}
