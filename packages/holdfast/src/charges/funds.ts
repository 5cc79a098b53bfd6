import type { AccountId, Command, Key } from '../ledger/command.ts'
import {
  dayLimitAccount,
  keyLimitAccount,
  limitPoolAccount,
  prepaidAccount,
  trialAccount,
  type Party,
} from './accounts.ts'
import { moveResult, refused, type ChargeContext, type MoveResult } from './context.ts'
import type { ChargeRefusal } from './refusals.ts'
import { checkAccount, checkAmount, checkKey, checkParty } from './request.ts'
import type { Day } from './schedule.ts'

/** What is asked for: give a buyer money to spend. */
export interface FundsRequest {
  /** The caller's key, unique in the book. */
  readonly key: Key
  readonly buyer: Party
  /** In minor units, 1 to 2^63-1. */
  readonly amount: bigint
  /** Where it comes from: where a gateway's money arrives, or what the platform gives away. */
  readonly from: AccountId
}

/** What a limit is of. */
export type LimitOf = { readonly buyer: Party; readonly day: Day } | { readonly spendKey: Party }

/** What is asked for: change what may still be spent under a limit. */
export interface LimitChange {
  /** The caller's key, unique in the book. */
  readonly key: Key
  readonly of: LimitOf
  /** In minor units; below 0 it lowers the limit, by at most what is not spent. Not 0. */
  readonly by: bigint
}

/** Puts money that was paid in on a buyer's prepaid balance. */
export function topUp(context: ChargeContext, request: FundsRequest): Promise<MoveResult> {
  return give(context, request, prepaidAccount(request.buyer, context.asset))
}

/** Gives a buyer trial credit, which is spent first and cannot be paid out. */
export function grantTrial(context: ChargeContext, request: FundsRequest): Promise<MoveResult> {
  return give(context, request, trialAccount(request.buyer, context.asset))
}

/** Raises or lowers what may still be spent under a limit that has been used before. */
export async function changeLimit(
  { ledger, asset }: ChargeContext,
  { key, of, by }: LimitChange,
): Promise<MoveResult> {
  const amount = by < 0n ? -by : by
  const bad = checkKey(key, 'key') ?? checkLimitOf(of) ?? checkAmount(amount, 'by')
  if (bad) return refused(bad)
  const account =
    'day' in of ? dayLimitAccount(of.buyer, of.day, asset) : keyLimitAccount(of.spendKey, asset)
  const pool = limitPoolAccount(asset)
  const [from, to] = by > 0n ? [pool, account] : [account, pool]
  return moveResult(
    await ledger.submit({ do: 'transfer', key, legs: [{ from, to, asset, amount }] }),
  )
}

function checkLimitOf(of: LimitOf): ChargeRefusal | null {
  return 'day' in of ? checkParty(of.buyer, 'of.buyer') : checkParty(of.spendKey, 'of.spendKey')
}

async function give(
  { ledger, asset }: ChargeContext,
  { key, buyer, amount, from }: FundsRequest,
  to: AccountId,
): Promise<MoveResult> {
  const bad =
    checkKey(key, 'key') ??
    checkParty(buyer, 'buyer') ??
    checkAmount(amount, 'amount') ??
    checkAccount(from, 'from')
  if (bad) return refused(bad)
  const open: Command = { do: 'open', account: to, asset, floor: 0n }
  const transfer: Command = { do: 'transfer', key, legs: [{ from, to, asset, amount }] }
  const [, outcome] = await ledger.apply([open, transfer])
  if (!outcome) throw new Error('a top-up was left without an outcome')
  return moveResult(outcome)
}
