import type { Key } from '../ledger/command.ts'
import type { Movement } from '../ledger/movement.ts'
import { sum } from '../money/amount.ts'
import { split } from '../money/split.ts'
import {
  moveResult,
  refused,
  type ChargeContext,
  type MoveResult,
  type Refused,
} from './context.ts'
import { findTaken } from './find.ts'
import { TRIES_MAX } from './limits.ts'
import type { ChargeRecord } from './record.ts'
import { isChargeRefusal, refusals, type ChargeRefusal } from './refusals.ts'
import { checkAmount, checkKey } from './request.ts'

/** What is asked for: give a charge back, whole or in part. */
export interface RefundRequest {
  /** The caller's key, unique in the book. */
  readonly key: Key
  /** The key of the charge, or of the authorisation that was captured. */
  readonly of: Key
  /** In minor units; absent means all that is left. */
  readonly amount?: bigint
  /**
   * The seller, and who else had a share, may fall below 0 by it, where the money has been paid out
   * already: a recorded debt, which what they earn later repays first.
   */
  readonly mayOwe?: true
}

/** What was given back. */
export interface Refunded {
  readonly key: Key
  readonly of: Key
  /** In minor units. */
  readonly amount: bigint
  /** By role, in minor units: what each gave back. */
  readonly shares: readonly { readonly role: string; readonly amount: bigint }[]
}

/** The answer to a refund. */
export type RefundResult =
  { readonly ok: true; readonly replayed: boolean; readonly refunded: Refunded } | Refused

/**
 * Gives back a part of a charge, or all that is left, each share in proportion of what is left of
 * it. The buyer gets it back where it came from: what was paid in first, trial credit last. Where
 * other refunds come in between it is worked out anew.
 */
export async function refund(
  context: ChargeContext,
  request: RefundRequest,
): Promise<RefundResult> {
  const bad = checkRefund(request)
  if (bad) return refused(bad)
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const record = await findTaken(context, request.of)
    if (!record) return refused(refusals.chargeNotFound(request.of))
    const stored = await storedRefund(context, record, request)
    if (stored) return isChargeRefusal(stored) ? refused(stored) : stored
    const amounts = await refundAmounts(context, record, request)
    if (isChargeRefusal(amounts)) return refused(amounts)
    const result = await reverse(context, record, request, amounts)
    if (result.ok) return answered(record, request, result.movement, result.replayed)
    // Another refund of the charge, or the same request, came in between.
    if (!['AMOUNT_EXCEEDS_TRANSFER', 'KEY_REUSED'].includes(result.refusal.code)) return result
  }
  throw new Error(`more than ${TRIES_MAX} other refunds of ${request.of} came in between`)
}

function checkRefund({ key, of, amount }: RefundRequest): ChargeRefusal | null {
  return (
    checkKey(key, 'key') ??
    checkKey(of, 'of') ??
    (amount === undefined ? null : checkAmount(amount, 'amount'))
  )
}

/** What is stored under the refund's key, or why that does not answer it; null for nothing. */
async function storedRefund(
  { ledger }: ChargeContext,
  record: ChargeRecord,
  request: RefundRequest,
): Promise<RefundResult | ChargeRefusal | null> {
  const [movement] = await ledger.movements(request.key)
  if (!movement) return null
  if (movement.kind !== 'reverse') return refusals.keyReused(request.key, ['do'])
  const { amount = total(record, movement), mayOwe = false } = request
  const fields = [
    ...(movement.of === record.first.key ? [] : ['of']),
    ...(total(record, movement) === amount ? [] : ['amount']),
    ...(movement.mayOwe === mayOwe ? [] : ['mayOwe']),
  ]
  return fields.length === 0
    ? answered(record, request, movement, true)
    : refusals.keyReused(request.key, fields)
}

/** One amount a leg of the charge. What was used of a limit is not given back. */
async function refundAmounts(
  { ledger }: ChargeContext,
  { first, took, priceLegs }: ChargeRecord,
  { of, amount }: RefundRequest,
): Promise<bigint[] | ChargeRefusal> {
  const reversed = await ledger.reversed(first.key)
  const left = priceLegs.map(({ index }) => sum(took?.moved[index] ?? []) - (reversed[index] ?? 0n))
  const available = sum(left)
  const asked = amount ?? available
  if (asked === 0n || asked > available) return refusals.exceedsCharge(of, available, asked)
  const parts = split(asked, left)
  return first.legs.map((_, index) => {
    const at = priceLegs.findIndex(each => each.index === index)
    return parts[at] ?? 0n
  })
}

async function reverse(
  { ledger }: ChargeContext,
  { first }: ChargeRecord,
  { key, mayOwe }: RefundRequest,
  amounts: readonly bigint[],
): Promise<MoveResult> {
  const debt = mayOwe ? ({ mayOwe } as const) : {}
  return moveResult(await ledger.submit({ do: 'reverse', key, of: first.key, amounts, ...debt }))
}

function answered(
  { priceLegs }: ChargeRecord,
  { key, of }: RefundRequest,
  movement: Movement,
  replayed: boolean,
): RefundResult {
  const shares = priceLegs
    .map(({ role, index }) => ({ role, amount: sum(movement.moved[index] ?? []) }))
    .filter(share => share.amount > 0n)
  const amount = sum(shares.map(share => share.amount))
  return { ok: true, replayed, refunded: { key, of, amount, shares } }
}

function total({ priceLegs }: ChargeRecord, movement: Movement): bigint {
  return sum(priceLegs.map(({ index }) => sum(movement.moved[index] ?? [])))
}
