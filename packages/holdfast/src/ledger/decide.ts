import { msBetween, type Instant } from '../instant.ts'
import { AMOUNT_MAX, sum } from '../money/amount.ts'
import type { Command } from './command.ts'
import { decideReverse } from './decide-reverse.ts'
import { differences, settledAlike } from './differences.ts'
import {
  blank,
  Draft,
  fill,
  giveable,
  type Changes,
  type LedgerState,
  type Verdict,
} from './draft.ts'
import type { KeptLeg, Movement } from './movement.ts'
import type { Outcome, Refusal } from './outcome.ts'
import {
  isRefusal,
  prepare,
  type Prepared,
  type PreparedHold,
  type PreparedRelease,
  type PreparedSettle,
  type PreparedTransfer,
} from './prepare.ts'
import { refusals } from './refusals.ts'

/**
 * The definition of the ledger: what a list of commands answers and changes, applied one by one at
 * the instant `recorded`. Pure. Every store runs it or translates it, and is held equal to it.
 * `balanceMax` is how far from zero a balance may lie in the store, in minor units.
 *
 * This is the one place where a key moves money at most once (I1), no command lowers available
 * below the floor (I2, see {@link takeFrom}) and a hold ends once (I5).
 */
export function decide(
  state: LedgerState,
  commands: readonly Command[],
  recorded: Instant,
  balanceMax: bigint = AMOUNT_MAX,
): { outcomes: Outcome[]; changes: Changes } {
  const list = new Draft(state, recorded, balanceMax)
  const outcomes = commands.map(command => {
    const prepared = prepare(command)
    if (isRefusal(prepared)) return refused(prepared)
    const draft = new Draft(list, recorded, balanceMax)
    const verdict = decideOne(draft, prepared)
    if ('refusal' in verdict) return refused(verdict.refusal)
    if ('replay' in verdict) return answered(true, verdict.replay)
    if (verdict.movement) draft.add(verdict.movement)
    list.merge(draft)
    return answered(false, verdict.movement ?? null)
  })
  return { outcomes, changes: list }
}

function refused(refusal: Refusal): Outcome {
  return { ok: false, refusal }
}

function answered(replayed: boolean, movement: Movement | null): Outcome {
  return movement ? { ok: true, replayed, movement } : { ok: true, replayed }
}

function decideOne(draft: Draft, command: Prepared): Verdict {
  switch (command.do) {
    case 'open': {
      const { account: id, asset, floor } = command
      const existing = draft.account(id)
      if (existing) {
        const same = existing.asset === asset && existing.floor === floor
        return same ? { replay: null } : { refusal: refusals.accountDiffers(id) }
      }
      const fresh = { posted: 0n, held: 0n, version: 0n, closed: false }
      draft.accounts.set(id, { book: draft.book, id, asset, floor, ...fresh })
      return {}
    }
    case 'close': {
      const existing = draft.account(command.account)
      if (!existing) return { refusal: refusals.accountNotFound(command.account) }
      if (existing.closed) return { replay: null }
      draft.accounts.set(existing.id, { ...existing, closed: true })
      return {}
    }
    case 'transfer':
      return decideTransfer(draft, command)
    case 'hold':
      return decideHold(draft, command)
    case 'settle':
      return decideSettle(draft, command)
    case 'release':
      return decideRelease(draft, command)
    case 'reverse':
      return firstAnswer(draft, command) ?? decideReverse(draft, command)
  }
}

/** The stored answer of a key that was used before, or `KEY_REUSED` (I1). */
function firstAnswer(draft: Draft, command: Parameters<typeof differences>[1]): Verdict | null {
  const first = draft.movement(command.key, 0)
  if (!first) return null
  const fields = differences(first, command)
  return fields.length === 0
    ? { replay: first }
    : { refusal: refusals.keyReused(command.key, fields) }
}

