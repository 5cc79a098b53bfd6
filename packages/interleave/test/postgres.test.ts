import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase, type FreshDatabase } from '#testing/database.ts'
import { createLock, explore, replay, type Program, type View } from '../src/index.ts'
import type { PostgresPort, PostgresSessions } from '../src/postgres.ts'
import { openConnections, postgresShop, SCHEMA, type Connections } from './postgres-shop.ts'
import { lockReadAndWrite, naive, reserve, shop } from './programs.ts'
import { TABLE } from './table.ts'

let database: FreshDatabase
let connections: Connections

/** A deadlock that Postgres itself had to find would take longer than the test may. */
beforeAll(async () => {
  database = await freshDatabase()
  connections = await openConnections(database.url, 2, 'deadlock_timeout=120s')
  await connections.monitor.query(SCHEMA)
  await connections.monitor.query('create table row (id int primary key, value int not null)')
  await connections.monitor.query('insert into row values (1, 0), (2, 0), (3, 0)')
})
afterAll(async () => {
  await connections.close()
  await database.drop()
})

describe('orders and how many of them lose money on Postgres', () => {
  const pairs = TABLE.filter(({ copies }) => copies === 2)
  test.each(pairs)('$name', async ({ withdraw, orders, violations }) => {
    const report = await explore(postgresShop(connections, withdraw, withdraw))
    const seen = { orders, violations, deadlocks: 0n, errors: 0n, exhaustive: true }
    expect(report).toMatchObject(seen)
  })

  test('a schedule is replayed, and one that waits for a lock is refused', async () => {
    const order = await replay(postgresShop(connections, naive, naive), 'AABBBBAA')
    expect(order).toMatchObject({ wrong: 'violation', switches: 2 })
    const locked = postgresShop(connections, lockReadAndWrite, lockReadAndWrite)
    await expect(replay(locked, 'AABB')).rejects.toMatchObject({ name: 'Nondeterminism', step: 4 })
  })
})

/** Tasks over one connection each, with whatever world there is. */
function sessionsProgram(
  tasks: Program<PostgresSessions, PostgresPort>['tasks'],
): Program<PostgresSessions, PostgresPort> {
  const { sessions } = connections
  return {
    setup: async () => {
      await sessions.reset()
      return sessions
    },
    ports: (_, task) => sessions.port(task),
    tasks,
    invariant: () => true,
    blocking: sessions,
  }
}

describe('a call that waits', () => {
  const inTransaction = (first: number, second: number) => async (sql: View<PostgresPort>) => {
    await sql.query('begin')
    await sql.query('update row set value = value + 1 where id = $1', [first])
    await sql.query('update row set value = value + 1 where id = $1', [second])
    await sql.query('commit')
  }

  test('for a row of another transaction is not enabled; where all do, it is a deadlock', async () => {
    const program = sessionsProgram([inTransaction(1, 2), inTransaction(2, 1)])
    const report = await explore(program)
    // The same in memory, where a lock is a row, and a commit lets go of both at once.
    const portsOf = ({ rows }: { rows: ReturnType<typeof createLock>[] }) => ({
      begin: () => undefined,
      update: rows.map(({ lock }) => lock),
      commit: () => {
        for (const { unlock } of rows) unlock()
      },
    })
    const inMemory =
      (first: number, second: number) => async (ports: View<ReturnType<typeof portsOf>>) => {
        await ports.begin()
        await ports.update[first]?.()
        await ports.update[second]?.()
        await ports.commit()
      }
    const model = await explore({
      setup: () => ({ rows: [createLock(), createLock()] }),
      ports: portsOf,
      tasks: [inMemory(0, 1), inMemory(1, 0)],
      invariant: () => true,
    })
    expect(model.deadlocks).toBeGreaterThan(0n)
    expect(report).toMatchObject({
      orders: model.orders,
      deadlocks: model.deadlocks,
      errors: 0n,
      violations: 0n,
      exhaustive: true,
    })
    expect(report.shortest?.schedule).toBe(model.shortest?.schedule)
  })

  test('long, but for nobody, is only slow', async () => {
    const slow = async (sql: View<PostgresPort>) => {
      await sql.query('select pg_sleep(0.05)::text')
    }
    const report = await explore(sessionsProgram([slow, slow]))
    expect(report).toMatchObject({ orders: 2n, deadlocks: 0n, errors: 0n, runs: 2 })
  })

  test('is cancelled by a reset, and its port is of no use any more', async () => {
    const { sessions } = connections
    await sessions.reset()
    const port = sessions.port(0)
    const slow = port.query('select pg_sleep(100)::text').catch((error: unknown) => error)
    await sessions.reset()
    expect(await slow).toMatchObject({ code: '57014' })
    await expect(port.query('select 1')).rejects.toThrow('has been given up')
  })

  test('leaves nothing behind for the next run', async () => {
    const locks = async (sql: View<PostgresPort>) => {
      await sql.query('select pg_advisory_lock(7)::text')
      await sql.query('begin')
      await sql.query('update row set value = 9 where id = 3')
    }
    const report = await explore(sessionsProgram([locks, locks]))
    // The second waits for ever for a lock that the first keeps.
    expect(report).toMatchObject({ orders: 2n, deadlocks: 2n })
    await connections.sessions.reset()
    const { rows } = await connections.monitor.query<{ value: number; locks: string }>(
      `select value, (select count(*) from pg_locks where locktype = 'advisory') as locks
       from row where id = 3`,
    )
    expect(rows[0]).toEqual({ value: 0, locks: '0' })
  })
})

describe('two to five withdrawals of any amount, in hundreds of orders drawn by chance', () => {
  const ORDERS = 200
  let many: Connections
  beforeAll(async () => {
    many = await openConnections(database.url, 5)
  })
  afterAll(() => many.close())

  const reserved =
    (amount: bigint): typeof reserve =>
    async ({ account, bank }) => {
      await account.load()
      if (!(await account.reserve(amount))) return
      await bank.pay(amount)
      await account.settle(amount)
    }
  const checked =
    (amount: bigint): typeof reserve =>
    async ({ account, bank }) => {
      await account.load()
      const balance = await account.read()
      if (balance < amount) return
      await account.write(balance - amount)
      await bank.pay(amount)
    }
  const AMOUNTS = [
    [80n, 80n],
    [50n, 30n, 70n],
    [99n, 1n, 1n, 60n],
    [40n, 40n, 40n, 40n, 5n],
  ]

  test('lose nothing with an atomic reserve, and lose without', { timeout: 120_000 }, async () => {
    let lost = 0n
    for (const [seed, amounts] of AMOUNTS.entries()) {
      const draw = { random: { seed }, bounds: { orders: ORDERS } }
      const program = postgresShop(many, ...amounts.map(reserved))
      expect(await explore({ ...program, ...draw })).toMatchObject({ holds: true, orders: 200n })
      lost += (await explore({ ...shop(...amounts.map(checked)), ...draw })).violations
      const naively = postgresShop(many, ...amounts.map(checked))
      const report = await explore({ ...naively, ...draw, bounds: { orders: ORDERS / 4 } })
      expect(report.violations).toBeGreaterThan(0n)
    }
    expect(lost).toBeGreaterThan(0n)
  })
})
