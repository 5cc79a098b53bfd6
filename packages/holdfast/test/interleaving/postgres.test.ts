import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { explore, formatReport, type Report, type Task } from '../../../interleave/src/index.ts'
import { systemClock } from '../../src/instant.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/ledger/store.ts'
import type { Gateway } from '../../src/payouts/gateway.ts'
import { Payouts } from '../../src/payouts/payouts.ts'
import type { PayoutRepository } from '../../src/payouts/repository.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresPayouts } from '../../src/stores/postgres/payouts/postgres-payouts.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { ModelBank } from '../payouts/model-bank.ts'
import { leg, open, transfer } from '../support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { rounds } from '#testing/rounds.ts'
import { aRequest } from './process.ts'
import { replacing } from './timed.ts'
import { failLoudly, FUNDS, ONE, SLEEPS_NOT } from './world.ts'

const ORDERS = rounds({ usual: 25, long: 1_000 })
const HALF = 50n

/** Each call is one statement, which has ended before the next step begins: none waits for another. */
interface Ports {
  readonly rows: PayoutRepository
  readonly store: Store
  readonly bank: Gateway
}

/** A book of its own, and a bank without keys, which pays whatever it is sent. */
interface World {
  readonly book: string
  readonly bank: ModelBank
}

let server: PostgresDatabase
/** One for each task. */
let databases: readonly Database[]
beforeAll(async () => {
  server = await migratedDatabase()
  databases = await Promise.all([openPostgres(server.url), openPostgres(server.url)])
})
afterAll(async () => {
  await Promise.all(databases.map(each => each.close()))
  await server.close()
})

function payoutsOf(book: string, { rows, store, bank }: Ports): Payouts {
  const timer = { ...SLEEPS_NOT, elapsedMs: () => performance.now() }
  const ledger = new Ledger({ store, book, timer })
  return new Payouts({
    book,
    repository: rows,
    ledger,
    gateways: [bank],
    clock: systemClock,
    timer,
  })
}

function portsOf({ bank }: World, database: Database): Ports {
  return { rows: new PostgresPayouts(database), store: new PostgresStore(database), bank }
}

let book = ''

async function setup(): Promise<World> {
  book = `book-${randomBytes(6).toString('hex')}`
  const store = new PostgresStore(server.database)
  const outcomes = await new Ledger({ store, book }).apply([
    open('world', null),
    open('seller:1'),
    open('clearing:bank', null),
    transfer('funds', leg('world', 'seller:1', FUNDS)),
  ])
  expect(outcomes.every(({ ok }) => ok)).toBe(true)
  return { book, bank: new ModelBank({ idempotency: false }) }
}

async function approved(): Promise<World> {
  const world = await setup()
  const payouts = payoutsOf(world.book, portsOf(world, server.database))
  const requested = await payouts.request(aRequest('one', { amount: HALF }))
  if (requested.ok) await payouts.approve([requested.payout.id])
  return world
}

function withdraw(key: string): Task<Ports> {
  return async ports => {
    const payouts = payoutsOf(book, ports)
    const result = await payouts.request(aRequest(key, { amount: HALF }))
    if (!result.ok || result.payout.status !== 'pending') return
    await payouts.approve([result.payout.id])
    failLoudly(await payouts.payBatch(ONE))
  }
}

const pay: Task<Ports> = async ports => {
  failLoudly(await payoutsOf(book, ports).payBatch(ONE))
}

function run(
  start: () => Promise<World>,
  tasks: readonly Task<Ports>[],
  spoilt: (ports: Ports, database: Database) => Ports = ports => ports,
): Promise<Report> {
  return explore({
    setup: start,
    ports: (world, task) => {
      const database = databases[task] ?? server.database
      return spoilt(portsOf(world, database), database)
    },
    tasks,
    random: { seed: 1 },
    bounds: { orders: ORDERS },
    invariant: async ({ bank, book: own }) => {
      const store = new PostgresStore(server.database)
      const seller = await store.account(own, 'seller:1')
      const clearing = await store.account(own, 'clearing:bank')
      const isBooked = seller?.posted === FUNDS - HALF && clearing?.posted === HALF
      return bank.payments.length === 1 && isBooked && seller.held === 0n
    },
  })
}

/** Moves a row and starts an attempt whoever asks, as if it had been read just before. */
function whoeverAsks(ports: Ports, database: Database): Ports {
  const now = async (id: string) => {
    const { rows } = await database.query(
      'select status, hold_end, lease_token from holdfast.payout where book = $1 and id = $2',
      [book, id],
    )
    return rows[0] ?? {}
  }
  const { rows } = ports
  return {
    ...ports,
    rows: replacing(rows, {
      async move(own, moves) {
        const forced = moves.map(async move => ({
          ...move,
          from: (await now(move.id))['status'] as typeof move.from,
          holdEnd: (await now(move.id))['hold_end'] as typeof move.holdEnd,
          token: null,
        }))
        return rows.move(own, await Promise.all(forced))
      },
      async startAttempt(own, id, _, sendWithinMs) {
        const token = BigInt(String((await now(id))['lease_token']))
        return rows.startAttempt(own, id, token, sendWithinMs)
      },
    }),
  }
}

describe('on Postgres, a connection for each task, in orders drawn by chance', () => {
  test('two workers pay one payout once', async () => {
    const report = await run(approved, [pay, pay])
    expect(report, formatReport(report)).toMatchObject({ holds: true })
    expect(report.distinct).toBeGreaterThan(1)
  })

  test('the same request twice is paid once', async () => {
    const report = await run(setup, [withdraw('one'), withdraw('one')])
    expect(report, formatReport(report)).toMatchObject({ holds: true })
    expect(report.distinct).toBeGreaterThan(1)
  })

  test('two workers pay it twice where a row moves whoever moves it', async () => {
    expect((await run(approved, [pay, pay], whoeverAsks)).violations).toBeGreaterThan(0n)
  })

  test('a request is paid twice where it comes again under another key', async () => {
    const report = await run(setup, [withdraw('one'), withdraw('two')])
    expect(report.violations).toBeGreaterThan(0n)
  })
})
