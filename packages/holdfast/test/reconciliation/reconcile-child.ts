// Takes a statement and reconciles it once it is told to; prints what came of it.
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { takeStatementFile } from '../../src/statements/intake.ts'
import { fileOfBytes } from './statement-file.ts'
import { World } from './world.ts'

const [url = '', book = '', path = ''] = process.argv.slice(2)
const database = await openPostgres(url)
const world = new World(database, book)
const file = fileOfBytes(readFileSync(path, 'utf8'))
process.stdout.write('ready\n')
await once(process.stdin, 'data')
process.stdin.destroy()
const account = { book, bank: world.bank.name, account: null, currency: 'EUR' }
const taken = await takeStatementFile(file, account, world.staging)
if (!taken.ok) throw new Error(taken.refusal.message)
process.stdout.write('taken\n')
const report = await world.reconcile([taken.intake], { final: true })
const encoded = JSON.stringify(report, (_, value: unknown) =>
  typeof value === 'bigint' ? String(value) : value,
)
process.stdout.write(`${JSON.stringify({ taken: taken.taken, report: encoded })}\n`)
await database.close()
