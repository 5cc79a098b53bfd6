import { AsyncLocalStorage } from 'node:async_hooks'
import type { PGlite } from '@electric-sql/pglite'
import type { Database, Queryable, Row } from '../database.ts'
import { runScript, runTransaction, type Send } from '../transaction.ts'

/**
 * After so many bytes a checkpoint is made: PGlite has no process that makes one by itself, so its
 * write-ahead log, and the time to read it after a crash, would grow without end.
 */
const CHECKPOINT_AFTER_BYTES = 64 * 1024 * 1024

/** What lies under PGlite. */
export interface Ground {
  /** How much has been written to disk since PGlite was opened. */
  bytesWritten(): number
  /** Called once, when PGlite no longer uses the disk. */
  release(): void
}

/**
 * PGlite as a {@link Database}. It has one session, so whatever is asked meanwhile waits for its
 * turn; what goes past the `tx` of the transaction that it stands in would wait for itself, and is
 * thrown out. An error that stops the server (a failed fsync) stops this too: open it again.
 */
export class PgliteDatabase implements Database {
  readonly kind = 'pglite'
  readonly #pglite: PGlite
  readonly #ground: Ground
  readonly #transaction = new AsyncLocalStorage<{ open: boolean }>()
  #lastTurn: Promise<unknown> = Promise.resolve()
  #checkpointAtBytes = CHECKPOINT_AFTER_BYTES
  #ended: Error | null = null

  constructor(pglite: PGlite, ground: Ground) {
    this.#pglite = pglite
    this.#ground = ground
  }

  query(text: string, values?: unknown[]): Promise<{ rows: Row[] }> {
    return this.#turn(() => this.#send(text, values))
  }

  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T> {
    return this.#turn(() =>
      runTransaction(this.#send, async tx => {
        const transaction = { open: true }
        try {
          return await this.#transaction.run(transaction, () => run(tx))
        } finally {
          transaction.open = false
        }
      }),
    )
  }

  exec(sql: string): Promise<void> {
    return this.#turn(() => runScript(this.#sendScript, sql))
  }

  close(): Promise<void> {
    return this.#turn(async () => {
      if (this.#ended) return
      this.#ended = new Error('The database is closed')
      await this.#pglite.close().finally(() => {
        this.#ground.release()
      })
    })
  }

  /** Waits until the session is free, then runs `use` in it. */
  async #turn<T>(use: () => Promise<T>): Promise<T> {
    if (this.#transaction.getStore()?.open === true) {
      throw new Error('Inside a transaction, send every statement through its tx')
    }
    const turn = this.#lastTurn.then(async () => {
      await this.#checkpoint()
      return await use()
    })
    this.#lastTurn = turn.catch(() => undefined)
    return await turn
  }

  async #checkpoint(): Promise<void> {
    if (this.#ground.bytesWritten() < this.#checkpointAtBytes) return
    await this.#send('CHECKPOINT')
    this.#checkpointAtBytes = this.#ground.bytesWritten() + CHECKPOINT_AFTER_BYTES
  }

  readonly #send: Send = (text, values) => this.#guard(() => this.#pglite.query<Row>(text, values))

  readonly #sendScript: Send = text =>
    this.#guard(async () => {
      await this.#pglite.exec(text)
      return { rows: [] }
    })

  /** PGlite hangs where it is asked for more after its server has stopped: so it is not asked. */
  async #guard<T>(use: () => Promise<T>): Promise<T> {
    if (this.#ended) throw this.#ended
    try {
      return await use()
    } catch (error) {
      if (!stopsTheServer(error)) throw error
      this.#ended = new Error('The embedded database has stopped: open it again', { cause: error })
      this.#ground.release()
      throw error
    }
  }
}

function stopsTheServer(error: unknown): boolean {
  if (typeof error !== 'object' || error === null || !('severity' in error)) return false
  return error.severity === 'FATAL' || error.severity === 'PANIC'
}
