// A process of its own that loads a ledger on a Postgres server, and prints what came of it.
import { Ledger } from 'holdfast'
import { openPostgres, PostgresStore } from 'holdfast/postgres'
import { callsOf } from './calls.ts'
import { load } from './load.ts'
import { RANDOM } from './shapes.ts'

const [url = '', callers = '', durationMs = ''] = process.argv.slice(2)
const database = await openPostgres(url)
const ledger = new Ledger({ store: new PostgresStore(database), book: 'bench' })
console.log(
  JSON.stringify(await load(Number(callers), Number(durationMs), callsOf(ledger, RANDOM))),
)
await database.close()
