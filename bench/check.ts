import { readFileSync } from 'node:fs'
import { check, LIST_COMMANDS_MAX, type Command, type CheckProgress } from 'holdfast'
import { migrate, openPostgres, PostgresStore, type Database } from 'holdfast/postgres'
import { startPrivatePostgres } from '../packages/server/src/private-postgres/private-postgres.ts'

const BOOK = 'bench'
const ASSET = 'EUR/2'
const ACCOUNTS = 10_000
const FUNDS = 10n ** 9n
const NEVER = '9999-12-31T00:00:00.000Z'
/** How often the memory of this process is looked at. */
const LOOK_MS = 50
const FILL = new URL('./fill-book.sql', import.meta.url)
const BY_HAND = new URL('./sum-by-hand.sql', import.meta.url)

/** The one row of the table. */
export interface CheckRow {
  readonly movements: number
  readonly entries: number
  readonly seconds: number
  /** Movements a second, each with its entries. */
  readonly rate: number
  /** By how much the memory of this process grew at most, in megabytes. */
  readonly peakMb: number
  /** The seconds of a query that sums the amounts of each account, and nothing more. */
  readonly byHandSeconds: number
  /** How many times as long the check takes. */
  readonly ratio: number
}

/** Fills a book on a server of its own, and checks it beside the query that a team writes. */
export async function benchCheck(movements: number): Promise<CheckRow> {
  const server = await startPrivatePostgres()
  const database = await openPostgres(server.url)
  try {
    await migrate(database)
    const store = new PostgresStore(database)
    for (const list of opening()) await store.apply(BOOK, list, NEVER)
    await fill(database, movements)
    const byHand = await sumByHand(database)
    const { counts, seconds, peakMb } = await checked(store)
    return {
      movements: counts.movements,
      entries: counts.entries,
      seconds,
      rate: counts.movements / seconds,
      peakMb,
      byHandSeconds: byHand,
      ratio: seconds / byHand,
    }
  } finally {
    await database.close()
    await server.stop()
  }
}

/** Opens the accounts and gives each the same funds. */
function* opening(): Generator<Command[]> {
  yield [{ do: 'open', account: 'world', asset: ASSET, floor: null }]
  for (let start = 0; start < ACCOUNTS; start += LIST_COMMANDS_MAX) {
    const length = Math.min(LIST_COMMANDS_MAX, ACCOUNTS - start)
    const ids = Array.from({ length }, (_, n) => `a${start + n}`)
    yield ids.map((account): Command => ({ do: 'open', account, asset: ASSET, floor: 0n }))
    yield ids.map((to): Command => {
      const legs = [{ from: 'world', to, asset: ASSET, amount: FUNDS }]
      return { do: 'transfer', key: `fund:${to}`, legs }
    })
  }
}

async function fill(database: Database, movements: number): Promise<void> {
  const sql = readFileSync(FILL, 'utf8').replaceAll('$1', String(movements))
  await database.exec(sql)
  await database.exec(`create table by_hand_entry as
    select account, posted - lag(posted, 1, 0::bigint) over (partition by account order by version)
      as amount
    from holdfast.entry`)
  await database.exec('vacuum analyze')
}

async function sumByHand(database: Database): Promise<number> {
  const start = performance.now()
  const { rows } = await database.query(readFileSync(BY_HAND, 'utf8'))
  if (rows.length > 0) throw new Error(`${rows.length} accounts differ from their amounts`)
  return (performance.now() - start) / 1_000
}

async function checked(store: PostgresStore) {
  const counts: Record<CheckProgress['reading'], number> = {
    accounts: 0,
    movements: 0,
    entries: 0,
    differences: 0,
  }
  const before = process.memoryUsage.rss()
  let peak = before
  const looking = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, LOOK_MS)
  const start = performance.now()
  try {
    const found = check(store, BOOK, ({ reading, count }) => {
      counts[reading] = count
    })
    // A check that stops early would be fast, and prove nothing.
    for await (const { message } of found) throw new Error(message)
  } finally {
    clearInterval(looking)
  }
  return {
    counts,
    seconds: (performance.now() - start) / 1_000,
    peakMb: (peak - before) / 1_000_000,
  }
}
