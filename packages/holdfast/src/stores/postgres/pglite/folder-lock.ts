import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

const READ_WRITE_CREATE = constants.O_RDWR | constants.O_CREAT
/** Flags that Node has no name for: they lock the file in the same step as they open it. */
const MACOS_O_NONBLOCK_O_EXLOCK = 0x4 | 0x20
const WINDOWS_UV_FS_O_EXLOCK = 0x10000000

/** What flock(1) ends with where another process holds the lock. */
const FLOCK_HELD = 1

const LOCK = 'lock'

/** Thrown where a folder cannot be used: another process has it, or the system refuses it. */
export class FolderUnusable extends Error {
  override readonly name: string = 'FolderUnusable'
}

/**
 * Takes the folder (made where it is missing) for this process, or throws {@link FolderUnusable}.
 *
 * The lock is the kernel's own, on an open file: nobody can take it from a live process, also not
 * from another container, and it ends with the process however that dies. A lock of process ids
 * would have to guess who is alive. Returns what gives the folder back.
 */
export function lockFolder(folder: string): () => void {
  const lock = join(folder, LOCK)
  const owner = join(folder, 'owner')
  const file = usable(folder, () => {
    mkdirSync(folder, { recursive: true })
    return openLocked(lock)
  })
  if (file === null) throw new FolderUnusable(`The folder ${folder} is in use by ${who(owner)}`)
  usable(folder, () => {
    writeFileSync(owner, `process ${process.pid} on ${hostname()}`)
  })
  return () => {
    closeSync(file)
  }
}

/** Whether a folder has ever been taken by {@link lockFolder}. */
export function hasLock(folder: string): boolean {
  return existsSync(join(folder, LOCK))
}

const REASONS: Readonly<Record<string, string>> = {
  EEXIST: 'it is a file',
  ENOTDIR: 'a part of its path is a file',
  ENOENT: 'there is no such folder',
  EACCES: 'permission denied',
  EROFS: 'it can only be read',
}

function usable<T>(folder: string, use: () => T): T {
  try {
    return use()
  } catch (cause) {
    if (cause instanceof FolderUnusable) throw cause
    const { code = '', message } = cause as NodeJS.ErrnoException
    const reason = REASONS[code] ?? message
    throw new FolderUnusable(`The folder ${folder} cannot be used: ${reason}`, { cause })
  }
}

function who(owner: string): string {
  try {
    return readFileSync(owner, 'utf8')
  } catch {
    return 'another process'
  }
}

/** Opens the file with a lock that is released with it; null where someone else has it. */
function openLocked(path: string): number | null {
  if (process.platform === 'darwin') {
    return openOrNull(path, READ_WRITE_CREATE | MACOS_O_NONBLOCK_O_EXLOCK, 'EAGAIN')
  }
  if (process.platform === 'win32') {
    return openOrNull(path, READ_WRITE_CREATE | WINDOWS_UV_FS_O_EXLOCK, 'EBUSY')
  }
  return openWithFlock(path)
}

function openOrNull(path: string, flags: number, heldCode: string): number | null {
  try {
    return openSync(path, flags)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === heldCode) return null
    throw error
  }
}

/**
 * Node cannot call flock(2), but the lock belongs to the open file and not to who asked for it: so
 * flock(1), of util-linux or busybox, is lent our file for a moment, and the lock stays with us.
 */
function openWithFlock(path: string): number | null {
  const file = openSync(path, READ_WRITE_CREATE)
  const { status, error, stderr } = spawnSync('flock', ['-n', '-x', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', file],
  })
  if (status === 0) return file
  closeSync(file)
  if (status === FLOCK_HELD) return null
  throw new FolderUnusable(
    error
      ? 'An embedded database needs the command flock (util-linux) to lock its folder'
      : `flock could not lock ${path}: ${stderr.toString()}`,
    { cause: error },
  )
}
