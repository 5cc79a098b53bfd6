import { readFileSync } from 'node:fs'
import pg from 'pg'

const CONNECTIONS = 20
const SQL = new URL('./by-hand.sql', import.meta.url)

/** The ledger that is written by hand, on connections of its own. */
export interface ByHand {
  pay(key: string, giver: string, taker: string): Promise<void>
  close(): Promise<void>
}

/** Makes its tables and accounts. */
export async function openByHand(url: string): Promise<ByHand> {
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS })
  await pool.query(readFileSync(SQL, 'utf8'))
  await pool.query(`insert into by_hand.account (id, balance)
    select 'a' || n, 1000000000000 from generate_series(0, 999) n union all select 'hot', 1000000000000`)
  await pool.query('vacuum analyze by_hand.account')
  return {
    async pay(key, giver, taker) {
      const text = 'select by_hand.pay($1, $2, $3, 1)'
      await pool.query({ name: 'pay', text, values: [key, giver, taker] })
    },
    close: () => pool.end(),
  }
}
