import type { Database } from 'holdfast/postgres'
import { pairOf } from './shapes.ts'

const LIST = 1_000
const SCHEMA = 'raw_limit'

/**
 * The rows that a list of transfers leaves, written with nothing looked up and nothing checked: two
 * inserts, and one update an account. Nothing that keeps the same rows can be faster.
 */
export function rawLimit(database: Database): () => Promise<void> {
  const versions = new Map<string, number>()
  let lists = 0
  return async () => {
    lists += 1
    const keys: string[] = []
    const legs: string[] = []
    const entries = { accounts: [] as string[], versions: [] as number[], keys: [] as string[] }
    for (let index = 0; index < LIST; index += 1) {
      const [from, to] = pairOf(1_000)
      const key = `raw-${lists}-${index}`
      keys.push(key)
      legs.push(JSON.stringify([{ from: [from], to, asset: 'EUR/2', amount: '1', atLeast: '1' }]))
      for (const id of [from, to]) {
        const version = (versions.get(id) ?? 1) + 1
        versions.set(id, version)
        entries.accounts.push(id)
        entries.versions.push(version)
        entries.keys.push(key)
      }
    }
    const touched = [...new Set(entries.accounts)]
    await database.transaction(async tx => {
      await tx.query(INSERT_MOVEMENTS, [keys, legs, lists * LIST])
      await tx.query(INSERT_ENTRIES, [entries.accounts, entries.versions, entries.keys])
      await tx.query(UPDATE_ACCOUNTS, [touched, touched.map(id => versions.get(id))])
    })
  }
}

/** The schema that the rows of the raw limit lie in: that of the ledger, under another name. */
export { SCHEMA as RAW_SCHEMA, LIST as RAW_LIST }

const INSERT_MOVEMENTS = `insert into ${SCHEMA}.movement
  (book, key, part, kind, legs, moved, recorded, seq, transaction)
  select 'bench', x.key, 0, 'transfer', x.legs::json, '{1}', now(), $3::bigint + x.n, 1000
  from unnest($1::text[], $2::text[]) with ordinality x(key, legs, n)`
const INSERT_ENTRIES = `insert into ${SCHEMA}.entry
  (book, account, version, key, part, posted, held, recorded)
  select 'bench', x.account, x.version, x.key, 0, 1, 0, now()
  from unnest($1::text[], $2::bigint[], $3::text[]) x(account, version, key)`
const UPDATE_ACCOUNTS = `update ${SCHEMA}.account known
  set posted = posted + 1, version = x.version, recorded = now()
  from unnest($1::text[], $2::bigint[]) x(id, version)
  where known.book = 'bench' and known.id = x.id`
