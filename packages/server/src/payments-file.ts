import type { Asset } from 'holdfast'
import { parseDecimal, scaleOf } from 'holdfast/money'
import { checkRequest, type PayoutRequest } from 'holdfast/payouts'
import { readAsset } from './asset-cell.ts'
import { DistinctValues, readCsv, RowProblems } from './csv-table.ts'

/** A payout as a file asks for it. */
export interface PaymentRow {
  readonly row: number
  readonly request: PayoutRequest
}

const REQUIRED = ['request_key', 'account', 'amount', 'asset', 'payee', 'destination'] as const
const OPTIONAL = ['batch'] as const

type Column = (typeof REQUIRED)[number] | (typeof OPTIONAL)[number]
type Cells = Readonly<Record<Column, string>>
type Bad = (column: Column, why: string) => void

/** Where a field of a request stands in the file. */
const COLUMN_OF: Readonly<Record<string, Column>> = {
  requestKey: 'request_key',
  account: 'account',
  amount: 'amount',
  asset: 'asset',
  payeeName: 'payee',
  destination: 'destination',
  batch: 'batch',
}

/** Stands in for a field that is bad, so that the others are checked too. */
const GOOD = {
  requestKey: 'key',
  account: 'account',
  amount: 1n,
  asset: 'EUR/2',
  payeeName: 'payee',
  destination: 'destination',
  batch: 'batch',
} as const

/** The decimals that an amount may have at most, where its asset is not known. */
const SCALE_MAX = 18

/**
 * Reads a file of payouts whole: `request_key,account,amount,asset,payee,destination[,batch]`, the
 * amount as a decimal of the asset (`EUR`, `GBP/6`). Throws `BadInput` that names every bad row and
 * column. A payee is a text, also where it begins with `=`: nothing here ever calculates with it.
 */
export function readPayments(file: string, text: string, gateway: string): PaymentRow[] {
  const problems = new RowProblems(file)
  const requestKeys = new DistinctValues()
  const columns = { required: REQUIRED, optional: OPTIONAL }
  const rows = readCsv(file, text, columns).map(({ row, cells }): PaymentRow => {
    const bad: Bad = (column, why) => {
      problems.add(row, column, cells[column], why)
    }
    const why = requestKeys.whyRepeated(cells.request_key, row)
    if (why !== null) bad('request_key', why)
    const request = requestOf(cells, gateway, bad)
    checkFields(request, (column, rule) => {
      // A card number is not repeated on the terminal either.
      if (rule === null)
        problems.addRow(row, `${column}: the number of a payment card is not taken`)
      else bad(column, `is not ${rule}`)
    })
    return { row, request }
  })
  problems.throwIfAny()
  return rows
}

function requestOf(cells: Cells, gateway: string, bad: Bad): PayoutRequest {
  const asset = readAsset(cells.asset, why => {
    bad('asset', why)
  })
  return {
    requestKey: cells.request_key,
    account: cells.account,
    gateway,
    asset: asset ?? GOOD.asset,
    amount: amountOf(cells.amount, asset, bad),
    payeeName: cells.payee,
    destination: cells.destination,
    ...(cells.batch !== '' && { batch: cells.batch }),
  }
}

function amountOf(text: string, asset: Asset | null, bad: Bad): bigint {
  const parsed = parseDecimal(text, asset === null ? SCALE_MAX : scaleOf(asset))
  if (parsed.ok && parsed.amount > 0n) return parsed.amount
  bad('amount', parsed.ok ? 'is zero' : parsed.why)
  return GOOD.amount
}

/** Names every field that payouts would refuse, with its rule; null stands for a card number. */
function checkFields(
  request: PayoutRequest,
  bad: (column: Column, rule: string | null) => void,
): void {
  let checked = request
  for (let bads = 0; bads < REQUIRED.length + OPTIONAL.length; bads += 1) {
    const refusal = checkRequest(checked, new Set([request.gateway]))
    if (!refusal) return
    const { field = '', code, message } = refusal
    const column = COLUMN_OF[field]
    if (!column) throw new Error(`no column of a file holds ${field}: ${message}`)
    bad(column, code === 'CARD_NUMBER_REFUSED' ? null : message.slice(`${field}: `.length))
    checked = { ...checked, [field]: GOOD[field as keyof typeof GOOD] }
  }
}
