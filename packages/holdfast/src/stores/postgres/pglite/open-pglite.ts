import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { COLUMN_READERS } from '../column-types.ts'
import type { Database } from '../database.ts'
import { DurableFS } from './durable-fs.ts'
import { FolderUnusable, hasLock, lockFolder } from './folder-lock.ts'
import { PgliteDatabase } from './pglite-database.ts'

/** The folder of Postgres itself, inside the one that is opened. */
const DATA = 'pgdata'

/** A database that lives as long as the process. */
const IN_MEMORY = 'memory://'

/**
 * PGlite starts with `-F`, which is Postgres without fsync; what comes later wins. Of the ways to
 * sync the log, only the plain fsync reaches its file system.
 */
const DURABLE_PARAMS = [
  ...PGlite.defaultStartParams,
  ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
]

/** How many of the last lines of the server's log stand in the error of a failed start. */
const LOG_LINES_MAX = 5

/**
 * Opens Postgres embedded in this process, in a folder of its own (made where it is missing) or in
 * `memory://`. In a folder every commit is on the disk before it is answered, and the folder is this
 * process's alone until `close` or its end. Throws {@link FolderUnusable} where another process has
 * it, or where nothing can be written or read there.
 */
export async function openPglite(folder: string): Promise<Database> {
  if (folder === IN_MEMORY) {
    const pglite = await start(IN_MEMORY, { dataDir: IN_MEMORY })
    return new PgliteDatabase(pglite, { bytesWritten: () => 0, release: () => undefined })
  }
  const path = resolve(folder)
  const release = lockFolder(path)
  try {
    const data = join(path, DATA)
    if (!existsSync(data)) await create(path, data)
    const fs = new DurableFS(data)
    const pglite = await start(path, { fs, startParams: DURABLE_PARAMS })
    return new PgliteDatabase(pglite, { bytesWritten: () => fs.bytesWritten, release })
  } catch (error) {
    release()
    throw error
  }
}

/** Whether {@link openPglite} has made a database in a folder. Changes nothing there. */
export function holdsDatabase(folder: string): boolean {
  return hasLock(folder) && existsSync(join(folder, DATA))
}

/** Makes the database aside and moves it into place whole: a crash never leaves half of one. */
async function create(folder: string, data: string): Promise<void> {
  const aside = join(folder, `${DATA}.new`)
  rmSync(aside, { recursive: true, force: true })
  const pglite = await start(folder, { fs: new DurableFS(aside), startParams: DURABLE_PARAMS })
  await pglite.close()
  const made = readdirSync(aside, { recursive: true, encoding: 'utf8' })
  for (const path of [aside, ...made.map(name => join(aside, name))]) sync(path)
  renameSync(aside, data)
  sync(folder)
}

/** Puts a file or a folder on the disk. Windows cannot open a folder; its renames are journalled. */
function sync(path: string): void {
  if (process.platform === 'win32' && statSync(path).isDirectory()) return
  const file = openSync(path, process.platform === 'win32' ? 'r+' : 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

async function start(where: string, options: PGliteOptions): Promise<PGlite> {
  const log: string[] = []
  try {
    const pglite = await PGlite.create({
      ...options,
      onStderr(line) {
        log.push(line)
        if (log.length > LOG_LINES_MAX) log.shift()
        return false
      },
    })
    Object.assign(pglite.parsers, Object.fromEntries(COLUMN_READERS))
    return pglite
  } catch (cause) {
    const reason = log.join('; ') || String(cause)
    throw new FolderUnusable(`The database in ${where} cannot be opened: ${reason}`, { cause })
  }
}
