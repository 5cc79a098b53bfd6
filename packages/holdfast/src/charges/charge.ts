import type { Hold, Transfer } from '../ledger/command.ts'
import type { Outcome } from '../ledger/outcome.ts'
import { Authorisation, Charged } from './charged.ts'
import { refused, type ChargeContext, type Refused } from './context.ts'
import { authoriseCommand, chargeCommand, type Prepared } from './legs.ts'
import { readCharge, requestDifferences, type ChargeRecord } from './record.ts'
import { isChargeRefusal, refusals, type ChargeRefusal } from './refusals.ts'
import {
  checkAmount,
  checkExpiry,
  checkParties,
  type AuthoriseRequest,
  type ChargeRequest,
  type Parties,
} from './request.ts'
import type { Day, ScheduleVersion } from './schedule.ts'
import { unknownRole } from './shares.ts'

/** The answer to a charge. */
export type ChargeResult =
  { readonly ok: true; readonly replayed: boolean; readonly charged: Charged } | Refused

/** The answer to an authorisation. */
export type AuthoriseResult =
  { readonly ok: true; readonly replayed: boolean; readonly authorisation: Authorisation } | Refused

/** What a request comes to, one way or the other. */
type Answer = { readonly replayed: boolean; readonly record: ChargeRecord } | ChargeRefusal

interface Gross {
  readonly name: 'price' | 'ceiling'
  readonly amount: bigint
}

/** Takes a price from a buyer and credits every share of it, in one command. */
export async function charge(
  context: ChargeContext,
  request: ChargeRequest,
): Promise<ChargeResult> {
  const gross = { name: 'price', amount: request.price } as const
  const bad = checkParties(request) ?? checkAmount(request.price, 'price')
  if (bad) return refused(bad)
  const make = (version: ScheduleVersion, day: Day) =>
    chargeCommand(context.asset, version, day, request)
  const answer = await answerTo(context, request, gross, null, make)
  if (isChargeRefusal(answer)) return refused(answer)
  return { ok: true, replayed: answer.replayed, charged: new Charged(answer.record) }
}

/** Holds a ceiling, split as it would be charged. */
export async function authorise(
  context: ChargeContext,
  request: AuthoriseRequest,
): Promise<AuthoriseResult> {
  const { ceiling, expiresInMs } = request
  const gross = { name: 'ceiling', amount: ceiling } as const
  const bad = checkParties(request) ?? checkAmount(ceiling, 'ceiling') ?? checkExpiry(expiresInMs)
  if (bad) return refused(bad)
  const make = (version: ScheduleVersion, day: Day) =>
    authoriseCommand(context.asset, version, day, request)
  const answer = await answerTo(context, request, gross, expiresInMs, make)
  if (isChargeRefusal(answer)) return refused(answer)
  return { ok: true, replayed: answer.replayed, authorisation: new Authorisation(answer.record) }
}

/**
 * Sends the command that is right now. Where the key was used before, the first request decides:
 * the same one is answered from what is stored, whatever the schedule and the limits say today.
 */
async function answerTo(
  context: ChargeContext,
  request: Parties,
  gross: Gross,
  expiresInMs: number | null,
  make: (version: ScheduleVersion, day: Day) => Prepared<Transfer | Hold>,
): Promise<Answer> {
  const prepared = prepare(context, request, gross, make)
  if (isChargeRefusal(prepared))
    return (await storedAnswer(context, request, gross, expiresInMs)) ?? prepared
  const outcome = await send(context, prepared)
  if (outcome.ok) {
    const record = outcome.movement ? readCharge([outcome.movement]) : null
    if (!record) throw new Error(`the charge ${request.key} was answered without its movement`)
    // A replay may be of another request: what is compared by the ledger is not all of a request.
    const fields = requestDifferences(record, request, gross, expiresInMs)
    if (fields.length > 0) return refusals.keyReused(request.key, fields)
    return { replayed: outcome.replayed, record }
  }
  const { refusal } = outcome
  if (refusal.code === 'KEY_REUSED')
    return (await storedAnswer(context, request, gross, expiresInMs)) ?? refusals.ofLedger(refusal)
  const limit = prepared.names[refusal.leg ?? -1]
  if (refusal.code === 'INSUFFICIENT_FUNDS' && limit?.startsWith('@'))
    return refusals.limitExceeded(
      limit === '@day' ? 'day' : 'key',
      refusal.available ?? 0n,
      refusal.asked ?? 0n,
    )
  return refusals.ofLedger(refusal)
}

function prepare(
  context: ChargeContext,
  { limits, recipients = {} }: Parties,
  { amount }: Gross,
  make: (version: ScheduleVersion, day: Day) => Prepared<Transfer | Hold>,
): Prepared<Transfer | Hold> | ChargeRefusal {
  const now = context.clock.now()
  const day = now.slice(0, 10)
  const version = context.schedule.at(now)
  if (!version) return refusals.noSchedule(day)
  const unknown = unknownRole(version, recipients)
  if (unknown !== null)
    return refusals.invalid(
      'INVALID_RECIPIENT',
      `recipients.${unknown}`,
      `the schedule of ${version.from} has no fee for this role`,
    )
  if (limits?.callMax !== undefined && amount > limits.callMax)
    return refusals.limitExceeded('call', limits.callMax, amount)
  return make(version, day)
}

/** Opens accounts and grants limits only where the ledger says that they may be missing. */
async function send(
  { ledger }: ChargeContext,
  { command, names, openings }: Prepared<Transfer | Hold>,
): Promise<Outcome> {
  const first = await ledger.submit(command)
  if (first.ok) return first
  const { code, leg } = first.refusal
  const lacksLimit = code === 'INSUFFICIENT_FUNDS' && names[leg ?? -1]?.startsWith('@') === true
  if (code !== 'ACCOUNT_NOT_FOUND' && !lacksLimit) return first
  const outcomes = await ledger.apply([...openings, command])
  const last = outcomes.at(-1)
  if (!last) throw new Error('a charge was left without an outcome')
  return last
}

/** What is stored under the key of a request, or why it does not answer it; null for nothing. */
async function storedAnswer(
  { ledger }: ChargeContext,
  request: Parties,
  gross: Gross,
  expiresInMs: number | null,
): Promise<Answer | null> {
  const record = readCharge(await ledger.movements(request.key))
  if (!record) return null
  const fields = requestDifferences(record, request, gross, expiresInMs)
  return fields.length === 0 ? { replayed: true, record } : refusals.keyReused(request.key, fields)
}
