// What the three programs share: a migrated schema, two accounts, and a table of the caller's own.
import { Ledger } from 'holdfast'
import { migrate, openPostgres, PostgresStore } from 'holdfast/postgres'

export const url: string = process.env['DATABASE_URL'] ?? 'postgres://localhost/postgres'

/** Makes everything afresh, so that each program begins with 100.00 EUR. */
export async function prepare(): Promise<void> {
  const database = await openPostgres(url)
  await database.exec('drop schema if exists holdfast cascade; drop table if exists purchase')
  await migrate(database)
  await database.exec('create table purchase (id text primary key, article text not null)')
  await new Ledger({ store: new PostgresStore(database), book: 'shop' }).apply([
    { do: 'open', account: 'world', asset: 'EUR/2', floor: null },
    { do: 'open', account: 'user:42', asset: 'EUR/2', floor: 0n },
    { do: 'open', account: 'seller:7', asset: 'EUR/2', floor: 0n },
    { do: 'transfer', key: 'fund', legs: [leg('world', 'user:42', 10_000n)] },
  ])
  await database.close()
}

export function leg(from: string, to: string, amount: bigint) {
  return { from, to, asset: 'EUR/2', amount }
}

/** Prints what stands in the caller's table and in the books. */
export async function show(when: string): Promise<void> {
  const database = await openPostgres(url)
  const { rows } = await database.query('select id from purchase order by id')
  const ledger = new Ledger({ store: new PostgresStore(database), book: 'shop' })
  const account = await ledger.account('user:42')
  console.log(
    `${when}: purchases ${rows.map(row => String(row['id'])).join(', ') || 'none'}; user:42 has ${account?.posted}`,
  )
  await database.close()
}
