import { isPaid, wasSent } from '../payouts/payout.ts'
import type { NumberedLine } from '../statements/intake-ports.ts'
import type { Allocation, LineFinding } from './allocation.ts'
import { isFee, type BankProfile } from './bank-profile.ts'
import { cluesIn, type Clue } from './clues.ts'
import type { FindingKind } from './finding.ts'
import { matchGroup } from './match-group.ts'
import { Matching, NOTHING_SEEN, type Known, type KnownPayout, type Seen } from './matching.ts'
import { partsOf, type Part } from './parts.ts'
import { payeeDiffers } from './payee.ts'
import type { LateReturn } from './ports.ts'

/** What became of some lines. The allocations of a line add up to it. */
export interface Matched {
  readonly clues: readonly Clue[]
  readonly allocations: readonly Allocation[]
  readonly findings: readonly LineFinding[]
}

/**
 * Matches lines of one statement, all of one sweep: each part of each ends in exactly one place.
 * Debits are matched before credits, since what comes back must have left before. Where several
 * lines name one payout, the one with its very amount is taken for it: also where it stands on a
 * later page, since the others wait.
 */
export function matchLines(
  lines: readonly NumberedLine[],
  known: Known,
  seen: Seen,
  bank: BankProfile,
): Matched {
  const matching = new Matching(bank, known, seen)
  const parts = lines.flatMap(partsOf)
  const exact = new Set(parts.filter(part => hasItsAmount(part, matching)))
  const others = parts.filter(part => !exact.has(part))
  for (const part of [...exact, ...others]) matchPart(part, matching)
  const { allocations, findings } = matching
  return { allocations, findings, clues: cluesIn(lines, known, allocations) }
}

/** Debits of a page but for those that wait: what they are depends on what other lines pay. */
export function withoutWaiting(
  lines: readonly NumberedLine[],
  known: Known,
  bank: BankProfile,
): NumberedLine[] {
  const matching = new Matching(bank, known, NOTHING_SEEN)
  return lines.filter(line => !partsOf(line).some(part => waits(part, matching)))
}

function waits(part: Part, matching: Matching): boolean {
  if (part.kind === 'charge') return false
  if (part.kind !== 'one') return true
  return matching.named(part).payouts.length > 0 && !hasItsAmount(part, matching)
}

/**
 * Matches a part of a line again, alone, on what is seen by now. It moved no clue: those of its line
 * are written down.
 */
export function matchAgain(
  { line, place: { detail } }: LateReturn,
  known: Known,
  seen: Seen,
  bank: BankProfile,
): Matched {
  const matching = new Matching(bank, known, seen)
  for (const part of partsOf(line)) if (part.detail === detail) matchPart(part, matching)
  const { allocations, findings } = matching
  return { allocations, findings, clues: [] }
}

function matchPart(part: Part, matching: Matching): void {
  const { payouts, exactly } = matching.named(part)
  if (part.kind === 'charge' || isFee(part.refs, matching.bank.fees, exactly)) {
    matching.allocate(part, 'fees', part.amount)
  } else if (part.kind === 'one') {
    matchOne(part, payouts, matching)
  } else {
    matchGroup(part, payouts, matching)
  }
}

function matchOne(part: Part, payouts: readonly KnownPayout[], matching: Matching): void {
  const [payout, another] = payouts
  if (!payout) {
    matching.suspend(part, 'NOT_IN_OUR_BOOKS')
  } else if (another) {
    matching.suspend(part, 'AMBIGUOUS', { named: payouts.map(({ id }) => id) })
  } else {
    const isDebit = part.direction === 'debit'
    const doubt = isDebit
      ? doubtAboutPaid(part, payout, matching)
      : doubtAboutReturned(part, payout, matching)
    if (doubt === 'PAID_MORE_THAN_ONCE' && !matching.wasSeenElsewhere(part, payout)) {
      matching.overpay(part, payout, part.amount)
      matching.find(part, doubt, { ...matching.about(payout), bank: -part.amount })
    } else if (doubt) matching.suspend(part, doubt, matching.about(payout))
    else if (isDebit) takeAsPaid(part, payout, matching)
    else takeAsReturned(part, payout, matching)
  }
}

