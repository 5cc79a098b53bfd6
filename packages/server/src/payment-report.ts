import { toWireJson, type Asset } from 'holdfast'
import { formatDecimal, scaleOf } from 'holdfast/money'
import { PAYOUT_STATUSES, type Payout, type PayoutRefusal } from 'holdfast/payouts'
import { counted } from './counted.ts'
import type { PaymentRow } from './payments-file.ts'
import { table } from './table.ts'

/** What became of a row of a file. */
export interface PaidRow extends PaymentRow {
  /** Null where the request itself was refused. */
  readonly payout: Payout | null
  /** Whether it had been requested before. */
  readonly replayed: boolean
  readonly refusal: PayoutRefusal | null
}

/** A row as JSON. It holds no personal data. */
export function toJson({ row, request, payout, replayed, refusal }: PaidRow): string {
  const { requestKey, asset, amount } = request
  const { id = null, status = null, reason = null, reference = null } = payout ?? {}
  const asked = { row, requestKey, asset, amount, replayed }
  return toWireJson({ ...asked, payout: id, status, reason, reference, refusal })
}

/** The rows in words: how many of each status, and each one that is not paid. */
export function inWords(rows: readonly PaidRow[]): string {
  const before = rows.filter(row => row.replayed).length
  const known = before === 0 ? '' : `, ${before} of them already requested`
  const unpaid = rows.filter(({ payout }) => payout?.status !== 'success')
  const parts = [`${counted(rows.length, 'row')}${known}`, sums(rows)]
  if (unpaid.length > 0) parts.push(details(unpaid), ...advice(unpaid))
  return parts.join('\n\n')
}

function sums(rows: readonly PaidRow[]): string {
  const cells: string[][] = []
  for (const status of [...PAYOUT_STATUSES, NOT_TAKEN])
    for (const asset of new Set(rows.map(row => row.request.asset))) {
      const own = rows.filter(row => statusOf(row) === status && row.request.asset === asset)
      if (own.length > 0) cells.push([status, String(own.length), total(own, asset), asset])
    }
  return table(
    [
      { title: 'status' },
      { title: 'payouts', right: true },
      { title: 'amount', right: true },
      { title: 'asset' },
    ],
    cells,
  )
}

/** The status of a row whose request was refused: there is no payout. */
const NOT_TAKEN = 'not taken'

function statusOf({ payout }: PaidRow): string {
  return payout?.status ?? NOT_TAKEN
}

function total(rows: readonly PaidRow[], asset: Asset): string {
  const sum = rows.reduce((left, { request }) => left + request.amount, 0n)
  return formatDecimal(sum, scaleOf(asset))
}

/** So many rows that are not paid are named; the rest is counted. */
const DETAILS_SHOWN_MAX = 10

function details(rows: readonly PaidRow[]): string {
  const more = rows.length - DETAILS_SHOWN_MAX
  const shown = detailsTable(rows.slice(0, DETAILS_SHOWN_MAX))
  return more > 0 ? `${shown}\nand ${more} more: holdfast payouts lists them` : shown
}

function detailsTable(rows: readonly PaidRow[]): string {
  return table(
    [
      { title: 'row', right: true },
      { title: 'request key' },
      { title: 'payout' },
      { title: 'status' },
      { title: 'why' },
    ],
    rows.map(each => [
      String(each.row),
      each.request.requestKey,
      each.payout?.id ?? '',
      statusOf(each),
      each.refusal?.message ?? each.payout?.reason ?? '',
    ]),
  )
}

function advice(rows: readonly PaidRow[]): string[] {
  const open = rows.some(row => ['processing', 'unknown', 'requested'].includes(statusOf(row)))
  return open ? ['What has no final answer is asked about by: holdfast resolve'] : []
}
