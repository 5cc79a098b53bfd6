import type { Instant } from '../../src/instant.ts'
import type { Book } from '../../src/ledger/command.ts'
import type { Store } from '../../src/ledger/store.ts'
import type { Database, Queryable } from '../../src/stores/postgres/database.ts'

const POLL_MS = 3
const POLLS_MAX = 10_000

/** Returns when so many sessions of this database wait for a lock. */
export async function sessionsWaiting(database: Queryable, count: number): Promise<void> {
  const sql = `select count(*)::integer as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await until(async () => {
    const { rows } = await database.query(sql)
    return Number(rows[0]?.['waiting']) >= count
  })
}

/** Returns when the clock of the store is at or past an instant. */
export async function clockAt(store: Store, book: Book, instant: Instant): Promise<void> {
  await until(async () => (await store.now(book)) >= instant)
}

/** Looks again and again until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let poll = 0; poll < POLLS_MAX; poll += 1) {
    if (await isSo()) return
    await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }
  throw new Error(`it was not so after ${POLLS_MAX} looks`)
}

/** A transaction that stays open until it is told how to end. */
export interface OpenTransaction {
  readonly tx: Queryable
  readonly commit: () => Promise<void>
  readonly rollback: () => Promise<void>
}

class RolledBack extends Error {}

export async function openTransaction(database: Database): Promise<OpenTransaction> {
  return new Promise((resolve, reject) => {
    let end: (error?: Error) => void = () => undefined
    const ended = new Promise<void>((commit, rollBack) => {
      end = error => {
        if (error) rollBack(error)
        else commit()
      }
    })
    const done = database
      .transaction(async tx => {
        resolve({
          tx,
          commit: () => {
            end()
            return done
          },
          rollback: () => {
            end(new RolledBack())
            return done
          },
        })
        await ended
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error
      })
    done.catch(reject)
  })
}
