import { Ledger } from '../../src/ledger/ledger.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { moveAndPrint } from '../support/moving.ts'

// A program of its own: URL BOOK ROUND CALLERS. Moves one unit at a time until it is killed, and
// prints each key once it has been acknowledged.
const [url = '', book = '', round = '', callers = ''] = process.argv.slice(2)
const database = await openPostgres(url)
const ledger = new Ledger({ store: new PostgresStore(database), book })
await moveAndPrint(ledger, round, Number(callers))
