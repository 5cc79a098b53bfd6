import type { Instant } from '../instant.ts'
import type { Book } from './command.ts'
import { differences, settledAlike } from './differences.ts'
import type { Movement } from './movement.ts'
import type { Outcome, Refusal } from './outcome.ts'
import type {
  Prepared,
  PreparedHold,
  PreparedRelease,
  PreparedSettle,
  PreparedTransfer,
} from './prepare.ts'
import { refusals } from './refusals.ts'
import { byLeg, readMovement, type MovementJson } from './stored-movement.ts'

/** What a store that decides by itself says of one command; see `docs/adr/0002`. */
export interface Answer {
  readonly code: string
  readonly recorded: Instant
  /** What moved, of a fresh movement; what had been held, of a hold that has ended. */
  readonly moved: readonly string[]
  readonly details: Details
}

/** What only some answers have; amounts as text, `leg` from 0. */
export interface Details {
  readonly leg: number | null
  readonly account: string | null
  readonly available: string | null
  readonly asked: string | null
  /** The stored movement: of an end, of a reversal, and of what was there before. */
  readonly stored: MovementJson | null
}

/** Of an answer that has nothing more to say. */
export const NO_DETAILS: Details = {
  leg: null,
  account: null,
  available: null,
  asked: null,
  stored: null,
}

/** The outcome of one command out of its answer. */
export function decodeOutcome(book: Book, command: Prepared, answer: Answer): Outcome {
  const { code, details } = answer
  const movement = details.stored ? readMovement(details.stored) : undefined
  switch (code) {
    case 'OK':
      if (movement) return { ok: true, replayed: false, movement }
      return command.do === 'transfer' || command.do === 'hold'
        ? { ok: true, replayed: false, movement: freshMovement(book, command, answer) }
        : { ok: true, replayed: false }
    case 'REPLAY':
      return { ok: true, replayed: true }
    case 'EXISTS':
    case 'ENDED': {
      if (!movement) throw new Error(`the store answered ${code} without the movement`)
      const refusal = compare(command, movement, answer)
      return refusal ? { ok: false, refusal } : { ok: true, replayed: true, movement }
    }
    default:
      return { ok: false, refusal: refusalOf(code, command, details) }
  }
}

/** Whether the stored movement answers the command (null), or why it does not. */
function compare(command: Prepared, stored: Movement, { moved }: Answer): Refusal | null {
  switch (command.do) {
    case 'transfer':
    case 'hold':
    case 'reverse': {
      const fields = differences(stored, command)
      return fields.length === 0 ? null : refusals.keyReused(command.key, fields)
    }
    case 'settle':
      return stored.kind === 'settle' &&
        settledAlike(stored, byLeg(stored.legs, moved), command.amounts)
        ? null
        : ended(command, stored)
    case 'release':
      return stored.kind === 'release' ? null : ended(command, stored)
    case 'open':
    case 'close':
      throw new Error(`${command.do} has no key that could have been used before`)
  }
}

function ended(command: PreparedSettle | PreparedRelease, end: Movement): Refusal {
  return end.kind === 'settle'
    ? refusals.holdSettled(command.hold)
    : refusals.holdReleased(command.hold)
}

function freshMovement(
  book: Book,
  command: PreparedTransfer | PreparedHold,
  { moved, recorded }: Answer,
): Movement {
  const { key, legs, meta } = command
  const transfer = command.do === 'transfer'
  return {
    book,
    key,
    part: 0,
    kind: command.do,
    legs,
    moved: byLeg(legs, moved),
    of: null,
    replaces: transfer ? null : command.replaces,
    amounts: null,
    expiresInMs: transfer ? null : command.expiresInMs,
    effective: transfer ? command.effective : null,
    mayOwe: false,
    meta,
    reason: null,
    recorded,
  }
}

function refusalOf(code: string, command: Prepared, details: Details): Refusal {
  const account = details.account ?? ('account' in command ? command.account : '')
  const leg = details.leg ?? 0
  const available = BigInt(details.available ?? 0)
  const asked = BigInt(details.asked ?? 0)
  const hold = holdKey(command)
  switch (code) {
    case 'HOLD_SETTLED':
      return refusals.holdSettled(hold)
    case 'HOLD_RELEASED':
      return refusals.holdReleased(hold)
    case 'ACCOUNT_NOT_FOUND':
      return refusals.accountNotFound(account)
    case 'HOLD_NOT_FOUND':
      return refusals.holdNotFound(hold)
    case 'TRANSFER_NOT_FOUND':
      return refusals.transferNotFound(hold)
    case 'NOT_REVERSIBLE':
      return refusals.notReversible(hold)
    case 'ACCOUNT_DIFFERS':
      return refusals.accountDiffers(account)
    case 'ACCOUNT_CLOSED':
      return refusals.accountClosed(account)
    case 'ASSET_MISMATCH':
      return refusals.assetMismatch(account, leg)
    case 'INVALID_LEGS':
      return refusals.amountsMismatch(Number(available), Number(asked))
    case 'HOLD_EXPIRED':
      return refusals.holdExpired(hold)
    case 'HOLD_NOT_EXPIRED':
      return refusals.holdNotExpired(hold)
    case 'AMOUNT_EXCEEDS_HOLD':
      return refusals.amountExceedsHold(leg, available, asked)
    case 'AMOUNT_EXCEEDS_TRANSFER':
      return refusals.amountExceedsTransfer(leg, available, asked)
    case 'INSUFFICIENT_FUNDS':
      return refusals.insufficientFunds(leg, sourcesOf(command, leg, account), available, asked)
    case 'BALANCE_TOO_LARGE':
      return refusals.balanceTooLarge(account)
    default:
      throw new Error(`the store answered with an unknown code ${code}`)
  }
}

/** The key of the hold or original that a command is about. */
function holdKey(command: Prepared): string {
  switch (command.do) {
    case 'settle':
    case 'release':
      return command.hold
    case 'reverse':
      return command.of
    case 'hold':
      return command.replaces ?? ''
    case 'open':
    case 'close':
    case 'transfer':
      return ''
  }
}

/** The sources of a leg; the giver of a reversal is known to the store alone. */
function sourcesOf(command: Prepared, leg: number, giver: string): readonly string[] {
  return 'legs' in command ? (command.legs[leg]?.from ?? []) : [giver]
}
