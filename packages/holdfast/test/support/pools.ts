import type { Book } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'

/** Several pools on one database, as several programs would have them. */
export interface Pools {
  readonly databases: readonly Database[]
  readonly stores: readonly PostgresStore[]
  /** One book, seen from every pool. */
  readonly ledgers: (book: Book) => Ledger<PostgresStore>[]
  readonly close: () => Promise<void>
}

export async function openPools(url: string, count: number): Promise<Pools> {
  const databases = await Promise.all(Array.from({ length: count }, () => openPostgres(url)))
  const stores = databases.map(database => new PostgresStore(database))
  return {
    databases,
    stores,
    ledgers: book => stores.map(store => new Ledger({ store, book })),
    close: async () => {
      await Promise.all(databases.map(database => database.close()))
    },
  }
}
