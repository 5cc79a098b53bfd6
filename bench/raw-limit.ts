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
    const movements: unknown[][] = []
    const entries: unknown[][] = []
    for (let index = 0; index < LIST; index += 1) {
      const pair = pairOf(1_000)
      const key = `raw-${lists}-${index}`
      const [from, to] = pair
      const legs = [{ from: [from], to, asset: 'EUR/2', amount: '1', atLeast: '1' }]
      movements.push([key, JSON.stringify(legs), lists * LIST + index])
      for (const id of pair) {
        versions.set(id, (versions.get(id) ?? 1) + 1)
        entries.push([id, versions.get(id), key])
      }
    }
    const touched = [...new Set(entries.map(([id]) => id))].map(id => [
      id,
      versions.get(String(id)),
    ])
    await database.transaction(async tx => {
      await tx.query(INSERT_MOVEMENTS, [JSON.stringify(movements)])
      await tx.query(INSERT_ENTRIES, [JSON.stringify(entries)])
      await tx.query(UPDATE_ACCOUNTS, [JSON.stringify(touched)])
    })
  }
}

/** The schema that the rows of the raw limit lie in: that of the ledger, under another name. */
export { SCHEMA as RAW_SCHEMA, LIST as RAW_LIST }

const INSERT_MOVEMENTS = `insert into ${SCHEMA}.movement
  (book, key, part, kind, legs, moved, recorded, seq, transaction)
  select 'bench', x->>0, 0, 'transfer', (x->>1)::json, '{1}', now(), (x->>2)::bigint, 1000
  from jsonb_array_elements($1::text::jsonb) x`
const INSERT_ENTRIES = `insert into ${SCHEMA}.entry
  (book, account, version, key, part, posted, held, recorded)
  select 'bench', x->>0, (x->>1)::bigint, x->>2, 0, 1, 0, now()
  from jsonb_array_elements($1::text::jsonb) x`
const UPDATE_ACCOUNTS = `update ${SCHEMA}.account known
  set posted = posted + 1, version = (x->>1)::bigint, recorded = now()
  from jsonb_array_elements($1::text::jsonb) x
  where known.book = 'bench' and known.id = x->>0`
