import { execFile, spawnSync } from 'node:child_process'
import { chownSync, cpSync, mkdtempSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { findPostgres, type PostgresBinaries } from './binaries.ts'
import type { User } from './user.ts'

/** A cluster on disk: the folder that holds its `data` and nothing of anyone else, and who runs it. */
export interface Cluster {
  readonly folder: string
  readonly postgres: string
  readonly user: User
}

/** What a program of Postgres sees of our environment: none of its PG... variables, no language. */
export function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))
  return { ...Object.fromEntries(kept), LC_ALL: 'C' }
}

/** Makes a cluster in the folder. Its only user is `postgres`, with this password. */
export async function createCluster(
  folder: string,
  user: User,
  password: string,
): Promise<Cluster> {
  const binaries = runnable(findPostgres(), folder, user)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  give(passwordFile, user)
  const options = [
    ...['--pgdata', join(folder, 'data'), '--username', 'postgres', '--pwfile', passwordFile],
    ...['--auth', 'password', '--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
  ]
  await promisify(execFile)(binaries.initdb, options, { ...user, cwd: folder, env: environment() })
  return { folder, postgres: binaries.postgres, user }
}

/** A new folder that the user owns, below one that it can reach. */
export function makeFolder(user: User): string {
  const parents = user.uid === undefined ? [tmpdir()] : [tmpdir(), '/tmp', '/var/tmp']
  const parent = parents.find(path => user.uid === undefined || isOpen(path)) ?? tmpdir()
  const folder = mkdtempSync(join(parent, 'holdfast-postgres-'))
  give(folder, user)
  return folder
}

/** Whether everyone may go through the folder and all those above it. */
function isOpen(path: string): boolean {
  const everyoneMayEnter = (statSync(path).mode & 0o001) !== 0
  return everyoneMayEnter && (path === dirname(path) || isOpen(dirname(path)))
}

function give(path: string, user: User): void {
  if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
}

/** The programs where the user can run them: below the home of root nobody else can, so a copy. */
export function runnable(binaries: PostgresBinaries, folder: string, user: User): PostgresBinaries {
  const { movable, initdb, postgres } = binaries
  if (movable === null || spawnSync(initdb, ['--version'], { ...user, cwd: folder }).status === 0) {
    return binaries
  }
  const copy = join(folder, 'native')
  cpSync(movable, copy, { recursive: true, verbatimSymlinks: true })
  return {
    movable: copy,
    initdb: join(copy, relative(movable, initdb)),
    postgres: join(copy, relative(movable, postgres)),
  }
}
