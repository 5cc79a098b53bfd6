import type { Asset, Command, Key } from '../ledger/command.ts'
import type { Movement } from '../ledger/movement.ts'
import { isAsset } from '../ledger/shape.ts'
import { sum } from '../money/amount.ts'
import { currencyOf, scaleOf } from '../money/asset.ts'
import { earnedAccount, exchangeAccount, type Party } from './accounts.ts'
import { refused, type ChargeContext, type Refused } from './context.ts'
import { TRIES_MAX } from './limits.ts'
import { refusals, type ChargeRefusal } from './refusals.ts'
import { checkKey, checkParty } from './request.ts'

/** What is asked for: make what a seller has earned payable. */
export interface ConvertRequest {
  /** The caller's key, unique in the book. */
  readonly key: Key
  readonly seller: Party
  /** The same currency with fewer decimals: `GBP/2` of what is earned in `GBP/6`. */
  readonly to: Asset
}

/** What became of what. */
export interface Converted {
  readonly key: Key
  /** In minor units of the asset that was earned in: a whole number of units of the other. */
  readonly given: bigint
  /** In minor units of the asset that is paid out. */
  readonly got: bigint
}

/** The answer to a conversion. */
export type ConvertResult =
  { readonly ok: true; readonly replayed: boolean; readonly converted: Converted } | Refused

/**
 * Turns all that a seller has earned, in whole units of the other asset, into that asset; what is
 * less than one unit stays where it is. How much that is, is read first; where it changes before
 * the command is carried out, it is worked out anew.
 */
export async function convert(
  context: ChargeContext,
  request: ConvertRequest,
): Promise<ConvertResult> {
  const { ledger, asset } = context
  const bad = checkConvert(asset, request)
  if (bad) return refused(bad)
  const earned = earnedAccount(request.seller, asset)
  const unit = 10n ** BigInt(scaleOf(asset) - scaleOf(request.to))
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const [stored] = await ledger.movements(request.key)
    if (stored) return storedAnswer(context, request, stored)
    const account = await ledger.account(earned)
    const available = account ? account.posted - account.held : 0n
    if (available < unit) return refused(refusals.nothingToConvert(available))
    const commands = convertCommands(asset, request, available / unit, unit)
    const last = (await ledger.apply(commands)).at(-1)
    if (!last) throw new Error('a conversion was left without an outcome')
    if (last.ok && last.movement)
      return { ok: true, replayed: last.replayed, converted: convertedBy(last.movement) }
    // A refund, a payout, or the same request came in between.
    if (!last.ok && !['INSUFFICIENT_FUNDS', 'KEY_REUSED'].includes(last.refusal.code))
      return refused(refusals.ofLedger(last.refusal))
  }
  throw new Error(`the balance of ${earned} changed more than ${TRIES_MAX} times in between`)
}

/** The two legs of a conversion, and what makes their accounts. */
function convertCommands(
  asset: Asset,
  { key, seller, to: other }: ConvertRequest,
  got: bigint,
  unit: bigint,
): Command[] {
  const from = { account: earnedAccount(seller, asset), exchange: exchangeAccount(asset) }
  const to = { account: earnedAccount(seller, other), exchange: exchangeAccount(other) }
  return [
    { do: 'open', account: from.exchange, asset, floor: null },
    { do: 'open', account: to.exchange, asset: other, floor: null },
    { do: 'open', account: to.account, asset: other, floor: 0n },
    {
      do: 'transfer',
      key,
      legs: [
        { from: from.account, to: from.exchange, asset, amount: got * unit },
        { from: to.exchange, to: to.account, asset: other, amount: got },
      ],
      meta: { conversion: { seller } },
    },
  ]
}

function checkConvert(asset: Asset, { key, seller, to }: ConvertRequest): ChargeRefusal | null {
  const bad = checkKey(key, 'key') ?? checkParty(seller, 'seller')
  if (bad) return bad
  const fits = isAsset(to) && currencyOf(to) === currencyOf(asset) && scaleOf(to) < scaleOf(asset)
  return fits
    ? null
    : refusals.invalid(
        'INVALID_ASSET',
        'to',
        `${currencyOf(asset)} with fewer decimals than ${asset}`,
      )
}

/** A key answers its own request again, whatever has been earned since. */
function storedAnswer(
  { asset }: ChargeContext,
  { key, seller, to }: ConvertRequest,
  stored: Movement,
): ConvertResult {
  if (!isConversion(stored)) return refused(refusals.keyReused(key, ['do']))
  const [given, got] = stored.legs
  const fields = [
    ...(given?.from[0] === earnedAccount(seller, asset) ? [] : ['seller']),
    ...(got?.asset === to ? [] : ['to']),
  ]
  return fields.length === 0
    ? { ok: true, replayed: true, converted: convertedBy(stored) }
    : refused(refusals.keyReused(key, fields))
}

/** Whether a movement turned one asset into another. */
export function isConversion(movement: Movement): boolean {
  return movement.kind === 'transfer' && movement.meta?.['conversion'] !== undefined
}

function convertedBy({ key, moved }: Movement): Converted {
  const [given = 0n, got = 0n] = moved.map(sum)
  return { key, given, got }
}
