import { posix } from 'node:path'
import ts from 'typescript'
import { lineAt, type SourceFile } from './source-file.ts'

/** What a file imports, and where it says so. */
export interface Import {
  /** As written: `./leg.ts`, `node:fs`, `pg`. */
  readonly specifier: string
  /** The file of this repository, by its path from the root; null for a package. */
  readonly target: string | null
  readonly line: number
}

/** All that a TypeScript file imports or exports from elsewhere, types and dynamic imports too. */
export function importsOf({ path, text }: SourceFile): Import[] {
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName, pos }) => ({
    specifier: fileName,
    target: fileName.startsWith('.') ? posix.join(posix.dirname(path), fileName) : null,
    line: lineAt(text, pos),
  }))
}

/** The package that an import is from, `@scope/name` or `name`; null for our own and Node's files. */
export function packageOf({ specifier, target }: Import): string | null {
  if (target !== null || specifier.startsWith('node:') || specifier.startsWith('#')) return null
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? null)
}
