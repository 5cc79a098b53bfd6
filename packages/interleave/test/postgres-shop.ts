import { Client } from 'pg'
import type { Program } from '../src/index.ts'
import { openSessions, type PostgresPort, type PostgresSessions } from '../src/postgres.ts'
import type { Seen, Withdraw } from './programs.ts'

/** Connections to one database, the tasks' and the one that watches. */
export interface Connections {
  readonly monitor: Client
  readonly sessions: PostgresSessions
  close(): Promise<void>
}

/** Opens connections, each with the settings given as `name=value`. */
export async function openConnections(
  url: string,
  tasks: number,
  ...settings: string[]
): Promise<Connections> {
  // What is explored here is order: no write has to outlive the server.
  const options = ['synchronous_commit=off', ...settings].map(each => `-c ${each}`).join(' ')
  const open = async () => {
    const client = new Client({ connectionString: url, options })
    await client.connect()
    return client
  }
  const [monitor, ...clients] = await Promise.all([
    open(),
    ...Array.from({ length: tasks }, () => open()),
  ])
  return {
    monitor,
    sessions: await openSessions(clients, monitor),
    async close() {
      await Promise.all([monitor, ...clients].map(client => client.end()))
    },
  }
}

export const SCHEMA =
  'create table account (id int primary key, balance bigint, held bigint, paid bigint)'
const WORLD = `insert into account values (1, 100, 0, 0)
  on conflict (id) do update set balance = 100, held = 0, paid = 0`
const HOLDS = `select balance + held + paid = 100 as holds
  from account where id = 1`

const LOAD = { name: 'load', text: 'select id from account where id = 1' }
const READ = { name: 'read', text: 'select balance from account where id = 1' }
const WRITE = { name: 'write', text: 'update account set balance = $1 where id = 1' }
const RESERVE = {
  name: 'reserve',
  text: `update account set balance = balance - $1, held = held + $1
    where id = 1 and balance >= $1`,
}
const SETTLE = { name: 'settle', text: 'update account set held = held - $1 where id = 1' }
const PAY = { name: 'pay', text: 'update account set paid = paid + $1 where id = 1' }
const LOCK = { name: 'lock', text: 'select pg_advisory_lock(1)' }
const UNLOCK = { name: 'unlock', text: 'select pg_advisory_unlock(1)' }

interface Balance {
  readonly balance: string
}

/** The ports of the programs, each call of which is one statement. */
function portsOf(sql: PostgresPort): Seen {
  const run = async (statement: typeof LOAD, amount: bigint) => {
    const { rowCount } = await sql.query(statement, [amount])
    return rowCount === 1
  }
  const effect = async (statement: typeof LOAD, amount: bigint) => {
    await run(statement, amount)
  }
  const lockCall = async (statement: typeof LOAD) => {
    await sql.query(statement)
  }
  return {
    account: {
      load: async () => {
        await sql.query(LOAD)
        return 'user:1'
      },
      read: async () => {
        const { rows } = await sql.query<Balance>(READ)
        return BigInt(rows[0]?.balance ?? 0)
      },
      write: balance => effect(WRITE, balance),
      reserve: amount => run(RESERVE, amount),
      settle: amount => effect(SETTLE, amount),
    },
    lock: { lock: () => lockCall(LOCK), unlock: () => lockCall(UNLOCK) },
    bank: { pay: amount => effect(PAY, amount) },
  }
}

/** The programs of `programs.ts` on Postgres; they need `SCHEMA`. */
export function postgresShop(
  { monitor, sessions }: Connections,
  ...tasks: readonly Withdraw[]
): Program<PostgresSessions, Seen> {
  return {
    setup: async () => {
      await sessions.reset(WORLD)
      return sessions
    },
    ports: (_, task) => portsOf(sessions.port(task)),
    tasks,
    invariant: async () => {
      const { rows } = await monitor.query<{ holds: boolean }>(HOLDS)
      return rows[0]?.holds === true
    },
    blocking: sessions,
  }
}
