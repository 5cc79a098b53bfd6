import { msBetween } from '../instant.ts'
import type { Command, Hold, Key } from '../ledger/command.ts'
import type { Outcome } from '../ledger/outcome.ts'
import { refusals as ledgerRefusals } from '../ledger/refusals.ts'
import { sum } from '../money/amount.ts'
import { earnedAccount, prepaidAccount, trialAccount } from './accounts.ts'
import type { ChargeResult } from './charge.ts'
import { Authorisation, Charged } from './charged.ts'
import { captureKey, moveResult, refused, type ChargeContext, type MoveResult } from './context.ts'
import { findRecords } from './find.ts'
import { readCharge, type ChargeRecord } from './record.ts'
import { refusals, type ChargeRefusal } from './refusals.ts'
import { checkAmount } from './request.ts'
import { sharesOf, type Share } from './shares.ts'

/** The authorisation under a key, in another process or at another time; null where there is none. */
export async function findAuthorisation(
  { ledger }: ChargeContext,
  key: Key,
): Promise<Authorisation | null> {
  const record = readCharge(await ledger.movements(key))
  return record?.first.kind === 'hold' ? new Authorisation(record) : null
}

/**
 * Charges the real amount of an authorisation, 1 to its ceiling, by the version that it was made
 * under, and releases the rest. Where the hold's legs can give exactly what a charge of that amount
 * would take, it is settled as it stands. Otherwise a hold of exactly those legs takes its place:
 * a smaller price may round a share up, and trial credit must not be released while money that was
 * paid in is spent.
 */
export async function capture(
  context: ChargeContext,
  { key }: Authorisation,
  amount: bigint,
): Promise<ChargeResult> {
  const bad = checkAmount(amount, 'amount')
  if (bad) return refused(bad)
  const { own: record, inItsPlace } = await findRecords(context, key)
  if (record?.first.kind !== 'hold') throw new Error(`there is no authorisation ${key}`)
  if (amount > record.gross)
    return refused(refusals.exceedsAuthorisation(key, record.gross, amount))
  const version = context.schedule.from(record.version)
  if (!version) return refused(refusals.noSchedule(record.version))
  const shares = sharesOf(version, amount, record.recipients).filter(each => each.amount > 0n)

  if (inItsPlace && inItsPlace.gross !== amount) return refused(capturedBefore(key, inItsPlace))
  const amounts = settleAmounts(record, shares, amount)
  if (amounts)
    return captured(key, record, await context.ledger.submit({ do: 'settle', hold: key, amounts }))
  const replacement = await replace(context, record, shares, amount)
  if (!replacement.ok) {
    const isOther = replacement.refusal.code === 'KEY_REUSED'
    return isOther ? refused(refusals.keyReused(key, ['amount'])) : replacement
  }
  const { movement: hold } = replacement
  const placed = readCharge([hold])
  if (!placed) throw new Error(`the capture of ${key} cannot be read`)
  if (hasExpired(record, hold.recorded)) {
    await context.ledger.submit({ do: 'release', hold: hold.key, reason: 'expired' })
    return refused(refusals.ofLedger(ledgerRefusals.holdExpired(key)))
  }
  return captured(key, placed, await context.ledger.submit({ do: 'settle', hold: hold.key }))
}

/** Another amount was captured, or is being captured. */
function capturedBefore(key: Key, { took }: ChargeRecord): ChargeRefusal {
  return took
    ? refusals.ofLedger(ledgerRefusals.holdSettled(key))
    : refusals.keyReused(key, ['amount'])
}

/** Gives an authorisation's money back before it expires. */
export async function releaseAuthorisation(
  { ledger }: ChargeContext,
  { key }: Authorisation,
  reason?: string,
): Promise<MoveResult> {
  const command = { do: 'release', hold: key, ...(reason === undefined ? {} : { reason }) } as const
  return moveResult(await ledger.submit(command))
}

function captured(key: Key, record: ChargeRecord, outcome: Outcome): ChargeResult {
  const result = moveResult(outcome)
  if (!result.ok) return result
  const charged = new Charged({ ...record, key, took: result.movement })
  return { ok: true, replayed: result.replayed, charged }
}

/**
 * What each leg of the hold has to give for these shares; null where the legs cannot give them, or
 * would give prepaid money while trial credit is released.
 */
function settleAmounts(
  { first, legs, buyer }: ChargeRecord,
  shares: readonly Share[],
  amount: bigint,
): bigint[] | null {
  const wanted = new Map(shares.map(share => [share.role, share.amount]))
  const amounts = legs.map(name => (name.startsWith('@') ? amount : (wanted.get(name) ?? 0n)))
  const isHeld = shares.every(share => legs.includes(share.role))
  const isEnough = amounts.every((each, index) => each <= sum(first.moved[index] ?? []))
  if (!isHeld || !isEnough) return null
  const trial = first.legs.map(({ from, asset }, index) => {
    const source = from.indexOf(trialAccount(buyer, asset))
    return first.moved[index]?.[source] ?? 0n
  })
  const spent = sum(trial.map((held, index) => least(held, amounts[index] ?? 0n)))
  return spent === least(sum(trial), amount) ? amounts : null
}

/**
 * A hold of exactly these shares in the place of the authorisation. It can be settled for as long
 * again, so that a capture that was cut off can be finished.
 */
async function replace(
  { ledger, asset }: ChargeContext,
  { key, buyer, seller, first, legs, version, recipients }: ChargeRecord,
  shares: readonly Share[],
  amount: bigint,
): Promise<MoveResult> {
  const from = [trialAccount(buyer, asset), prepaidAccount(buyer, asset)]
  const limits = first.legs.flatMap((leg, index) => {
    const name = legs[index] ?? ''
    return name.startsWith('@')
      ? [{ name, leg: { from: leg.from, to: leg.to, asset, amount } }]
      : []
  })
  const priced = shares.map(({ role, account, amount: share }) => ({
    name: role,
    leg: { from, to: account ?? earnedAccount(seller, asset), asset, amount: share },
  }))
  const named = [...priced, ...limits]
  const names = named.map(({ name }) => name)
  const hold: Hold = {
    do: 'hold',
    key: captureKey(key),
    legs: named.map(({ leg }) => leg),
    expiresInMs: first.expiresInMs ?? 1,
    replaces: key,
    meta: { ...first.meta, charge: { version, buyer, seller, recipients, legs: names } },
  }
  const opens = priced.map(({ leg }): Command => {
    return { do: 'open', account: leg.to, asset, floor: 0n }
  })
  const last = (await ledger.apply([...opens, hold])).at(-1)
  if (!last) throw new Error('a capture was left without an outcome')
  return moveResult(last)
}

/** By the store's clock: the hold that took its place was recorded when it could not be settled. */
function hasExpired({ first }: ChargeRecord, replacedAt: string): boolean {
  return msBetween(first.recorded, replacedAt) >= (first.expiresInMs ?? 0)
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
