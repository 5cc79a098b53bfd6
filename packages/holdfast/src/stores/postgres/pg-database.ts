import { columnReader, type ColumnReader } from './column-types.ts'
import type { Database, Row } from './database.ts'
import { runScript, runTransaction, type Send } from './transaction.ts'

/** The most connections that {@link openPostgres} opens. */
const CONNECTIONS_MAX = 20
/** How long a connection may take to open, or to come free. */
const CONNECT_TIMEOUT_MS = 10_000
/** How long an answer may take: a peer that vanished without a word must not be awaited for ever. */
const QUERY_TIMEOUT_MS = 60_000
/** How long a migration may take. */
const EXEC_TIMEOUT_MS = 3_600_000

/** What of a statement is handed to pg. */
interface PgStatement {
  text: string
  values?: unknown[]
  types?: { getTypeParser(type: number, format?: string): ColumnReader }
  query_timeout: number
}

interface PgResult {
  rows: Row[]
  command: string
}

/** What is used of a client of pg. */
export interface PgClient {
  query(statement: PgStatement): Promise<PgResult>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(destroy?: boolean): void
}

/** What is used of a pool of pg: `new pg.Pool(...)` satisfies it. */
export interface PgPool {
  connect(): Promise<PgClient>
  on(event: 'error', listener: (error: Error) => void): unknown
  end(): Promise<void>
}

/** Columns are read by our own table, statement by statement: pg's global one is not touched. */
const types = {
  getTypeParser(type: number, format?: string): ColumnReader {
    if (format === 'binary') throw new Error('Open the pool of pg without `binary: true`')
    return columnReader(type)
  },
}

/**
 * A database over the caller's own pool of pg. The pool stays the caller's: `close` leaves it open.
 * An error of an idle connection is swallowed, because the pool has already replaced it.
 */
export function postgresDatabase(pool: PgPool): Database {
  pool.on('error', () => undefined)
  return {
    kind: 'postgres',
    query: (text, values) => withClient(pool, QUERY_TIMEOUT_MS, send => send(text, values)),
    transaction: run => withClient(pool, QUERY_TIMEOUT_MS, send => runTransaction(send, run)),
    exec: sql => withClient(pool, EXEC_TIMEOUT_MS, send => runScript(send, sql)),
    close: () => Promise.resolve(),
  }
}

/**
 * Opens a pool of its own on a `postgres://` URL; `close` ends it. Needs the package `pg`.
 * Connections are opened as they are needed: a server that is away is noticed by the first query.
 */
export async function openPostgres(url: string): Promise<Database> {
  const { Pool } = await import('pg').catch((cause: unknown) => {
    throw new Error('A Postgres server needs the package pg: npm install pg', { cause })
  })
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'holdfast',
  })
  return { ...postgresDatabase(pool), close: () => pool.end() }
}

/**
 * Lends one client. It goes back to the pool where it answered, also with an error; it is destroyed
 * where the connection failed, since an answer that is still under way would reach the next user.
 */
async function withClient<T>(
  pool: PgPool,
  timeoutMs: number,
  use: (send: Send) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  let usable = true
  const onError = () => {
    usable = false
  }
  client.on('error', onError)
  const send: Send = async (text, values) => {
    try {
      return await client.query({
        text,
        ...(values && { values }),
        types,
        query_timeout: timeoutMs,
      })
    } catch (error) {
      usable &&= isAnswer(error)
      throw error
    }
  }
  try {
    return await use(send)
  } finally {
    client.off('error', onError)
    client.release(!usable)
  }
}

/** Whether an error leaves the connection as it was: the server said ERROR, not FATAL. */
function isAnswer(error: unknown): boolean {
  return error instanceof Error && 'severity' in error && error.severity === 'ERROR'
}
