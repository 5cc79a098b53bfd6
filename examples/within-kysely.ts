// A row of the caller's and a movement commit together, or not at all: with Kysely.
import { Ledger, type Transaction as LedgerTransaction } from 'holdfast'
import { postgresDatabase, PostgresStore } from 'holdfast/postgres'
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { leg, prepare, show, url } from './books.ts'

interface Tables {
  purchase: { id: string; article: string }
}

await prepare()
const pool = new pg.Pool({ connectionString: url })
const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
const ledger = new Ledger({ store: new PostgresStore(postgresDatabase(pool)), book: 'shop' })

/** A transaction of Kysely as the ledger takes it. */
function transactionOf(tx: Transaction<Tables>): LedgerTransaction {
  return {
    query: (text, values = []) =>
      tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)),
  }
}

async function buy(id: string, amount: bigint): Promise<void> {
  const done = kysely.transaction().execute(async tx => {
    await tx.insertInto('purchase').values({ id, article: 'a lamp' }).execute()
    const [outcome] = await ledger
      .within(transactionOf(tx))
      .apply([{ do: 'transfer', key: id, legs: [leg('user:42', 'seller:7', amount)] }])
    // Kysely rolls back what throws.
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
await kysely.destroy()
