// A marketplace in one page: charge, the same charge again, a call whose price is known afterwards,
// a dispute after the money was paid out, and the seller's statement.
import { Ledger, MemoryStore, type Clock } from 'holdfast'
import { Charges, FeeSchedule, statementAsCsv } from 'holdfast/charges'

const schedule = new FeeSchedule('GBP/2', [
  {
    from: '2026-01-01',
    fees: [
      { role: 'tax', rate: { numerator: 1n, denominator: 6n } },
      { role: 'platform', rate: { basisPoints: 2_000 }, of: 'rest', minimum: 2n },
    ],
    accounts: { tax: 'tax:gb', platform: 'platform' },
  },
])
// The clock stands still, so that the program prints the same every time: use systemClock.
const clock: Clock = { now: () => '2026-11-30T09:00:00.000Z' }
const ledger = new Ledger({ store: new MemoryStore(clock), book: 'shop' })
const charges = new Charges({ ledger, schedule, clock })

await ledger.apply([
  { do: 'open', account: 'clearing:bank', asset: 'GBP/2', floor: null },
  { do: 'open', account: 'promotions', asset: 'GBP/2', floor: null },
])
const buyer = 'user:42'
await charges.topUp({ key: 'card-1', buyer, amount: 1_000n, from: 'clearing:bank' })
await charges.grantTrial({ key: 'welcome-42', buyer, amount: 100n, from: 'promotions' })

const request = { key: 'order-1', buyer, seller: 'seller:7', price: 250n }
for (const result of [await charges.charge(request), await charges.charge(request)]) {
  if (!result.ok) throw new Error(result.refusal.message)
  const { shares, paidFrom } = result.charged
  console.log('replayed:', result.replayed)
  console.log('  paid from', paidFrom.map(each => `${each.account} ${each.amount}`).join(', '))
  console.log('  shares   ', shares.map(each => `${each.role} ${each.amount}`).join(', '))
}
const higher = await charges.charge({ ...request, price: 260n })
console.log(higher.ok ? 'charged' : `${higher.refusal.code}: ${higher.refusal.message}`)

const call = { key: 'call-1', buyer, seller: 'seller:7', ceiling: 500n, expiresInMs: 60_000 }
const held = await charges.authorise(call)
if (!held.ok) throw new Error(held.refusal.message)
const captured = await charges.capture(held.authorisation, 123n)
console.log('captured', captured.ok ? captured.charged.price : captured.refusal.message)

// The seller is paid out (Payouts does this), and then a buyer disputes the order.
await ledger.apply([
  {
    do: 'hold',
    key: 'PAYOUT000000001',
    legs: [{ from: 'earned:seller:7/GBP/2', to: 'clearing:bank', asset: 'GBP/2', amount: 248n }],
  },
  { do: 'settle', hold: 'PAYOUT000000001' },
])
await charges.dispute({ key: 'dispute-1', of: 'order-1' })
const csv = statementAsCsv(await charges.statement('seller:7'))
console.log(csv.trimEnd().replaceAll('\r\n', '\n'))
