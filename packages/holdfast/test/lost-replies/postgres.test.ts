import { describe } from 'vitest'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { PostgresMessages } from '../support/postgres-messages.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { describeLostReplies } from './lost-replies.ts'

/** ParseComplete, BindComplete, RowDescription, DataRow, CommandComplete; then ReadyForQuery. */
const MESSAGES_BEFORE_LAST = 5

describe('Postgres', () => {
  describeLostReplies(async () => {
    const direct = await migratedDatabase()
    const proxy = await startProxy(direct.url, '.apply_v1(', () => new PostgresMessages())
    const proxied = await openPostgres(proxy.url)
    return {
      proxy,
      through: new PostgresStore(proxied),
      past: new PostgresStore(direct.database),
      async close() {
        await proxied.close()
        await proxy.close()
        await direct.close()
      },
    }
  }, MESSAGES_BEFORE_LAST)
})
