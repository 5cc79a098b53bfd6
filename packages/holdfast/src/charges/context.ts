import type { Clock } from '../instant.ts'
import type { Asset, Key } from '../ledger/command.ts'
import type { Outcome } from '../ledger/outcome.ts'
import type { Movement } from '../ledger/movement.ts'
import type { ChargeLedger } from './ledger-port.ts'
import { refusals, type ChargeRefusal } from './refusals.ts'
import { OWN_KEY_PREFIX } from './request.ts'
import type { FeeSchedule } from './schedule.ts'

/** What every part of the room works with. */
export interface ChargeContext {
  readonly ledger: ChargeLedger
  readonly schedule: FeeSchedule
  /** The asset of the schedule: prices and balances are in it. */
  readonly asset: Asset
  /** Says which version is in force, and which day it is. */
  readonly clock: Clock
}

/** An answer of no. */
export interface Refused {
  readonly ok: false
  readonly refusal: ChargeRefusal
}

export function refused(refusal: ChargeRefusal): Refused {
  return { ok: false, refusal }
}

/** The key of the hold that takes an authorisation's place, where it is captured otherwise than held. */
export function captureKey(key: Key): Key {
  return `${OWN_KEY_PREFIX}capture:${key}`
}

/** What came of one movement of the room's that needs nothing more to be said. */
export type MoveResult =
  { readonly ok: true; readonly replayed: boolean; readonly movement: Movement } | Refused

/** The ledger's outcome of a command that moves money. */
export function moveResult(outcome: Outcome): MoveResult {
  if (!outcome.ok) return refused(refusals.ofLedger(outcome.refusal))
  const { replayed, movement } = outcome
  if (!movement) throw new Error('a command that moves money was answered without a movement')
  return { ok: true, replayed, movement }
}
