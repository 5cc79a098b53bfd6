import { isName, NAME_RULE, type AccountId, type Asset } from 'holdfast'
import { parseDecimal, scaleOf } from 'holdfast/money'
import { readAsset } from './asset-cell.ts'
import { DistinctValues, readCsv, RowProblems } from './csv-table.ts'

/** An account as a file asks for it. */
export interface AccountRow {
  readonly row: number
  readonly account: AccountId
  readonly asset: Asset
  /** In minor units; null is none. */
  readonly floor: bigint | null
  /** What it begins with, in minor units. */
  readonly balance: bigint
}

const COLUMNS = { required: ['account', 'asset'], optional: ['floor', 'balance'] } as const
const NO_FLOOR = 'none'

/**
 * Reads a file of accounts whole: `account,asset,floor,balance`, amounts as decimals of the asset.
 * No floor given is a floor of 0, the word `none` is no floor; no balance given is 0. Throws
 * `BadInput` that names every bad row and column.
 */
export function readAccounts(file: string, text: string): AccountRow[] {
  const problems = new RowProblems(file)
  const accounts = new DistinctValues()
  const rows = readCsv(file, text, COLUMNS).map(({ row, cells }): AccountRow => {
    const bad = (column: keyof typeof cells, why: string) => {
      problems.add(row, column, cells[column], why)
    }
    const { account } = cells
    const why = isName(account) ? accounts.whyRepeated(account, row) : `is not ${NAME_RULE}`
    if (why !== null) bad('account', why)
    const asset = readAsset(cells.asset, wrong => {
      bad('asset', wrong)
    })
    const amount = (column: 'floor' | 'balance', negative: boolean): bigint => {
      if (asset === null || cells[column] === '') return 0n
      const parsed = parseDecimal(cells[column], scaleOf(asset), { negative })
      if (parsed.ok) return parsed.amount
      bad(column, parsed.why)
      return 0n
    }
    const floor = cells.floor === NO_FLOOR ? null : amount('floor', true)
    return { row, account, asset: asset ?? '', floor, balance: amount('balance', false) }
  })
  problems.throwIfAny()
  return rows
}
