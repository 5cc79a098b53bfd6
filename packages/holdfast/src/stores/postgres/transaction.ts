import { TransactionAborted, type Queryable, type Row } from './database.ts'

/** Sends SQL over one session; `command` is the server's command tag. */
export type Send = (
  text: string,
  values?: unknown[],
) => Promise<{ rows: Row[]; command?: string | undefined }>

/** Runs `run` between BEGIN and COMMIT, or ROLLBACK where it throws; see `Database.transaction`. */
export async function runTransaction<T>(
  send: Send,
  run: (tx: Queryable) => Promise<T>,
): Promise<T> {
  await send('BEGIN ISOLATION LEVEL READ COMMITTED')
  let ended = false
  const tx: Queryable = {
    async query(text, values) {
      if (ended) throw new Error('The transaction has ended')
      return { rows: (await send(text, values)).rows }
    },
  }
  let answer: T
  try {
    answer = await run(tx)
  } catch (error) {
    ended = true
    // Where the session is lost this fails too, and the server has rolled back by itself.
    await send('ROLLBACK').catch(() => undefined)
    throw error
  }
  ended = true
  // Postgres answers the COMMIT of a failed transaction with ROLLBACK, and without an error.
  const { command } = await send('COMMIT')
  if (command === 'ROLLBACK') throw new TransactionAborted()
  return answer
}

/** Runs many statements at once; see `Database.exec`. */
export async function runScript(send: Send, sql: string): Promise<void> {
  try {
    await send(sql)
  } catch (error) {
    // A BEGIN of the script's own must not stay open for the next user of the session.
    await send('ROLLBACK').catch(() => undefined)
    throw error
  }
}
