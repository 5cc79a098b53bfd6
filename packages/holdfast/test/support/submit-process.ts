import { once } from 'node:events'
import { Ledger } from '../../src/ledger/ledger.ts'
import { decodeCommand } from '../../src/ledger/wire.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'

// A program of its own: URL BOOK COMMANDS. Says ready, waits for a line, submits all commands at
// once, and prints the code of each outcome.
const [url = '', book = '', commands = '[]'] = process.argv.slice(2)
const database = await openPostgres(url)
const ledger = new Ledger({ store: new PostgresStore(database), book })
await ledger.account('a')
console.log('ready')
await once(process.stdin, 'data')
const outcomes = await Promise.all(
  (JSON.parse(commands) as unknown[]).map(command => ledger.submit(decodeCommand(command))),
)
for (const outcome of outcomes)
  console.log(outcome.ok ? (outcome.replayed ? 'replayed' : 'ok') : outcome.refusal.code)
await database.close()
process.stdin.destroy()
