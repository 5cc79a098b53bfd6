import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A file of the repository, its path relative to the root with forward slashes. */
export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** One broken rule: what is wrong where, and how to mend it. */
export type Violation = string

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const TEXT = /\.(ts|mjs|js|sql|lua|md|json|yml|html|css)$/

/** Every text file that git tracks or would track. */
export function repositoryFiles(): SourceFile[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const paths = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  return paths
    .filter(path => TEXT.test(path) && path !== 'package-lock.json' && existsSync(ROOT + path))
    .map(path => ({ path, text: readFileSync(ROOT + path, 'utf8') }))
}

/** The lines of a text, numbered from 1. */
export function linesOf(text: string): [line: string, number: number][] {
  return text.split('\n').map((line, index) => [line, index + 1])
}
