import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Transaction } from '../../src/ledger/store.ts'

/** A way in which programs run transactions. */
export interface Toolkit {
  readonly name: string
  /** Runs in a transaction of the toolkit, which rolls back what throws. */
  run: <T>(pool: pg.Pool, work: (tx: Transaction) => Promise<T>) => Promise<T>
}

const DIRECT: Toolkit = {
  name: 'pg',
  async run(pool, work) {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const done = await work({ query: (text, values) => client.query(text, values) })
      await client.query('commit')
      return done
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  },
}

const KYSELY: Toolkit = {
  name: 'Kysely',
  run: (pool, work) =>
    new Kysely<object>({ dialect: new PostgresDialect({ pool }) }).transaction().execute(tx =>
      work({
        query: (text, values = []) =>
          tx.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values)),
      }),
    ),
}

const DRIZZLE: Toolkit = {
  name: 'Drizzle',
  run: (pool, work) =>
    drizzle({ client: pool }).transaction(tx =>
      work({
        async query(text, values = []) {
          const parts = text
            .split(/(\$\d+)/)
            .map(part =>
              /^\$\d+$/.test(part) ? sql`${values[Number(part.slice(1)) - 1]}` : sql.raw(part),
            )
          const { rows } = await tx.execute(sql.join(parts))
          return { rows }
        },
      }),
    ),
}

/** Every toolkit, its errors wrapped twice more, as the layers of a program do. */
export const TOOLKITS: readonly Toolkit[] = [DIRECT, KYSELY, DRIZZLE].map(({ name, run }) => ({
  name,
  run: (pool, work) =>
    run(pool, tx =>
      work({
        query: (text, values) =>
          tx.query(text, values).catch((error: unknown) => {
            const lower = new Error('the repository failed', { cause: error })
            throw new Error('the service failed', { cause: lower })
          }),
      }),
    ),
}))