function decideTransfer(draft: Draft, command: PreparedTransfer): Verdict {
  const earlier = firstAnswer(draft, command)
  if (earlier) return earlier
  const unready = missingAccount(draft, command.legs) ?? unusableAccount(draft, command.legs)
  if (unready) return { refusal: unready }

  const { key, legs, effective, meta } = command
  const moved: bigint[][] = []
  for (const [index, leg] of legs.entries()) {
    const taken = takeFrom(draft, leg, index)
    if ('code' in taken) return { refusal: taken }
    const refusal =
      writeLines(draft, leg.from, taken, amount => [-amount, 0n], key, 0) ??
      draft.line(leg.to, sum(taken), 0n, key, 0)
    if (refusal) return { refusal }
    moved.push(taken)
  }
  return { movement: { ...blank(draft), key, kind: 'transfer', legs, moved, effective, meta } }
}

function decideHold(draft: Draft, command: PreparedHold): Verdict {
  const earlier = firstAnswer(draft, command)
  if (earlier) return earlier
  const { key, legs, replaces, expiresInMs, meta } = command
  const replaced = replaces === null ? null : openHold(draft, replaces)
  if (replaced?.ended) return { refusal: replaced.ended }
  const missing = missingAccount(draft, legs)
  if (missing) return { refusal: missing }
  if (replaced && !replaced.hold) return { refusal: refusals.holdNotFound(replaces ?? '') }
  const unusable = unusableAccount(draft, legs)
  if (unusable) return { refusal: unusable }

  if (replaced?.hold) {
    const released = release(draft, replaced.hold, null)
    if ('code' in released) return { refusal: released }
    draft.add(released)
  }
  const moved: bigint[][] = []
  for (const [index, leg] of legs.entries()) {
    const taken = takeFrom(draft, leg, index)
    if ('code' in taken) return { refusal: taken }
    const refusal = writeLines(draft, leg.from, taken, amount => [0n, amount], key, 0)
    if (refusal) return { refusal }
    moved.push(taken)
  }
  return {
    movement: { ...blank(draft), key, kind: 'hold', legs, moved, replaces, expiresInMs, meta },
  }
}

function decideSettle(draft: Draft, command: PreparedSettle): Verdict {
  const { hold: key, amounts } = command
  const end = draft.movement(key, 1)
  const held = draft.movement(key, 0)?.moved ?? []
  if (end?.kind === 'settle' && settledAlike(end, held, amounts)) return { replay: end }
  const { ended, hold } = openHold(draft, key)
  if (ended) return { refusal: ended }
  if (!hold) return { refusal: refusals.holdNotFound(key) }
  const { legs } = hold
  if (amounts && amounts.length !== legs.length)
    return { refusal: refusals.amountsMismatch(legs.length, amounts.length) }
  if (hasExpired(hold, draft.recorded)) return { refusal: refusals.holdExpired(key) }

  const asked = amounts ?? hold.moved.map(sum)
  for (const [index, taken] of hold.moved.entries()) {
    const amount = asked[index] ?? 0n
    if (amount > sum(taken))
      return { refusal: refusals.amountExceedsHold(index, sum(taken), amount) }
  }
  const moved: bigint[][] = []
  for (const [index, leg] of legs.entries()) {
    const taken = hold.moved[index] ?? []
    const paid = fill(taken, asked[index] ?? 0n)
    const total = sum(paid)
    const refusal =
      writeLines(draft, leg.from, taken, (held, at) => [-(paid[at] ?? 0n), -held], key, 1) ??
      (total > 0n ? draft.line(leg.to, total, 0n, key, 1) : null)
    if (refusal) return { refusal }
    moved.push(paid)
  }
  return { movement: { ...blank(draft), key, part: 1, kind: 'settle', legs, moved, amounts } }
}

