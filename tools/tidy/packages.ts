import { importsOf, packageOf, type Import } from './imports.ts'
import { isTest, isTypeScript, type Problem, type SourceFile } from './source-file.ts'

type Dependencies = Readonly<Record<string, string>>

/** What is read of a package.json. */
export interface Manifest {
  readonly name?: string
  readonly exports?: Record<string, unknown>
  readonly dependencies?: Dependencies
  readonly devDependencies?: Dependencies
  readonly optionalDependencies?: Dependencies
  readonly peerDependencies?: Dependencies
}

/** Packages that stand alone: of this repository they import nothing. */
const ALONE = new Set(['holdfast', '@holdfast/interleave', '@holdfast/simulated-bank'])
/** Packages that run anywhere: they import nothing but their own files. */
const BARE = new Set(['@holdfast/interleave'])

const EXACT_VERSION = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/
const PINNED = ['dependencies', 'devDependencies', 'optionalDependencies'] as const

/** The package.json files, by their paths. */
export function manifestsOf(files: readonly SourceFile[]): Map<string, Manifest> {
  const manifests = files.filter(({ path }) => /(^|\/)package\.json$/.test(path))
  return new Map(manifests.map(({ path, text }) => [path, JSON.parse(text) as Manifest]))
}

/** A package imports what it declares, and of this repository only what the design allows. */
export function packageProblems(files: readonly SourceFile[]): Problem[] {
  const manifests = manifestsOf(files)
  const ours = new Set([...manifests.values()].map(({ name }) => name ?? ''))
  return [...manifests].flatMap(([manifestPath, manifest]) => {
    const source = manifestPath.replace(/package\.json$/, 'src/')
    if (!source.startsWith('packages/')) return []
    return files
      .filter(({ path }) => path.startsWith(source) && isTypeScript(path) && !isTest(path))
      .flatMap(file =>
        importsOf(file).flatMap(found => {
          const message = refusal(found, source, manifest, ours)
          return message === null ? [] : [{ path: file.path, line: found.line, message }]
        }),
      )
  })
}

/** Why a package may not import this, and what to do; null where it may. */
function refusal(
  found: Import,
  source: string,
  { name = '', ...manifest }: Manifest,
  ours: ReadonlySet<string>,
): string | null {
  if (found.target !== null) {
    return found.target.startsWith(source)
      ? null
      : `imports ${found.target}, outside its package: import that package by its name`
  }
  if (BARE.has(name)) return `imports ${found.specifier}: ${name} imports nothing but its own files`
  const imported = packageOf(found)
  if (imported === null) return null
  if (ALONE.has(name) && ours.has(imported)) {
    return `imports ${imported}: ${name} stands alone, so the wiring in packages/server joins them`
  }
  const declared = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  }
  return imported in declared
    ? null
    : `imports ${imported}, which its package.json does not declare: add it to the dependencies`
}

/** Every dependency has one exact version, so that what was tested is what runs. */
export function pinProblems(files: readonly SourceFile[]): Problem[] {
  return [...manifestsOf(files)].flatMap(([path, manifest]) =>
    PINNED.flatMap(kind =>
      Object.entries(manifest[kind] ?? {})
        .filter(([, version]) => !EXACT_VERSION.test(version))
        .map(([name, version]) => ({
          path,
          message: `${kind} has ${name} at ${version}: pin an exact version`,
        })),
    ),
  )
}
