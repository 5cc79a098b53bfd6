import { parseInstant, type Instant } from '../instant.ts'
import type { AccountId, Asset, Command, Key, Leg, Meta } from './command.ts'
import type { KeptLeg } from './movement.ts'
import type { Refusal } from './outcome.ts'
import { checkShape } from './shape.ts'

/**
 * A well-formed command with nothing left open: what is absent is null, sources are lists, instants
 * are in UTC. Every store works from this.
 */
export type Prepared =
  | PreparedAccount
  | PreparedTransfer
  | PreparedHold
  | PreparedSettle
  | PreparedRelease
  | PreparedReverse

export type PreparedAccount =
  | {
      readonly do: 'open'
      readonly account: AccountId
      readonly asset: Asset
      readonly floor: bigint | null
    }
  | { readonly do: 'close'; readonly account: AccountId }

export interface PreparedTransfer {
  readonly do: 'transfer'
  readonly key: Key
  readonly legs: readonly KeptLeg[]
  readonly effective: Instant | null
  readonly meta: Meta | null
}

export interface PreparedHold {
  readonly do: 'hold'
  readonly key: Key
  readonly legs: readonly KeptLeg[]
  readonly expiresInMs: number | null
  readonly replaces: Key | null
  readonly meta: Meta | null
}

export interface PreparedSettle {
  readonly do: 'settle'
  readonly hold: Key
  readonly amounts: readonly bigint[] | null
}

export interface PreparedRelease {
  readonly do: 'release'
  readonly hold: Key
  readonly ifExpired: boolean
  readonly reason: string | null
}

export interface PreparedReverse {
  readonly do: 'reverse'
  readonly key: Key
  readonly of: Key
  readonly amounts: readonly bigint[] | null
  readonly mayOwe: boolean
}

/** Checks the shape of a command and closes what it leaves open. */
export function prepare(command: Command): Prepared | Refusal {
  return checkShape(command) ?? normalize(command)
}

/** Tells the two results of {@link prepare} apart. */
export function isRefusal(prepared: Prepared | Refusal): prepared is Refusal {
  return 'code' in prepared
}

function normalize(command: Command): Prepared {
  switch (command.do) {
    case 'open':
      return {
        do: 'open',
        account: command.account,
        asset: command.asset,
        // The type asks for a floor; callers without types may leave it out, which means none.
        floor: command.floor ?? null,
      }
    case 'close':
      return { do: 'close', account: command.account }
    case 'transfer':
      return {
        do: 'transfer',
        key: command.key,
        legs: command.legs.map(keptLeg),
        effective: command.effective === undefined ? null : parseInstant(command.effective),
        meta: plainMeta(command.meta),
      }
    case 'hold':
      return {
        do: 'hold',
        key: command.key,
        legs: command.legs.map(keptLeg),
        expiresInMs: command.expiresInMs ?? null,
        replaces: command.replaces ?? null,
        meta: plainMeta(command.meta),
      }
    case 'settle':
      return {
        do: 'settle',
        hold: command.hold,
        amounts: command.amounts ? [...command.amounts] : null,
      }
    case 'release':
      return {
        do: 'release',
        hold: command.hold,
        ifExpired: command.ifExpired === true,
        reason: command.reason ?? null,
      }
    case 'reverse':
      return {
        do: 'reverse',
        key: command.key,
        of: command.of,
        amounts: command.amounts ? [...command.amounts] : null,
        mayOwe: command.mayOwe === true,
      }
  }
}

function keptLeg(leg: Leg): KeptLeg {
  const from = typeof leg.from === 'string' ? [leg.from] : [...leg.from]
  return {
    from,
    to: leg.to,
    asset: leg.asset,
    amount: leg.amount,
    atLeast: leg.atLeast ?? leg.amount,
  }
}

/** Meta as every store gives it back: what JSON makes of it. */
function plainMeta(meta: Meta | undefined): Meta | null {
  return meta === undefined ? null : (JSON.parse(JSON.stringify(meta)) as Meta)
}