function decideRelease(draft: Draft, command: PreparedRelease): Verdict {
  const { hold: key } = command
  const end = draft.movement(key, 1)
  if (end?.kind === 'release') return { replay: end }
  const { ended, hold } = openHold(draft, key)
  if (ended) return { refusal: ended }
  if (!hold) return { refusal: refusals.holdNotFound(key) }
  if (command.ifExpired && !hasExpired(hold, draft.recorded))
    return { refusal: refusals.holdNotExpired(key) }
  const released = release(draft, hold, command.reason)
  return 'code' in released ? { refusal: released } : { movement: released }
}

function release(draft: Draft, hold: Movement, reason: string | null): Movement | Refusal {
  for (const [index, leg] of hold.legs.entries()) {
    const taken = hold.moved[index] ?? []
    const refusal = writeLines(draft, leg.from, taken, held => [0n, -held], hold.key, 1)
    if (refusal) return refusal
  }
  const { key, legs, moved } = hold
  return { ...blank(draft), key, part: 1, kind: 'release', legs, moved, reason }
}

/** A hold that has not ended, or how it ended; neither where there is no such hold. */
function openHold(draft: Draft, key: string): { ended: Refusal | null; hold: Movement | null } {
  const end = draft.movement(key, 1)
  if (end)
    return {
      ended: end.kind === 'settle' ? refusals.holdSettled(key) : refusals.holdReleased(key),
      hold: null,
    }
  const hold = draft.movement(key, 0)
  return { ended: null, hold: hold?.kind === 'hold' ? hold : null }
}

/** Whether a hold has an end, and it is at or before `now`: recorded + `expiresInMs`. */
export function hasExpired(hold: Movement, now: Instant): boolean {
  return hold.expiresInMs !== null && msBetween(hold.recorded, now) >= hold.expiresInMs
}

function accountsOf(leg: KeptLeg): string[] {
  return [...leg.from, leg.to]
}

function missingAccount(draft: Draft, legs: readonly KeptLeg[]): Refusal | null {
  const id = legs.flatMap(accountsOf).find(each => !draft.account(each))
  return id === undefined ? null : refusals.accountNotFound(id)
}

function unusableAccount(draft: Draft, legs: readonly KeptLeg[]): Refusal | null {
  const closed = legs.flatMap(accountsOf).find(id => draft.account(id)?.closed)
  if (closed !== undefined) return refusals.accountClosed(closed)
  for (const [index, leg] of legs.entries()) {
    const other = accountsOf(leg).find(id => draft.account(id)?.asset !== leg.asset)
    if (other !== undefined) return refusals.assetMismatch(other, index)
  }
  return null
}

/**
 * What each source of a leg gives: in order, each as far as it is available, until the amount is
 * met, or as much as the store can move. Refused below `atLeast`: this is where the floor is kept
 * (I2).
 */
function takeFrom(draft: Draft, leg: KeptLeg, index: number): bigint[] | Refusal {
  const most = least(leg.amount, draft.balanceMax)
  let missing = most
  const taken = leg.from.map(id => {
    const account = draft.account(id)
    const limit = account ? giveable(account, draft.balanceMax) : 0n
    const gives = limit === null || limit > missing ? missing : limit
    missing -= gives
    return gives
  })
  const total = most - missing
  if (total < least(leg.atLeast, draft.balanceMax))
    return refusals.insufficientFunds(index, leg.from, total, leg.atLeast)
  return leg.atLeast > draft.balanceMax ? refusals.balanceTooLarge(leg.to) : taken
}

function least(first: bigint, second: bigint): bigint {
  return first < second ? first : second
}

/** One line for each account with an amount other than 0. */
function writeLines(
  draft: Draft,
  accounts: readonly string[],
  amounts: readonly bigint[],
  change: (amount: bigint, index: number) => [posted: bigint, held: bigint],
  key: string,
  part: 0 | 1,
): Refusal | null {
  for (const [index, id] of accounts.entries()) {
    const amount = amounts[index] ?? 0n
    if (amount === 0n) continue
    const refusal = draft.line(id, ...change(amount, index), key, part)
    if (refusal) return refusal
  }
  return null
}
