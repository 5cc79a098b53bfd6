import { once } from 'node:events'
import fc from 'fast-check'
import type { Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { toWireJson } from '../../src/ledger/wire.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { movingCommands } from './random-commands.ts'

// A program of its own: URL BOOK SEED COUNT CALLERS. Says ready, waits for a line, sends random
// commands from several callers, and prints each with its answer and when it was sent and answered,
// by the clock of the machine that all processes share.
const KEYS = 60
const [url = '', book = '', seed = '', count = '', callers = ''] = process.argv.slice(2)
const database = await openPostgres(url)
const ledger = new Ledger({ store: new PostgresStore(database), book })
const commands: Command[] = fc.sample(movingCommands(KEYS), {
  seed: Number(seed),
  numRuns: Number(count),
})
await ledger.account('a')
console.log('ready')
await once(process.stdin, 'data')
const next = commands.values()
await Promise.all(
  Array.from({ length: Number(callers) }, async () => {
    for (const command of next) {
      const start = process.hrtime.bigint()
      const outcome = await ledger.submit(command)
      console.log(toWireJson({ command, outcome, start, end: process.hrtime.bigint() }))
    }
  }),
)
await database.close()
process.stdin.destroy()
