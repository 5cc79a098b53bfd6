import type { Asset, Command, Hold, Leg, Transfer } from '../ledger/command.ts'
import {
  dayLimitAccount,
  earnedAccount,
  keyLimitAccount,
  limitPoolAccount,
  prepaidAccount,
  trialAccount,
} from './accounts.ts'
import { metaOf, type LegName } from './record.ts'
import { OWN_KEY_PREFIX, type Parties } from './request.ts'
import type { Day, ScheduleVersion } from './schedule.ts'
import { sharesOf } from './shares.ts'

/** A charge before it is sent: its one command, and what makes the accounts that it needs. */
export interface Prepared<C extends Transfer | Hold> {
  readonly command: C
  readonly names: readonly LegName[]
  /** Opens accounts and grants limits; each may be sent any number of times. */
  readonly openings: readonly Command[]
}

interface NamedLeg {
  readonly name: LegName
  readonly leg: Leg
}

/** One command with the buyer's money to every share, and the use of each limit (I10). */
export function chargeCommand(
  asset: Asset,
  version: ScheduleVersion,
  day: Day,
  request: Parties & { readonly price: bigint },
): Prepared<Transfer> {
  const { key, price } = request
  const { legs, names, openings, meta } = allLegs(asset, version, day, request, price)
  return { command: { do: 'transfer', key, legs, meta }, names, openings }
}

/** The same for a ceiling, on hold. */
export function authoriseCommand(
  asset: Asset,
  version: ScheduleVersion,
  day: Day,
  request: Parties & { readonly ceiling: bigint; readonly expiresInMs: number },
): Prepared<Hold> {
  const { key, ceiling, expiresInMs } = request
  const { legs, names, openings, meta } = allLegs(asset, version, day, request, ceiling)
  return { command: { do: 'hold', key, legs, expiresInMs, meta }, names, openings }
}

function allLegs(
  asset: Asset,
  version: ScheduleVersion,
  day: Day,
  request: Parties,
  gross: bigint,
) {
  const { buyer, seller, recipients = {}, meta: note } = request
  const named = [
    ...priceLegs(asset, version, request, gross),
    ...limitLegs(asset, day, request, gross),
  ]
  const names = named.map(({ name }) => name)
  return {
    legs: named.map(({ leg }) => leg),
    names,
    openings: openingsOf(asset, day, request, named),
    meta: metaOf({ version: version.from, buyer, seller, recipients, legs: names }, note),
  }
}

/** Trial credit is spent first. A share of 0 has no leg. */
function priceLegs(
  asset: Asset,
  version: ScheduleVersion,
  { buyer, seller, recipients = {} }: Parties,
  gross: bigint,
): NamedLeg[] {
  const from = [trialAccount(buyer, asset), prepaidAccount(buyer, asset)]
  return sharesOf(version, gross, recipients)
    .filter(share => share.amount > 0n)
    .map(({ role, account, amount }) => ({
      name: role,
      leg: { from, to: account ?? earnedAccount(seller, asset), asset, amount },
    }))
}

function limitLegs(asset: Asset, day: Day, { buyer, limits }: Parties, amount: bigint): NamedLeg[] {
  const to = limitPoolAccount(asset)
  const legs: NamedLeg[] = []
  if (limits?.dayMax !== undefined)
    legs.push({
      name: '@day',
      leg: { from: dayLimitAccount(buyer, day, asset), to, asset, amount },
    })
  if (limits?.key)
    legs.push({
      name: '@key',
      leg: { from: keyLimitAccount(limits.key.name, asset), to, asset, amount },
    })
  return legs
}

function openingsOf(
  asset: Asset,
  day: Day,
  { buyer, limits }: Parties,
  named: readonly NamedLeg[],
): Command[] {
  const pool = limitPoolAccount(asset)
  const ids = new Set(named.flatMap(({ leg }) => [leg.from, leg.to].flat()))
  const grants: Command[] = []
  const grant = (account: string, amount: bigint) =>
    grants.push({
      do: 'transfer',
      key: `${OWN_KEY_PREFIX}${account}`,
      legs: [{ from: pool, to: account, asset, amount }],
    })
  if (limits?.dayMax !== undefined) grant(dayLimitAccount(buyer, day, asset), limits.dayMax)
  if (limits?.key) grant(keyLimitAccount(limits.key.name, asset), limits.key.max)
  return [
    ...[...ids].map((account): Command => {
      return { do: 'open', account, asset, floor: account === pool ? null : 0n }
    }),
    ...grants,
  ]
}
