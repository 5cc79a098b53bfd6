import { formatDecimal } from '../money/amount.ts'
import { scaleOf } from '../money/asset.ts'
import type { SellerStatement } from './statement.ts'

/**
 * A seller's statement as CSV (RFC 4180), a row a month: exact decimals of the asset. Each role that
 * had a share has a column, so that `sales` is `earned` and those together.
 */
export function statementAsCsv({ asset, months }: SellerStatement): string {
  const roles = [...new Set(months.flatMap(({ fees }) => [...fees.keys()]))].sort()
  const header = [
    ...['month', 'asset', 'opening', 'sales', ...roles, 'earned'],
    ...['refunded', 'paid out', 'converted', 'other', 'owed'],
  ]
  const rows = months.map(month => [
    month.month,
    asset,
    ...[
      ...[month.opening, month.sales, ...roles.map(role => month.fees.get(role) ?? 0n)],
      ...[month.earned, month.refunded, month.paidOut, month.converted, month.other, month.owed],
    ].map(amount => formatDecimal(amount, scaleOf(asset))),
  ])
  return [header, ...rows].map(cells => `${cells.join(',')}\r\n`).join('')
}
