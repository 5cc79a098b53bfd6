import type { AccountId, Asset, Ledger } from 'holdfast'
import { clearingAccount } from 'holdfast/payouts'
import { RowProblems } from './csv-table.ts'
import type { PaymentRow } from './payments-file.ts'
import { lookUpEach } from './pieces.ts'

/**
 * Checks that the accounts of a file exist and hold what is paid from them, before a request key is
 * spent on them, and opens the gateway's clearing account where it is not there. Throws `BadInput`
 * that names every bad row and column.
 */
export async function prepareAccounts(
  file: string,
  rows: readonly PaymentRow[],
  ledger: Ledger,
  gateway: string,
): Promise<void> {
  const clearing = clearingAccount(gateway)
  const assets = await assetsOf(ledger, [clearing, ...rows.map(row => row.request.account)])
  const paidIn = assets.get(clearing) ?? rows[0]?.request.asset
  const problems = new RowProblems(file)
  for (const { row, request } of rows) {
    const held = assets.get(request.account)
    if (held === undefined)
      problems.add(row, 'account', request.account, `is no account of the book ${ledger.book}`)
    else if (held !== request.asset)
      problems.add(row, 'asset', request.asset, `differs: ${request.account} holds ${held}`)
    else if (paidIn !== undefined && paidIn !== request.asset)
      problems.add(row, 'asset', request.asset, `differs: the gateway ${gateway} pays in ${paidIn}`)
  }
  problems.throwIfAny()
  if (assets.has(clearing) || paidIn === undefined) return
  const opened = await ledger.submit({ do: 'open', account: clearing, asset: paidIn, floor: null })
  if (!opened.ok) throw new Error(`${clearing} cannot be opened: ${opened.refusal.message}`)
}

/** What the accounts hold; those that do not exist are left out. */
async function assetsOf(ledger: Ledger, ids: readonly AccountId[]): Promise<Map<AccountId, Asset>> {
  const accounts = await lookUpEach([...new Set(ids)], id => ledger.account(id))
  return new Map(accounts.flatMap(account => (account ? [[account.id, account.asset]] : [])))
}
