import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ledger, MemoryStore, systemClock, type Store } from 'holdfast'
import { openPglite } from 'holdfast/pglite'
import { migrate, openPostgres, PostgresStore, type Database } from 'holdfast/postgres'
import { startPrivatePostgres } from '../packages/server/src/private-postgres/private-postgres.ts'
import { openByHand } from './by-hand.ts'
import { callsOf } from './calls.ts'
import { load, type Load } from './load.ts'
import { RAW_LIST, RAW_SCHEMA, rawLimit } from './raw-limit.ts'
import { FURTHER, HOT, hotPair, pairOf, preparation, RANDOM, TEN, type Shape } from './shapes.ts'

const BOOK = 'bench'
const BY_HAND_CALLERS = 20
const TYPESCRIPT = fileURLToPath(new URL('../tools/testing/typescript.mjs', import.meta.url))
const SECOND_PROCESS = fileURLToPath(new URL('./second-process.ts', import.meta.url))

/** One row of the table. */
export interface Row extends Load {
  readonly case: string
  readonly shape: string
  readonly callers: number
  /** The rate over that of the ledger written by hand, on the same shape where it was measured. */
  readonly ratio: number
  /** Bytes of the write-ahead log an operation; null where there is no server to ask. */
  readonly walBytes: number | null
}

/** Measures the ledger beside what a team writes by hand, all on one server and in one run. */
export async function benchLedger(durationMs: number, take: (row: Row) => void): Promise<void> {
  const server = await startPrivatePostgres()
  const database = await openPostgres(server.url)
  try {
    const bench = new Bench(database, durationMs, take)
    await bench.byHand(server.url)
    await migrate(database)
    const ledger = await openLedger(new PostgresStore(database))
    for (const shape of [RANDOM, HOT])
      for (const callers of [1, 20, 200, 2_000])
        await bench.ledger('ledger', ledger, shape, callers)
    await bench.twoProcesses(server.url, 1_000)
    for (const shape of [TEN, ...FURTHER]) await bench.ledger('ledger', ledger, shape, 2_000)
    await bench.raw()
    await bench.grow()
    await bench.ledger('ledger, 3M entries', ledger, RANDOM, 2_000)
    await bench.ledger('memory', await openLedger(new MemoryStore(systemClock)), RANDOM, 2_000)
    await bench.pglite()
  } finally {
    await database.close()
    await server.stop()
  }
}

async function openLedger(store: Store): Promise<Ledger> {
  const ledger = new Ledger({ store, book: BOOK })
  await ledger.apply(preparation())
  return ledger
}

class Bench {
  readonly #database: Database
  readonly #durationMs: number
  readonly #take: (row: Row) => void
  readonly #byHand = new Map<string, number>()

  constructor(database: Database, durationMs: number, take: (row: Row) => void) {
    this.#database = database
    this.#durationMs = durationMs
    this.#take = take
  }

  async byHand(url: string): Promise<void> {
    const byHand = await openByHand(url)
    let count = 0
    for (const [shape, pair] of [
      [RANDOM, () => pairOf(1_000)],
      [HOT, hotPair],
      [TEN, () => pairOf(10)],
    ] as const) {
      for (const callers of [1, BY_HAND_CALLERS]) {
        const call = () => byHand.pay(`hand-${(count += 1)}`, ...pair())
        const found = await this.#measure(() => load(callers, this.#durationMs, call))
        if (callers === BY_HAND_CALLERS) this.#byHand.set(shape.name, found.rate)
        this.#row('by hand', shape, callers, found)
      }
    }
    await byHand.close()
  }

  async ledger(name: string, ledger: Ledger, shape: Shape, callers: number): Promise<void> {
    const calls = callsOf(ledger, shape)
    this.#row(
      name,
      shape,
      callers,
      await this.#measure(() => load(callers, this.#durationMs, calls)),
    )
  }

  /** The sum of two processes, each with half of the callers. */
  async twoProcesses(url: string, callersEach: number): Promise<void> {
    const args = [
      '--import',
      TYPESCRIPT,
      SECOND_PROCESS,
      url,
      String(callersEach),
      String(this.#durationMs),
    ]
    const run = async () => {
      const { stdout } = await promisify(execFile)(process.execPath, args)
      return JSON.parse(stdout) as Load
    }
    const found = await this.#measure(async () => {
      const [one, other] = await Promise.all([run(), run()])
      return { ...one, rate: one.rate + other.rate }
    })
    this.#row('ledger, 2 processes', RANDOM, 2 * callersEach, found)
  }

  async raw(): Promise<void> {
    await migrate(this.#database, RAW_SCHEMA)
    await this.#database.exec(`insert into ${RAW_SCHEMA}.account
      select * from holdfast.account where book = '${BOOK}'`)
    const list = rawLimit(this.#database)
    const found = await this.#measure(() => load(1, this.#durationMs, list))
    const walBytes = found.walBytes === null ? null : Math.round(found.walBytes / RAW_LIST)
    this.#row('raw limit', RANDOM, RAW_LIST, { ...found, rate: found.rate * RAW_LIST, walBytes })
  }

  /** Puts three million further entries, with their movements, into the book. */
  async grow(): Promise<void> {
    await this.#database.exec(`
      insert into holdfast.movement
        (book, key, part, kind, legs, moved, recorded, seq, transaction)
      select '${BOOK}', 'old-' || n, 0, 'transfer', '[]', '{}', now(),
        nextval('holdfast.movement_seq'), 3
      from generate_series(1, 1500000) n;
      insert into holdfast.entry (book, account, version, key, part, posted, held, recorded)
      select '${BOOK}', 'old-' || n % 1000, 1 + n / 1000, 'old-' || n / 2, 0, 0, 0, now()
      from generate_series(0, 2999999) n`)
  }

  async pglite(): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
    const database = await openPglite(join(folder, 'books'))
    try {
      await migrate(database)
      await this.ledger('embedded', await openLedger(new PostgresStore(database)), RANDOM, 2_000)
    } finally {
      await database.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }

  async #measure(run: () => Promise<Load>): Promise<Load & { walBytes: number | null }> {
    await this.#database.exec('checkpoint')
    const before = await this.#wal()
    const found = await run()
    const written = (await this.#wal()) - before
    // The warm-up second writes too.
    const operations = (found.rate * (this.#durationMs + 1_000)) / 1_000
    return { ...found, walBytes: operations > 0 ? Math.round(written / operations) : null }
  }

  async #wal(): Promise<number> {
    const { rows } = await this.#database.query(
      `select (pg_current_wal_lsn() - '0/0')::text as bytes`,
    )
    return Number(rows[0]?.['bytes'])
  }

  #row(
    name: string,
    shape: Shape,
    callers: number,
    found: Load & { walBytes: number | null },
  ): void {
    const byHand = this.#byHand.get(shape.name) ?? this.#byHand.get(RANDOM.name) ?? found.rate
    const walBytes = ['memory', 'embedded'].includes(name) ? null : found.walBytes
    this.#take({
      case: name,
      shape: shape.name,
      callers,
      ...found,
      walBytes,
      ratio: found.rate / byHand,
    })
  }
}
