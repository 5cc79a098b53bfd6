// A row of the caller's and a movement commit together, or not at all: with Drizzle.
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { pgTable, text } from 'drizzle-orm/pg-core'
import { Ledger, type Transaction as LedgerTransaction } from 'holdfast'
import { postgresDatabase, PostgresStore } from 'holdfast/postgres'
import pg from 'pg'
import { leg, prepare, show, url } from './books.ts'

const purchase = pgTable('purchase', { id: text().primaryKey(), article: text().notNull() })

await prepare()
const pool = new pg.Pool({ connectionString: url })
const database = drizzle({ client: pool })
const ledger = new Ledger({ store: new PostgresStore(postgresDatabase(pool)), book: 'shop' })

type DrizzleTransaction = Parameters<Parameters<typeof database.transaction>[0]>[0]

/** A transaction of Drizzle as the ledger takes it: `$1`, `$2`, ... become its own parameters. */
function transactionOf(tx: DrizzleTransaction): LedgerTransaction {
  return {
    async query(statement, values = []) {
      const parts = statement
        .split(/(\$\d+)/)
        .map(part =>
          /^\$\d+$/.test(part) ? sql`${values[Number(part.slice(1)) - 1]}` : sql.raw(part),
        )
      const { rows } = await tx.execute(sql.join(parts))
      return { rows }
    },
  }
}

async function buy(id: string, amount: bigint): Promise<void> {
  const done = database.transaction(async tx => {
    await tx.insert(purchase).values({ id, article: 'a lamp' })
    const [outcome] = await ledger
      .within(transactionOf(tx))
      .apply([{ do: 'transfer', key: id, legs: [leg('user:42', 'seller:7', amount)] }])
    // Drizzle rolls back what throws.
    if (!outcome?.ok) throw new Error(outcome?.refusal.code)
  })
  await done.then(
    () => {
      console.log(id, 'committed')
    },
    (error: unknown) => {
      console.log(id, `rolled back: ${(error as Error).message}`)
    },
  )
}

await buy('purchase-1', 6_000n)
await show('after one')
await buy('purchase-2', 6_000n)
await show('after two')
await pool.end()
