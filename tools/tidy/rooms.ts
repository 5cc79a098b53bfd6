import { posix } from 'node:path'
import { linesOf, type SourceFile, type Violation } from './source-file.ts'

/** The rooms of the library, each importing only from those to its left. */
const ROOMS = ['money', 'ledger', 'payouts', 'statements', 'reconciliation', 'charges'] as const
const ADAPTERS = ['stores', 'gateways']
/** Files at the root of the sources that every room may use. */
const BELOW_ALL = ['instant.ts', 'timer.ts']
/** Rooms whose rules are pure: no input or output, so nothing of Node. */
const PURE = [/^money\//, /^ledger\//, /^payouts\/transitions\.ts$/]

const LIBRARY = 'packages/holdfast/src/'
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

/** The modules that a file imports. */
export function importsOf(text: string): string[] {
  return [...text.matchAll(IMPORT)].map(([, from, dynamic]) => from ?? dynamic ?? '')
}

/** Rooms import only leftwards; adapters import inwards; only entry files import adapters. */
export function roomViolations({ path, text }: SourceFile): Violation[] {
  if (!path.startsWith(LIBRARY) || path.endsWith('.test.ts')) return []
  const file = path.slice(LIBRARY.length)
  return importsOf(text).flatMap(module => {
    if (!module.startsWith('.')) return outsideViolations(path, file, module)
    const target = posix.join(posix.dirname(file), module)
    return mayImport(file, target)
      ? []
      : [`${path}: imports ${target}, but ${whyNot(file)}: move the code, or turn the arrow round`]
  })
}

function mayImport(file: string, target: string): boolean {
  const [from = '', to = ''] = [file, target].map(each => each.split('/')[0] ?? '')
  if (!file.includes('/')) return !BELOW_ALL.includes(file) || BELOW_ALL.includes(target)
  if (BELOW_ALL.includes(target)) return true
  if (ADAPTERS.includes(from)) return isRoom(to) || sameAdapter(file, target)
  return isRoom(to) && indexOf(to) <= indexOf(from)
}

/** Adapters of one folder belong together; two folders know nothing of each other. */
function sameAdapter(file: string, target: string): boolean {
  const folder = (path: string) => path.split('/').slice(0, 2).join('/')
  return folder(file) === folder(target)
}

function isRoom(name: string): boolean {
  return indexOf(name) >= 0
}

function indexOf(name: string): number {
  return (ROOMS as readonly string[]).indexOf(name)
}

function whyNot(file: string): string {
  const room = file.split('/')[0] ?? ''
  return ADAPTERS.includes(room)
    ? 'an adapter imports rooms and its own folder only'
    : `${room} imports only what stands left of it in: ${ROOMS.join(', ')}`
}

function outsideViolations(path: string, file: string, module: string): Violation[] {
  if (module.startsWith('@holdfast/') || module === 'holdfast')
    return [`${path}: imports ${module}; the library imports no other package of the workspace`]
  return module.startsWith('node:') && PURE.some(rule => rule.test(file))
    ? [`${path}: imports ${module}, but this room is pure: take it in through a port`]
    : []
}

/** What reads the clock, chance or the network without an import. */
const WORLD =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\bperformance\.|\bprocess\.|\bfetch\(|\bset(?:Timeout|Interval)\(|\bcrypto\./

/** Rooms take clock, chance, waiting and the network in through ports. */
export function impureViolations({ path, text }: SourceFile): Violation[] {
  const [room = ''] = path.slice(LIBRARY.length).split('/')
  if (!path.startsWith(LIBRARY) || !isRoom(room) || path.endsWith('.test.ts')) return []
  return linesOf(text).flatMap(([line, number]) => {
    const [found] = WORLD.exec(line) ?? []
    return found === undefined
      ? []
      : [
          `${path}:${number}: ${found} in a room: take a port (instant.ts, timer.ts) from the caller`,
        ]
  })
}

/** What the packages may import of each other: a map from a package's folder to names. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  interleave: [],
  holdfast: [],
  'simulated-bank': [],
  server: ['holdfast', '@holdfast/simulated-bank'],
}

/** A package imports only what stands below it, and nothing from inside another package. */
export function packageViolations({ path, text }: SourceFile): Violation[] {
  const [, name = ''] = /^packages\/([^/]+)\/src\//.exec(path) ?? []
  const allowed = PACKAGES[name]
  if (!allowed || path.endsWith('.test.ts')) return []
  return importsOf(text).flatMap(module => {
    const own = module === 'holdfast' || module.startsWith('holdfast/')
    const target = own ? 'holdfast' : module.startsWith('@holdfast/') ? module : null
    return target === null || allowed.includes(target)
      ? []
      : [`${path}: imports ${module}; packages/${name} may import ${allowed.join(', ') || 'none'}`]
  })
}
