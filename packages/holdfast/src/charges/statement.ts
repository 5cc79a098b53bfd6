import type { Instant } from '../instant.ts'
import type { AccountId, Asset } from '../ledger/command.ts'
import type { Entry, Movement } from '../ledger/movement.ts'
import { sum } from '../money/amount.ts'
import { isConversion } from './convert.ts'
import { readCharge, type ChargeRecord } from './record.ts'
import { SELLER, type Role } from './schedule.ts'

/** One change of a seller's posted balance, with all that is needed to say why. */
export interface StatementLine {
  readonly recorded: Instant
  /** In minor units; below 0 where the balance fell. */
  readonly change: bigint
  /** The posted balance after it. */
  readonly posted: bigint
  /** The movements under its key. */
  readonly movements: readonly Movement[]
  readonly part: 0 | 1
  /** For a reversal: the movements under the key of its original. */
  readonly originals: readonly Movement[]
}

/** What happened on a seller's account in one month of UTC, in minor units. */
export interface StatementMonth {
  /** `2026-01`. */
  readonly month: string
  /** What was owed to the seller before it. */
  readonly opening: bigint
  /** What buyers paid. */
  readonly sales: bigint
  /** Of that, what each role got; with `earned` it adds up to `sales`. */
  readonly fees: ReadonlyMap<Role, bigint>
  readonly earned: bigint
  /** What the seller gave back of it. */
  readonly refunded: bigint
  /** What was paid out, less what was returned of it. */
  readonly paidOut: bigint
  /** What became another asset (below 0: what came of one). */
  readonly converted: bigint
  /** What changed the balance and is none of these. */
  readonly other: bigint
  /** What is still owed: below 0 where the seller owes. */
  readonly owed: bigint
}

/** What happened to a seller, month by month: `opening + earned - refunded - paidOut - converted + other = owed`. */
export interface SellerStatement {
  readonly account: AccountId
  readonly asset: Asset
  readonly months: readonly StatementMonth[]
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Month = Mutable<Omit<StatementMonth, 'fees'>> & { readonly fees: Map<Role, bigint> }

/** Sums the lines of an account, the oldest first, by the month in which they were recorded. */
export function monthsOf(account: AccountId, lines: readonly StatementLine[]): StatementMonth[] {
  const months = new Map<string, Month>()
  let owed = 0n
  for (const line of lines) {
    const name = line.recorded.slice(0, 7)
    const month = months.get(name) ?? newMonth(name, owed)
    months.set(name, month)
    addLine(account, month, line)
    owed = line.posted
    month.owed = owed
  }
  return [...months.values()]
}

/** The posted balance before a line is that of the line before: an account begins at 0. */
export function lineChange(entry: Entry, before: Entry | undefined): bigint {
  return entry.posted - (before?.posted ?? 0n)
}

function newMonth(month: string, opening: bigint): Month {
  const none = { sales: 0n, earned: 0n, refunded: 0n, paidOut: 0n, converted: 0n, other: 0n }
  return { month, opening, fees: new Map(), ...none, owed: opening }
}

function addLine(account: AccountId, month: Month, line: StatementLine): void {
  const { change, movements, part, originals } = line
  const movement = movements.find(each => each.part === part)
  if (!movement || change === 0n) return
  const charge = readCharge(movements)
  if (charge?.took === movement && isSellerOf(charge, account)) {
    addSale(month, charge, movement)
    month.earned += change
  } else if (movement.kind === 'reverse' && isSellerOf(readCharge(originals), account)) {
    month.refunded -= change
  } else if (isPayout(account, movement.kind === 'reverse' ? originals : movements)) {
    month.paidOut -= change
  } else if (isConversion(movement)) {
    month.converted -= change
  } else {
    month.other += change
  }
}

function addSale(month: Month, { priceLegs }: ChargeRecord, { moved }: Movement): void {
  for (const { role, index } of priceLegs) {
    const amount = sum(moved[index] ?? [])
    month.sales += amount
    if (role !== SELLER) month.fees.set(role, (month.fees.get(role) ?? 0n) + amount)
  }
}

function isSellerOf(charge: ChargeRecord | null, account: AccountId): boolean {
  return charge?.priceLegs.some(({ role, leg }) => role === SELLER && leg.to === account) === true
}

/** A payout is a hold of one leg to where its gateway's money stands, as payouts make it. */
function isPayout(account: AccountId, [hold]: readonly Movement[]): boolean {
  const [leg] = hold?.legs ?? []
  return (
    hold?.kind === 'hold' &&
    hold.legs.length === 1 &&
    leg?.from[0] === account &&
    leg.to.startsWith('clearing:')
  )
}
