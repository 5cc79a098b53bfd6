import { addMs } from '../instant.ts'
import { sum } from '../money/amount.ts'
import { nameOf, type Difference } from './check-codes.ts'
import type { Key } from './command.ts'
import type { KeptLeg, Movement } from './movement.ts'

type Amounts = Movement['moved']

/** What is wrong with a movement by itself: its legs, and the amounts that moved in them. */
export function faultsOf(movement: Movement): Difference[] {
  const { key, kind, legs, moved } = movement
  const wellFormed =
    legs.length > 0 &&
    moved.length === legs.length &&
    legs.every((leg, index) => isWellFormed(leg, moved[index] ?? []))
  if (!wellFormed) {
    const found = `${legsInText(legs)}, moved ${inText(moved)}`
    const message = `${nameOf(movement)}: no command has such legs and amounts: ${found}`
    return [{ code: 'MOVEMENT_MALFORMED', key, found, message }]
  }
  if (kind !== 'transfer' && kind !== 'hold') return []
  return legs.flatMap((leg, index): Difference[] => {
    const total = sum(moved[index] ?? [])
    if (total >= leg.atLeast && total <= leg.amount) return []
    const expected = total > leg.amount ? leg.amount : leg.atLeast
    const rule = `at least ${leg.atLeast} and at most ${leg.amount}`
    const message = `${key}: legs[${index}] moved ${total}, not ${rule}`
    return [{ code: 'MOVED_OUTSIDE_LEG', key, expected, found: total, message }]
  })
}

function isWellFormed(leg: KeptLeg, moved: readonly bigint[]): boolean {
  return (
    leg.from.length > 0 &&
    leg.from.every((source, index) => leg.from.indexOf(source) === index) &&
    !leg.from.includes(leg.to) &&
    leg.atLeast > 0n &&
    leg.atLeast <= leg.amount &&
    moved.length === leg.from.length &&
    moved.every(amount => amount >= 0n)
  )
}

/** What is wrong with the end of a hold: it needs an open hold, and pays what that one held. */
export function faultsOfEnd(end: Movement, hold: Movement | null): Difference[] {
  const { key, kind, amounts, recorded } = end
  const name = nameOf(end)
  if (!hold)
    return [{ code: 'HOLD_MISSING', key, message: `${name}: there is no open hold ${key}` }]
  const faults: Difference[] = []
  const expires = hold.expiresInMs === null ? null : addMs(hold.recorded, hold.expiresInMs)
  if (kind === 'settle' && expires !== null && recorded >= expires)
    faults.push({
      code: 'SETTLED_AFTER_EXPIRY',
      key,
      expected: expires,
      found: recorded,
      message: `${name}: settled at ${recorded}, the hold had expired at ${expires}`,
    })
  const asked = kind === 'settle' ? (amounts ?? hold.moved.map(sum)) : hold.moved.map(sum)
  const fitting = hold.moved.map((held, leg) => firstFirst(held, asked[leg] ?? 0n))
  faults.push(
    ...mismatch('END_DIFFERS_FROM_HOLD', end, hold.legs, fitting, asked, `the hold ${key}`),
  )
  return faults
}

/** What is wrong with a hold that replaced another, whose movements are `replaced`. */
export function faultsOfReplacing(hold: Movement, replaced: readonly Movement[]): Difference[] {
  const { key, replaces, recorded } = hold
  const end = replaced.find(each => each.part === 1)
  if (replaces === null || (end?.kind === 'release' && end.recorded === recorded)) return []
  const message = `${key}: hold ${replaces} was not released in the same step`
  return [{ code: 'REPLACED_HOLD_NOT_RELEASED', key, expected: replaces, message }]
}

/** What reversals have left of an original. */
export interface Original {
  readonly key: Key
  readonly legs: readonly KeptLeg[]
  /** Leg by leg and source by source. */
  left: Amounts
}

/** What can be reversed among the movements of a key: a transfer, or a hold that was settled. */
export function originalOf(key: Key, movements: readonly Movement[]): Original | null {
  const given = movements.find(({ kind }) => kind === 'transfer' || kind === 'settle')
  return given ? { key, legs: given.legs, left: given.moved } : null
}

/** What is wrong with a reversal; takes what it paid back off what is left of the original. */
export function faultsOfReversal(reversal: Movement, original: Original | null): Difference[] {
  const { key, of, moved, amounts } = reversal
  if (!original) {
    const message = `${key}: there is no transfer and no settled hold ${of ?? ''} to reverse`
    return [{ code: 'ORIGINAL_MISSING', key, ...(of !== null && { expected: of }), message }]
  }
  const { left, legs } = original
  original.left = left.map((sources, leg) =>
    sources.map((amount, source) => {
      const rest = amount - (moved[leg]?.[source] ?? 0n)
      return rest > 0n ? rest : 0n
    }),
  )
  const excess = left.findIndex((sources, leg) => sum(moved[leg] ?? []) > sum(sources))
  if (excess >= 0) {
    const [expected, found] = [sum(left[excess] ?? []), sum(moved[excess] ?? [])]
    const message = `${key}: paid back ${found} of legs[${excess}] of ${original.key}, ${expected} were left`
    return [{ code: 'REVERSED_TOO_MUCH', key, expected, found, message }]
  }
  const asked = amounts ?? left.map(sum)
  const fitting = left.map((sources, leg) => lastFirst(sources, asked[leg] ?? 0n))
  return mismatch('REVERSAL_DIFFERS', reversal, legs, fitting, asked, original.key)
}

/** Compares the legs, and what moved, with those of what a movement ends or mirrors. */
function mismatch(
  code: 'END_DIFFERS_FROM_HOLD' | 'REVERSAL_DIFFERS',
  movement: Movement,
  legs: readonly KeptLeg[],
  fitting: Amounts,
  asked: readonly bigint[],
  from: string,
): Difference[] {
  const { key, moved } = movement
  const name = nameOf(movement)
  if (legsInText(movement.legs) !== legsInText(legs)) {
    const message = `${name}: its legs are not those of ${from}`
    return [{ code, key, expected: legsInText(legs), found: legsInText(movement.legs), message }]
  }
  const expected = inText(fitting)
  const found = inText(moved)
  if (found !== expected)
    return [{ code, key, expected, found, message: `${name}: moved ${found}, not ${expected}` }]
  const possible = fitting.map(sum).join(';')
  if (asked.join(';') === possible) return []
  const message = `${name}: asked for ${asked.join(';')}, but moved ${possible}`
  return [{ code, key, expected: asked.join(';'), found: possible, message }]
}

/** The first gives first: as much of `amount` as each of `available` allows. */
function firstFirst(available: readonly bigint[], amount: bigint): bigint[] {
  let missing = amount
  return available.map(each => {
    const gives = each < missing ? each : missing
    missing -= gives
    return gives
  })
}

function lastFirst(available: readonly bigint[], amount: bigint): bigint[] {
  return firstFirst([...available].reverse(), amount).reverse()
}

/** Sources with a comma between them, legs with a semicolon. */
function inText(moved: Amounts): string {
  return moved.map(String).join(';')
}

function legsInText(legs: readonly KeptLeg[]): string {
  return legs
    .map(({ from, to, asset, amount, atLeast }) =>
      [from.join(','), 'to', to, atLeast === amount ? amount : `${atLeast}-${amount}`, asset].join(
        ' ',
      ),
    )
    .join('; ')
}
