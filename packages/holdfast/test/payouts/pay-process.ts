// A process that pays what is approved: two of them work on the same batch at once in the tests.
// Arguments: the URL of the database, the book, the port of the bank.
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Gateway, SendAnswer, StatusAnswer } from '../../src/payouts/gateway.ts'
import { Payouts } from '../../src/payouts/payouts.ts'
import { PostgresPayouts } from '../../src/stores/postgres/payouts/postgres-payouts.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { HELPFUL } from './model-bank.ts'

const [url = '', book = '', port = '', schema = ''] = process.argv.slice(2)

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  return (await answer.json()) as T
}

const bank: Gateway = {
  name: 'bank',
  declares: HELPFUL,
  send: ({ payout, amount }) => ask<SendAnswer>(`/send/${payout}/${amount}`),
  async status({ payout }) {
    const answer = await ask<StatusAnswer>(`/status/${payout}`)
    return answer.answer === 'paid' ? { ...answer, returned: 0n } : answer
  },
}

const database = await openPostgres(url)
const payouts = new Payouts({
  book,
  repository: new PostgresPayouts(database, schema),
  ledger: new Ledger({ store: new PostgresStore(database, schema), book }),
  gateways: [bank],
  leaseMs: 2_000,
  sendWithinMs: 500,
})
console.log('ready')
await new Promise(resolve => process.stdin.once('data', resolve))
const options = { concurrency: 8, batch: 'payday' }
const paid = await payouts.payBatch({
  ...options,
  onProgress: ({ success }) => {
    console.log(`paid ${success}`)
  },
})
const resolved = await payouts.resolve(options)
console.log(`end ${JSON.stringify({ paid, resolved })}`)
await database.close()
process.stdin.destroy()
