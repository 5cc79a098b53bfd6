import type { Readable } from 'node:stream'

const CLEAR_LINE = '\r\x1b[2K'

/** What a command reads from and writes to, besides its files. */
export interface Io {
  readonly stdin: Readable
  /** Writes a line to stdout, the answer; resolves once it has been handed over. */
  print(line: string): Promise<void>
  /** Writes a line to stderr: what a person should know beside the answer. */
  note(line: string): void
  /** The columns of the terminal on stderr; null where nobody watches it. */
  readonly watchedColumns: number | null
  /** Shows a line on stderr until the next output: for a progress bar, where somebody watches. */
  draw(line: string): void
  /** Takes away what was drawn. */
  clear(): void
}

/** The streams of this process, and what went wrong with them. */
export interface ProcessIo extends Io {
  /**
   * Waits until all has been handed over; the first error of stdout, null where there was none or
   * only its reader went away.
   */
  finish(): Promise<Error | null>
}

/**
 * The streams of this process. Where the reader of stdout goes away (`| head`), the command goes on
 * without it: nobody stops money half way because an output was not wanted.
 */
export function processIo(): ProcessIo {
  let failure: Error | null = null
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') failure ??= error
  }
  process.stdout.on('error', onError)
  process.stderr.on('error', () => undefined)
  let drawn = false
  const clear = () => {
    if (drawn) process.stderr.write(CLEAR_LINE)
    drawn = false
  }
  return {
    stdin: process.stdin,
    print: line =>
      new Promise(resolve => {
        clear()
        process.stdout.write(`${line}\n`, () => {
          resolve()
        })
      }),
    note: line => {
      clear()
      process.stderr.write(`${line}\n`)
    },
    watchedColumns: process.stderr.isTTY ? process.stderr.columns : null,
    draw: line => {
      process.stderr.write(`${CLEAR_LINE}${line}`)
      drawn = true
    },
    clear,
    // An error of the last write is reported one turn after the write has been answered.
    finish: () =>
      new Promise(resolve => {
        process.stdout.write('', () => {
          setImmediate(() => {
            resolve(failure)
          })
        })
      }),
  }
}
