// The smallest program: a ledger in memory, two accounts, one transfer, sent twice.
import { Ledger, MemoryStore } from 'holdfast'

const ledger = new Ledger({ store: new MemoryStore(), book: 'main' })
await ledger.apply([
  { do: 'open', account: 'world', asset: 'EUR/2', floor: null },
  { do: 'open', account: 'user:42', asset: 'EUR/2', floor: 0n },
])
const transfer = {
  do: 'transfer',
  key: 'top-up-1',
  legs: [{ from: 'world', to: 'user:42', asset: 'EUR/2', amount: 1_000n }],
} as const
for (const outcome of [await ledger.submit(transfer), await ledger.submit(transfer)])
  console.log(outcome.ok ? `done, replayed: ${outcome.replayed}` : outcome.refusal.message)
console.log('user:42 has', (await ledger.account('user:42'))?.posted, 'cents')
