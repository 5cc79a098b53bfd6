import { Ledger } from 'holdfast'
import { formatDecimal } from 'holdfast/money'
import { migrate, PostgresStore, type Database } from 'holdfast/postgres'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { openServer } from '../open-server.ts'
import { startPrivatePostgres } from '../private-postgres/private-postgres.ts'
import { table } from '../table.ts'

const BALANCE = 100n
const WITHDRAWAL = 80n
const WITHDRAWALS = 20
/** What stands between reading a balance and saving it: a call of another service, a busy process. */
const THINK_MS = 20
const ASSET = 'EUR/2'
/** A schema of the demo's own: nothing else on the server is touched. */
const SCHEMA = 'holdfast_demo_race'

/** What one way of writing a withdrawal came to. */
interface Result {
  readonly way: string
  readonly times: number
  readonly paidOut: bigint
  readonly balance: bigint
}

/** Where the race is run: a server of the user's, or null for a private one that is started. */
export interface RaceOptions {
  readonly databaseUrl: string | null
  readonly json: boolean
}

/**
 * Twenty withdrawals of 80 at once on a balance of 100, on a real Postgres: first as people write
 * it, then through the ledger. Ends with `findings` where the ledger paid out more than once.
 */
export async function runRace(options: RaceOptions, io: Io): Promise<ExitCode> {
  const server = options.databaseUrl === null ? await startPrivatePostgres() : null
  const database = await openServer(options.databaseUrl ?? server?.url ?? '')
  try {
    await database.exec(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}`)
    await warmUp(database)
    const results = [await asPeopleWriteIt(database), await throughTheLedger(database)]
    await io.print(options.json ? asJson(results) : asText(results))
    return results[1]?.times === 1 ? EXIT.clean : EXIT.findings
  } finally {
    await database.exec(`drop schema if exists ${SCHEMA} cascade`).catch(() => undefined)
    await database.close()
    await server?.stop()
  }
}

/** Opens a connection for each withdrawal: a race in which most are still dialling is none. */
async function warmUp(database: Database): Promise<void> {
  const nap = () => database.query('select pg_sleep(0.2)')
  await Promise.all(Array.from({ length: WITHDRAWALS }, nap))
}

/** Read, think, check, save, pay: every step is right, and together they are wrong. */
async function asPeopleWriteIt(database: Database): Promise<Result> {
  await database.exec(
    `create table ${SCHEMA}.wallet (id integer primary key, balance bigint not null);
     insert into ${SCHEMA}.wallet values (1, ${BALANCE})`,
  )
  let times = 0
  async function withdraw(): Promise<void> {
    const balance = await walletBalance(database)
    await new Promise(resolve => setTimeout(resolve, THINK_MS))
    if (balance < WITHDRAWAL) return
    await database.query(`update ${SCHEMA}.wallet set balance = $1 where id = 1`, [
      (balance - WITHDRAWAL).toString(),
    ])
    times += 1
  }
  await Promise.all(Array.from({ length: WITHDRAWALS }, withdraw))
  const balance = await walletBalance(database)
  return { way: 'read, check, save, pay', times, paidOut: BigInt(times) * WITHDRAWAL, balance }
}

async function walletBalance(database: Database): Promise<bigint> {
  const { rows } = await database.query(`select balance::text from ${SCHEMA}.wallet where id = 1`)
  return BigInt(String(rows[0]?.['balance']))
}

/** The check and the move that it allows are one step; a hold comes before the payment. */
async function throughTheLedger(database: Database): Promise<Result> {
  await migrate(database, SCHEMA)
  // A ledger for each request, as in twenty processes: no two commands share a list.
  const ledgers = Array.from(
    { length: WITHDRAWALS },
    () => new Ledger({ store: new PostgresStore(database, SCHEMA), book: 'race' }),
  )
  const [first] = ledgers
  if (!first) throw new Error('there is no withdrawal')
  await first.apply([
    { do: 'open', account: 'world', asset: ASSET, floor: null },
    { do: 'open', account: 'paid-out', asset: ASSET, floor: null },
    { do: 'open', account: 'user:1', asset: ASSET, floor: 0n },
    {
      do: 'transfer',
      key: 'fund',
      legs: [{ from: 'world', to: 'user:1', asset: ASSET, amount: BALANCE }],
    },
  ])
  let times = 0
  async function withdraw(ledger: Ledger, number: number): Promise<void> {
    const hold = `withdrawal-${number}`
    const leg = { from: 'user:1', to: 'paid-out', asset: ASSET, amount: WITHDRAWAL }
    const held = await ledger.submit({ do: 'hold', key: hold, legs: [leg] })
    if (!held.ok) return
    await new Promise(resolve => setTimeout(resolve, THINK_MS))
    times += 1
    await ledger.submit({ do: 'settle', hold })
  }
  await Promise.all(ledgers.map(withdraw))
  const account = await first.account('user:1')
  return {
    way: 'holdfast',
    times,
    paidOut: BigInt(times) * WITHDRAWAL,
    balance: account?.posted ?? 0n,
  }
}

function asJson(results: readonly Result[]): string {
  return JSON.stringify(
    results.map(({ way, times, paidOut, balance }) => ({
      way,
      times,
      paidOut: paidOut.toString(),
      balance: balance.toString(),
    })),
  )
}

function asText(results: readonly Result[]): string {
  const money = (amount: bigint) => formatDecimal(amount, 2)
  const rows = results.map(({ way, times, paidOut, balance }) => [
    way,
    String(times),
    money(paidOut),
    money(balance),
    money(paidOut + balance),
  ])
  return [
    `${WITHDRAWALS} withdrawals of ${money(WITHDRAWAL)} EUR at once on a balance of ${money(BALANCE)} EUR`,
    '',
    table(
      [
        { title: 'written as' },
        { title: 'paid', right: true },
        { title: 'paid out', right: true },
        { title: 'balance', right: true },
        { title: 'together', right: true },
      ],
      rows,
    ),
  ].join('\n')
}
