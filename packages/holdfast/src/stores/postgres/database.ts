/** A row of an answer, by column name. What each column type becomes stands in `column-types.ts`. */
export type Row = Record<string, unknown>

/** Whatever runs one SQL statement: a pool, a client, a transaction, or an adapter over a toolkit. */
export interface Queryable {
  /** Runs one statement with `$1`, `$2`, ... bound to `values`. */
  query(text: string, values?: unknown[]): Promise<{ rows: Row[] }>
}

/** A Postgres server or an embedded PGlite, reached in one and the same way. */
export interface Database extends Queryable {
  readonly kind: 'postgres' | 'pglite'
  /**
   * Runs `run` inside one READ COMMITTED transaction and commits what it did; rolls back where it
   * throws. Everything must go through the `tx` that it is given. Throws {@link TransactionAborted}
   * where a statement failed and `run` went on as if it had not: then nothing was committed.
   */
  transaction<T>(run: (tx: Queryable) => Promise<T>): Promise<T>
  /** Runs many statements, without values and without an answer: a migration. */
  exec(sql: string): Promise<void>
  /** Ends the connections that were opened here. */
  close(): Promise<void>
}

/** Thrown where a commit met a transaction in which a statement had failed: nothing was committed. */
export class TransactionAborted extends Error {
  override readonly name: string = 'TransactionAborted'
  constructor() {
    super(
      'A statement of this transaction failed and the failure was caught: nothing was committed',
    )
  }
}

/** How far down an error's causes its SQLSTATE is looked for. */
const CAUSE_DEPTH_MAX = 8

const SQLSTATE = /^[0-9A-Z]{5}$/

/**
 * The SQLSTATE of a database error, also where a toolkit wrapped it (its `cause`); null where the
 * error did not come from the database. Codes of the operating system, `EPIPE`, are no SQLSTATE.
 */
export function sqlState(error: unknown): string | null {
  let link = error
  for (let depth = 0; depth <= CAUSE_DEPTH_MAX; depth += 1) {
    if (typeof link !== 'object' || link === null) return null
    if (isServerError(link)) return link.code
    link = 'cause' in link ? link.cause : null
  }
  return null
}

/** Only what the server itself reported has a severity beside its code. */
function isServerError(error: object): error is { code: string } {
  return (
    'severity' in error &&
    typeof error.severity === 'string' &&
    'code' in error &&
    typeof error.code === 'string' &&
    SQLSTATE.test(error.code)
  )
}
