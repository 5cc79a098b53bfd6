// A row of the caller's and a movement commit together, or not at all: with pg.
import { Ledger } from 'holdfast'
import { postgresDatabase, PostgresStore } from 'holdfast/postgres'
import pg from 'pg'
import { leg, prepare, show, url } from './books.ts'

await prepare()
const pool = new pg.Pool({ connectionString: url })
const ledger = new Ledger({ store: new PostgresStore(postgresDatabase(pool)), book: 'shop' })

async function buy(id: string, amount: bigint): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('insert into purchase values ($1, $2)', [id, 'a lamp'])
    const [outcome] = await ledger
      .within(client)
      .apply([{ do: 'transfer', key: id, legs: [leg('user:42', 'seller:7', amount)] }])
    // A refusal is a value: whether the caller's rows stand without the money is the caller's to say.
    if (outcome?.ok) await client.query('commit')
    else await client.query('rollback')
    console.log(id, outcome?.ok ? 'committed' : `rolled back: ${outcome?.refusal.code}`)
  } finally {
    client.release()
  }
}

await buy('purchase-1', 6_000n)
await show('after one')
await buy('purchase-2', 6_000n)
await show('after two')
await pool.end()
