import type { AccountRecord, AccountRecords, Balance } from './check-accounts.ts'
import type { Report } from './check-codes.ts'
import type { Asset } from './command.ts'

/**
 * What must hold of the balances all together, at the point to which the feed was read first: held
 * of an account is the sum of its open holds, and posted of an asset adds up to 0.
 */
export function compareTotals(accounts: AccountRecords, report: Report): void {
  const totals = new Map<Asset, bigint>()
  const untold = new Set<Asset>()
  for (const record of accounts.values()) {
    if (!record.entries || record.asset === null) continue
    const balance = balanceAtFeed(record)
    if (!balance) {
      untold.add(record.asset)
      continue
    }
    totals.set(record.asset, (totals.get(record.asset) ?? 0n) + balance.posted)
    const { version, held } = balance
    if (held === record.inHolds) continue
    report({
      code: 'HELD_DIFFERS_FROM_HOLDS',
      account: record.id,
      version,
      expected: record.inHolds,
      found: held,
      message: `${record.id} version ${version}: held is ${held}, its open holds come to ${record.inHolds}`,
    })
  }
  for (const [asset, total] of totals) {
    if (total === 0n || untold.has(asset)) continue
    const message = `the posted balances of ${asset} add up to ${total}, not to 0`
    report({ code: 'BOOK_UNBALANCED', asset, expected: 0n, found: total, message })
  }
}

/**
 * An account that was not written between the reading of its row and that of its entries had the
 * row's balance. Of another one only the entries tell, and only where they follow the movements.
 */
function balanceAtFeed({ row, entries, agrees }: AccountRecord): Balance | null {
  if (!entries) return null
  if (row && row.version >= entries.last.version) return row
  return agrees ? entries.atFeed : null
}
