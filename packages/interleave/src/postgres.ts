import { nextTurn } from './event-loop.ts'
import type { Blocking } from './program.ts'

/** A statement as `pg` takes it; one with a name is prepared once on each connection. */
export interface Statement {
  readonly name?: string
  readonly text: string
  readonly values?: unknown[]
}

/** What is needed of a connection: a `Client` of `pg` has it. A pool, which changes sessions, has not. */
export interface Connection {
  query(statement: string | Statement, values?: unknown[]): Promise<Answer>
  /** `I` says that no transaction is open. Left out, each reset rolls back, which Postgres may log. */
  getTransactionStatus?(): string | null
}

interface Answer {
  readonly rows: readonly unknown[]
  readonly rowCount?: number | null
}

/** What came of a statement, as plain data, so that one run can be compared with another. */
export interface Rows<Row> {
  readonly rows: readonly Row[]
  readonly rowCount: number | null
}

/** The port of one task in one run: each call is a step. */
export interface PostgresPort {
  query<Row = Record<string, unknown>>(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<Rows<Row>>
}

/** So often is asked whether one call is blocked: hours, and a call that takes longer hangs. */
const ASKS_MAX = 100_000_000
/** So often is one connection told to cancel; each time is a round trip. */
const CANCELS_MAX = 10_000
const END_TRANSACTION = 'rollback; select pg_advisory_unlock_all()'
const UNLOCK = { name: 'interleave_unlock', text: 'select pg_advisory_unlock_all()' }

interface Session {
  readonly connection: Connection
  readonly name: string
  readonly isBlocked: Statement
  readonly cancel: string
  /** Statements that were sent and have not ended. */
  underWay: number
}

/**
 * Makes sessions of real Postgres connections: one for each task, in their order, and one to watch
 * them, which nothing may keep waiting. They stay the caller's, who ends them.
 */
export async function openSessions(
  tasks: readonly Connection[],
  monitor: Connection,
): Promise<PostgresSessions> {
  const pids = await Promise.all(tasks.map(pidOf))
  const all = pids.join()
  const sessions = tasks.map((connection, task) => ({
    connection,
    name: String.fromCharCode(65 + task),
    isBlocked: {
      name: `interleave_blocked_${task}`,
      text: `select pg_blocking_pids(${pids[task]}) && array[${all}] as blocked`,
    },
    cancel: `select pg_cancel_backend(${pids[task]})`,
    underWay: 0,
  }))
  return new PostgresSessions(sessions, monitor)
}

async function pidOf(connection: Connection): Promise<number> {
  const { rows } = await connection.query('select pg_backend_pid() as pid')
  const [{ pid }] = rows as [{ pid: unknown }]
  return Number(pid)
}

/**
 * The connections of a program on Postgres. Give it as the program's `blocking`; let `setup` await
 * `reset`, and `ports` take each task's `port`.
 *
 * Only one call is under way at a time, so the connections of the other tasks are idle: a call that
 * one of them blocks is never granted on its own. It is no step in that state, and counts where it is
 * granted. Where all calls are blocked, that is a deadlock, found before Postgres looks for it.
 */
export class PostgresSessions implements Blocking {
  readonly #sessions: Session[]
  readonly #monitor: Connection
  /** Which run is on: a port of an earlier one sends nothing any more. */
  #run = 0
  #asked: Promise<unknown> = Promise.resolve()

  /** Use `openSessions`. */
  constructor(sessions: Session[], monitor: Connection) {
    this.#sessions = sessions
    this.#monitor = monitor
  }

  /** The port of a task in the run that begins. */
  port(task: number): PostgresPort {
    const session = this.#session(task)
    const run = this.#run
    const query = async (statement: string | Statement, values?: unknown[]) => {
      if (run !== this.#run) throw new Error('The run that this statement is of has been given up')
      session.underWay += 1
      try {
        const { rows, rowCount = null } = await session.connection.query(statement, values)
        return { rows, rowCount }
      } finally {
        session.underWay -= 1
      }
    }
    // What the rows are is the caller's word, as with every driver.
    return { query: query as PostgresPort['query'] }
  }

  async blocked(task: number, done: AbortSignal): Promise<boolean> {
    const { isBlocked, name } = this.#session(task)
    // What was asked about the call before has to be answered first.
    await this.#asked
    for (let asks = 0; asks < ASKS_MAX; asks += 1) {
      if (done.aborted) return false
      const asked = this.#monitor.query(isBlocked)
      this.#asked = asked
      const [answer] = (await asked).rows as [{ blocked: unknown }]
      if (answer.blocked === true) return !done.aborted
      // The answer of the call itself may be there already.
      await new Promise<void>(nextTurn)
    }
    throw new Error(`A call of task ${name} has not ended after ${ASKS_MAX} looks at it`)
  }

  /**
   * Brings all tasks' connections back for the next run: cancels what still runs and waits until it
   * has ended, rolls back, and releases advisory locks. What else a session keeps (settings,
   * temporary tables) stays. `world`, one or more statements without values, is sent in the same
   * round trip, over the monitoring connection.
   */
  async reset(world?: string): Promise<void> {
    this.#run += 1
    await Promise.all(this.#sessions.map(session => this.#stop(session)))
    // Nothing runs any more: a lock that the world waits for is released in the same moment.
    const done = this.#sessions.map(({ connection }) =>
      connection.query(connection.getTransactionStatus?.() === 'I' ? UNLOCK : END_TRANSACTION),
    )
    if (world !== undefined) done.push(this.#monitor.query(world))
    await Promise.all(done)
  }

  async #stop(session: Session): Promise<void> {
    // Again and again, because one that comes between two statements is lost.
    for (let cancels = 0; session.underWay > 0; cancels += 1) {
      if (cancels === CANCELS_MAX)
        throw new Error(`Task ${session.name}: a statement does not end, though it was cancelled`)
      await this.#monitor.query(session.cancel)
    }
  }

  #session(task: number): Session {
    const session = this.#sessions[task]
    if (session === undefined)
      throw new RangeError(`task ${task}: there are ${this.#sessions.length} connections`)
    return session
  }
}
