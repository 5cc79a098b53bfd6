import { open, readFile, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BankEvent } from './event.ts'
import { BankNotStarted } from './refusal.ts'

/** What a journal needs of its file, open for appending. */
export interface JournalFile {
  appendFile(text: string): Promise<void>
  /** Returns when what was appended has reached the disk. */
  datasync(): Promise<void>
  stat(): Promise<{ size: number }>
  close(): Promise<void>
}

/**
 * The bank's file: one JSON line an event, only ever appended. Events that arrive while a batch is
 * being written go into the next one together (group commit), so there are never more than two
 * batches; what waits is bounded by the server's connections.
 */
export class Journal {
  readonly #file: JournalFile
  #size: number
  #lines: string[] = []
  #queued = false
  #written: Promise<void> = Promise.resolve()

  constructor(file: JournalFile, size: number) {
    this.#file = file
    this.#size = size
  }

  /** Queues an event; {@link durable} tells when it is on disk. */
  append(event: BankEvent): void {
    this.#lines.push(`${JSON.stringify(event)}\n`)
    if (this.#queued) return
    this.#queued = true
    this.#written = this.#written.then(() => this.#writeBatch())
    // A failure is for those who ask durable(), which stays rejected from then on.
    this.#written.catch(() => undefined)
  }

  /** Returns when all that was appended is on disk; throws for ever once a write has failed. */
  durable(): Promise<void> {
    return this.#written
  }

  async close(): Promise<void> {
    await this.#written.catch(() => undefined)
    await this.#file.close()
  }

  async #writeBatch(): Promise<void> {
    this.#queued = false
    const batch = this.#lines.join('')
    this.#lines = []
    if ((await this.#file.stat()).size !== this.#size) {
      throw new Error('Another process writes to the file of this bank')
    }
    await this.#file.appendFile(batch)
    await this.#file.datasync()
    this.#size += Buffer.byteLength(batch)
  }
}

/** Opens a bank's file, or makes one, and reads the events in it. A half-written end is dropped. */
export async function openJournal(
  path: string,
): Promise<{ journal: Journal; events: readonly BankEvent[] }> {
  try {
    const bytes = await readFile(path).catch(onlyIfThere)
    const size = bytes.lastIndexOf('\n') + 1
    const events = readEvents(bytes.toString('utf8', 0, size), path)
    if (size < bytes.length) await dropEnd(path, bytes.toString('utf8', size), size)
    const file = await open(path, 'a')
    await file.datasync()
    await syncFolder(path)
    return { journal: new Journal(file, size), events }
  } catch (error) {
    if (error instanceof BankNotStarted) throw error
    const message = `The file ${path} cannot be used: ${whyUnusable(error)}`
    throw new BankNotStarted('FILE_UNUSABLE', message, { cause: error })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  ENOTDIR: 'a part of its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
}

function whyUnusable(error: unknown): string {
  const { code = '' } = error as NodeJS.ErrnoException
  return REASONS[code] ?? String(error)
}

/** How every line begins: a file that ends otherwise is not ours, and nothing is cut off it. */
const LINE_START = '{"event":"'

function readEvents(text: string, path: string): BankEvent[] {
  const lines = text.split('\n').slice(0, -1)
  return lines.map((line, index) => {
    const event = line.startsWith(LINE_START) ? parse(line) : null
    if (event && (event.event === 'opened') === (index === 0)) return event
    throw new BankNotStarted('FILE_DAMAGED', `${path} line ${index + 1} is not a line of a bank`)
  })
}

function parse(line: string): BankEvent | null {
  try {
    return JSON.parse(line) as BankEvent
  } catch {
    return null
  }
}

async function dropEnd(path: string, end: string, size: number): Promise<void> {
  if (!end.startsWith(LINE_START) && !LINE_START.startsWith(end)) {
    throw new BankNotStarted('FILE_DAMAGED', `${path} ends in something that no bank wrote`)
  }
  await truncate(path, size)
}

function onlyIfThere(error: NodeJS.ErrnoException): Buffer {
  if (error.code === 'ENOENT') return Buffer.alloc(0)
  throw error
}

/** A new file is only there after a power cut when its folder has been written too. */
async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder.
  if (process.platform === 'win32') return
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
