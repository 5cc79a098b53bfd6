import { Client } from 'pg'
import { explore, type Program } from '../packages/interleave/src/index.ts'
import { openSessions, type PostgresSessions } from '../packages/interleave/src/postgres.ts'
import { startPrivatePostgres } from '../packages/server/src/private-postgres/private-postgres.ts'

const WARM_UP = 10
const EXPLORATIONS = 20
const BLOCKS = 200
/** What is measured is order: no write has to outlive the server. */
const OPTIONS = '-c synchronous_commit=off'

const WORLD = 'update account set balance = 100, paid = 0 where id = 1'
const LOAD = { name: 'load', text: 'select id from account where id = 1' }
const READ = { name: 'read', text: 'select balance from account where id = 1' }
const WRITE = { name: 'write', text: 'update account set balance = $1 where id = 1' }
const PAY = { name: 'pay', text: 'update account set paid = paid + $1 where id = 1' }
const HOLDS = { name: 'holds', text: 'select balance + paid = 100 as holds from account' }
const AMOUNT = 80

/** How many orders of the naive program run in a second, and how long a block stays unrecognised. */
export async function benchPostgres(): Promise<{ ordersPerSecond: number; blockedP50Ms: number }> {
  const server = await startPrivatePostgres()
  const clients = await Promise.all(
    [0, 1, 2].map(async () => {
      const client = new Client({ connectionString: server.url, options: OPTIONS })
      await client.connect()
      return client
    }),
  )
  try {
    const [monitor, ...tasks] = clients as [Client, Client, Client]
    await monitor.query('create table account (id int primary key, balance int, paid int)')
    await monitor.query('insert into account values (1, 100, 0)')
    const sessions = await openSessions(tasks, monitor)
    return {
      ordersPerSecond: await ordersPerSecond(sessions, monitor),
      blockedP50Ms: await blockedP50Ms(sessions),
    }
  } finally {
    await Promise.all(clients.map(client => client.end()))
    await server.stop()
  }
}

async function ordersPerSecond(sessions: PostgresSessions, monitor: Client): Promise<number> {
  const program = naive(sessions, monitor)
  for (let count = 0; count < WARM_UP; count += 1) await explore(program)
  let orders = 0n
  const startMs = performance.now()
  for (let count = 0; count < EXPLORATIONS; count += 1) {
    const report = await explore(program)
    if (report.orders !== 54n || report.violations !== 36n)
      throw new Error(`counted ${report.orders} orders, and ${report.violations} that lose money`)
    orders += report.orders
  }
  return (Number(orders) * 1_000) / (performance.now() - startMs)
}

interface Ports {
  readonly load: () => Promise<unknown>
  readonly read: () => Promise<number>
  readonly write: (balance: number) => Promise<unknown>
  readonly pay: () => Promise<unknown>
}

/** Two withdrawals of 80 from 100, each of which reads before it writes. */
function naive(sessions: PostgresSessions, monitor: Client): Program<PostgresSessions, Ports> {
  const withdraw = async ({ load, read, write, pay }: Ports) => {
    await load()
    const balance = await read()
    if (balance < AMOUNT) return
    await write(balance - AMOUNT)
    await pay()
  }
  return {
    setup: async () => {
      await sessions.reset(WORLD)
      return sessions
    },
    ports: (_, task) => {
      const sql = sessions.port(task)
      return {
        load: () => sql.query(LOAD),
        read: async () => {
          const { rows } = await sql.query<{ balance: number }>(READ)
          return Number(rows[0]?.balance)
        },
        write: balance => sql.query(WRITE, [balance]),
        pay: () => sql.query(PAY, [AMOUNT]),
      }
    },
    tasks: [withdraw, withdraw],
    invariant: async () => {
      const { rows } = await monitor.query<{ holds: boolean }>(HOLDS)
      return rows[0]?.holds === true
    },
    blocking: sessions,
  }
}

/** From the moment that a call is made which another task's lock blocks, until that is known. */
async function blockedP50Ms(sessions: PostgresSessions): Promise<number> {
  const tookMs: number[] = []
  for (let count = 0; count < BLOCKS; count += 1) {
    await sessions.reset()
    await sessions.port(0).query('select pg_advisory_lock(1)')
    const startMs = performance.now()
    const waiting = sessions.port(1).query('select pg_advisory_lock(1)')
    waiting.catch(() => undefined)
    if (!(await sessions.blocked(1, new AbortController().signal))) throw new Error('not blocked')
    tookMs.push(performance.now() - startMs)
  }
  await sessions.reset()
  return tookMs.sort((a, b) => a - b)[BLOCKS / 2] ?? NaN
}
