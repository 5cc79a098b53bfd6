import { createClient } from 'redis'
import { freshEmbedded } from '#testing/pglite.ts'
import { testRedis } from '#testing/redis.ts'
import { addMs } from '../../src/instant.ts'
import type { Book, Command } from '../../src/ledger/command.ts'
import type { Outcome } from '../../src/ledger/outcome.ts'
import type { Store } from '../../src/ledger/store.ts'
import { AMOUNT_MAX } from '../../src/money/amount.ts'
import { MemoryStore } from '../../src/stores/memory/memory-store.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { grantRuntime, migrate } from '../../src/stores/postgres/migrate.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { DEFAULT_SCHEMA } from '../../src/stores/postgres/sql.ts'
import { REDIS_BALANCE_MAX, RedisStore } from '../../src/stores/redis/redis-store.ts'
import { ManualClock } from './clock.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { createRole, migratedDatabase } from './postgres.ts'
import type { StoreMaker, Subject } from './subject.ts'
import { clockAt } from './waiting.ts'

export const MEMORY: StoreMaker = {
  name: 'memory',
  balanceMax: AMOUNT_MAX,
  vectors: { inOneList: 1, oneByOne: 1 },
  deadlines: true,
  make: () => makeMemory(AMOUNT_MAX),
}

function makeMemory(balanceMax: bigint): Promise<Subject> {
  const clock = new ManualClock()
  const passTime = (ms: number) => {
    clock.pass(ms)
    return Promise.resolve()
  }
  const close = () => Promise.resolve()
  return Promise.resolve({ store: new MemoryStore(clock, balanceMax), passTime, close })
}

export const PGLITE: StoreMaker = {
  name: 'PGlite',
  balanceMax: AMOUNT_MAX,
  vectors: { inOneList: 4, oneByOne: 16 },
  deadlines: true,
  async make() {
    const database = await freshEmbedded()
    await migrate(database)
    return subject(new PostgresStore(database), () => database.close())
  },
}

export const POSTGRES: StoreMaker = {
  name: 'Postgres',
  balanceMax: AMOUNT_MAX,
  vectors: { inOneList: 1, oneByOne: 4 },
  deadlines: true,
  async make() {
    const { database, close } = await migratedDatabase()
    return subject(new PostgresStore(database), close)
  },
}

class WithinStore extends PostgresStore {
  readonly #database: Database

  constructor(database: Database, schema: string) {
    super(database, schema)
    this.#database = database
  }

  override apply(book: Book, commands: readonly Command[]): Promise<Outcome[]> {
    return this.#database.transaction(tx => this.applyWithin(tx, book, commands))
  }
}

/** A schema of another name, and every list inside a transaction of the caller's. */
const WITHIN: StoreMaker = {
  name: 'Postgres, within a transaction',
  balanceMax: AMOUNT_MAX,
  vectors: { inOneList: 4, oneByOne: 16 },
  deadlines: false,
  async make() {
    const schema = 'money_2'
    const { database, close } = await migratedDatabase(schema)
    return subject(new WithinStore(database, schema), close)
  },
}

/** As the role that a program runs as, which may change no movement and no entry. */
const AS_RUNTIME_ROLE: StoreMaker = {
  name: 'Postgres, as the runtime role',
  balanceMax: AMOUNT_MAX,
  vectors: { inOneList: 4, oneByOne: 16 },
  deadlines: true,
  async make() {
    const owner = await migratedDatabase()
    const role = await createRole(owner)
    await grantRuntime(owner.database, DEFAULT_SCHEMA, role.name)
    const database = await openPostgres(role.url)
    return subject(new PostgresStore(database), async () => {
      await database.close()
      await role.drop()
      await owner.close()
    })
  },
}

/** Through a pooler that lends a session for one transaction, first alone and then within one. */
export const THROUGH_PGBOUNCER: readonly StoreMaker[] = [PostgresStore, WithinStore].map(Store => ({
  name: Store === WithinStore ? 'pgbouncer, within a transaction' : 'pgbouncer',
  balanceMax: AMOUNT_MAX,
  vectors: { inOneList: 4, oneByOne: 16 },
  deadlines: Store !== WithinStore,
  async make() {
    const direct = await migratedDatabase()
    const pgbouncer = await startPgbouncer(direct.url)
    const database = await openPostgres(pgbouncer.url)
    return subject(new Store(database, DEFAULT_SCHEMA), async () => {
      await database.close()
      await pgbouncer.close()
      await direct.close()
    })
  },
}))

/** The model, with the limit of a store whose numbers are doubles. */
export const MEMORY_OF_DOUBLES: StoreMaker = {
  ...MEMORY,
  name: 'memory, of doubles',
  balanceMax: REDIS_BALANCE_MAX,
  make: () => makeMemory(REDIS_BALANCE_MAX),
}

export const REDIS: StoreMaker = {
  name: 'Redis',
  balanceMax: REDIS_BALANCE_MAX,
  vectors: { inOneList: 1, oneByOne: 4 },
  deadlines: true,
  async make() {
    const server = await testRedis()
    const client = await createClient({ url: server.url }).connect()
    return subject(await RedisStore.open({ client, mayForget: true }), async () => {
      client.destroy()
      await server.remove()
    })
  },
}

/** Every way to a database that there is on every machine. */
export const DATABASES: readonly StoreMaker[] = [PGLITE, POSTGRES, WITHIN, AS_RUNTIME_ROLE]

/** How many ms of the store's clock pass is asked of this book's. */
const ANY_BOOK = 'any'

/** A store under test, whose own clock passes by itself. */
export function subject(store: Store, close: () => Promise<void>): Subject {
  return {
    store,
    close,
    async passTime(ms) {
      await clockAt(store, ANY_BOOK, addMs(await store.now(ANY_BOOK), ms))
    },
  }
}
