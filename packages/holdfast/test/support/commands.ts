import type {
  AccountId,
  Asset,
  Close,
  Hold,
  Key,
  Leg,
  Open,
  Release,
  Reverse,
  Settle,
  Transfer,
} from '../../src/ledger/command.ts'
import { AMOUNT_MAX } from '../../src/money/amount.ts'

export const EUR = 'EUR/2'
export const COIN = 'COIN/0'
export const MAX: bigint = AMOUNT_MAX
/** A deadline that no test reaches. */
export const NEVER = '9999-12-31T23:59:59.999Z'

export function open(account: AccountId, floor: bigint | null = 0n, asset: Asset = EUR): Open {
  return { do: 'open', account, asset, floor }
}

export function close(account: AccountId): Close {
  return { do: 'close', account }
}

export function leg(
  from: AccountId | readonly AccountId[],
  to: AccountId,
  amount: bigint,
  more: Partial<Leg> = {},
): Leg {
  return { from, to, asset: EUR, amount, ...more }
}

export function transfer(
  key: Key,
  legs: Leg | readonly Leg[],
  more: Partial<Transfer> = {},
): Transfer {
  return { do: 'transfer', key, legs: [legs].flat(), ...more }
}

export function hold(key: Key, legs: Leg | readonly Leg[], more: Partial<Hold> = {}): Hold {
  return { do: 'hold', key, legs: [legs].flat(), ...more }
}

export function settle(key: Key, ...amounts: bigint[]): Settle {
  return amounts.length === 0 ? { do: 'settle', hold: key } : { do: 'settle', hold: key, amounts }
}

export function release(key: Key, more: Partial<Release> = {}): Release {
  return { do: 'release', hold: key, ...more }
}

export function reverse(key: Key, of: Key, ...amounts: bigint[]): Reverse {
  return amounts.length === 0 ? { do: 'reverse', key, of } : { do: 'reverse', key, of, amounts }
}

/** The same reversal, allowed to leave a debt. */
export function mayOwe(command: Reverse): Reverse {
  return { ...command, mayOwe: true }
}
