// Says what stands in the database, then commits pairs of rows for ever and says so after each.
import { writeSync } from 'node:fs'
import { openPglite } from '../../src/stores/postgres/pglite/open-pglite.ts'

const [folder = ''] = process.argv.slice(2)
const database = await openPglite(folder)
await database.exec('create table if not exists pair (id bigint, half text)')
const { rows } = await database.query(
  'select count(*) as halves, coalesce(max(id), 0) as last from pair',
)
writeSync(1, `found ${String(rows[0]?.['halves'])} halves to ${String(rows[0]?.['last'])}\n`)
for (let id = BigInt(String(rows[0]?.['last'])) + 1n; ; id += 1n) {
  await database.transaction(async tx => {
    await tx.query('insert into pair values ($1, $2)', [id, 'left'])
    await tx.query('insert into pair values ($1, $2)', [id, 'right'])
  })
  writeSync(1, `committed ${id}\n`)
}
