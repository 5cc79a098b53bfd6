import { createClient } from 'redis'
import { Ledger } from '../../src/ledger/ledger.ts'
import { RedisStore } from '../../src/stores/redis/redis-store.ts'
import { moveAndPrint } from '../support/moving.ts'

// A program of its own: URL BOOK ROUND CALLERS. Moves one unit at a time until the server is gone,
// and prints each key once it has been acknowledged.
const [url = '', book = '', round = '', callers = ''] = process.argv.slice(2)
const client = createClient({ url, disableOfflineQueue: true })
client.on('error', () => process.exit(0))
await client.connect()
const ledger = new Ledger({ store: await RedisStore.open({ client, mayForget: true }), book })
await moveAndPrint(ledger, round, Number(callers))