/** Why a debit that names a payout does not pay it. */
function doubtAboutPaid(part: Part, payout: KnownPayout, matching: Matching): FindingKind | null {
  // The bank takes back a credit: neither a payment nor a proof of one.
  if (part.reversal) return 'AMBIGUOUS'
  if (matching.wasSeenPaid(payout)) return 'PAID_MORE_THAN_ONCE'
  if (!wasSent(payout)) return 'STATUS_DIFFERS'
  if (payout.asset !== matching.bank.asset) return 'AMOUNT_DIFFERS'
  // Without evidence for the very amount that is on hold, the hold stays.
  const isAmount = split(part, payout.amount).principal === payout.amount
  return isAmount || isPaid(payout) ? null : 'AMOUNT_DIFFERS'
}

function takeAsPaid(part: Part, payout: KnownPayout, matching: Matching): void {
  const { principal, charge } = split(part, payout.amount)
  const about = { ...matching.about(payout), bank: -principal }
  matching.pay(part, payout, principal)
  if (charge > 0n) matching.allocate(part, 'fees', charge)
  if (principal !== payout.amount) {
    matching.overpay(part, payout, principal - payout.amount, 0n)
    matching.find(part, 'AMOUNT_DIFFERS', about)
  }
  if (payout.released) matching.find(part, 'PAID_AFTER_RELEASE', about)
  if (payeeDiffers(part.refs, payout)) matching.find(part, 'PAYEE_DIFFERS', { payout: payout.id })
}

/** Why a credit that names a payout is no return of it. */
function doubtAboutReturned(
  part: Part,
  payout: KnownPayout,
  matching: Matching,
): FindingKind | null {
  if (payout.asset !== matching.bank.asset) return 'AMOUNT_DIFFERS'
  if (!matching.wasPaid(payout)) return 'STATUS_DIFFERS'
  // Files of days that overlap have lines in common; nothing tells these from two equal returns.
  return matching.wasSeenElsewhere(part, payout) ? 'AMBIGUOUS' : null
}

/** What comes back is first what the bank had paid beyond the amount: the owner never paid that. */
function takeAsReturned(part: Part, payout: KnownPayout, matching: Matching): void {
  const left = matching.leftToReturn(payout)
  const { principal, charge } = split(part, left)
  const corrected = least(principal, matching.overpaid(payout))
  const returned = least(principal - corrected, left)
  const beyond = principal - corrected - returned
  if (corrected > 0n) {
    matching.overpay(part, payout, corrected)
    matching.find(part, 'AMBIGUOUS', { ...matching.about(payout), bank: corrected })
  }
  if (returned > 0n) {
    matching.giveBack(part, payout, returned)
    matching.find(part, 'RETURNED', { ...matching.about(payout), bank: returned })
  }
  if (charge > 0n) matching.allocate({ ...part, direction: 'debit' }, 'fees', charge)
  if (beyond > 0n) {
    matching.overpay(part, payout, beyond)
    const bank = principal - corrected
    matching.find(part, 'AMOUNT_DIFFERS', { payout: payout.id, books: left, bank })
  }
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

/**
 * What a part moved for the payout, and what the bank took beside. Charges count where the bank
 * names them, and its own numbers explain the whole difference by them.
 */
function split(part: Part, expected: bigint): { principal: bigint; charge: bigint } {
  const { amount, instructed, charges, direction } = part
  const whole = { principal: amount, charge: 0n }
  if (amount === expected || instructed === null) return whole
  const charge = direction === 'debit' ? amount - instructed : instructed - amount
  if (charge <= 0n || charge !== charges) return whole
  return direction === 'debit' && instructed !== expected
    ? whole
    : { principal: instructed, charge }
}

function hasItsAmount(part: Part, matching: Matching): boolean {
  if (part.kind !== 'one' || part.direction !== 'debit') return false
  const [payout, another] = matching.named(part).payouts
  return payout !== undefined && !another && split(part, payout.amount).principal === payout.amount
}
