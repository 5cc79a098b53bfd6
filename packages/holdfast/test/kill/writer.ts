import { leg, transfer } from '../support/commands.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'

// A program of its own: URL BOOK ROUND CALLERS. Moves one unit at a time until it is killed, and
// prints each key once it has been acknowledged.
const [url = '', book = '', round = '', callers = ''] = process.argv.slice(2)
const database = await openPostgres(url)
const ledger = new Ledger({ store: new PostgresStore(database), book })
await Promise.all(
  Array.from({ length: Number(callers) }, async (_, caller) => {
    for (let count = 0; count < 1_000_000; count += 1) {
      const key = `${round}-${caller}-${count}`
      const outcome = await ledger.submit(transfer(key, leg('w', 'a', 1n)))
      if (!outcome.ok) throw new Error(outcome.refusal.code)
      console.log(key)
    }
  }),
)
