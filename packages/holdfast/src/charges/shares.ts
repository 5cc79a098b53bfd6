import type { AccountId } from '../ledger/command.ts'
import { split } from '../money/split.ts'
import { SELLER, type Fee, type Rate, type Role, type ScheduleVersion } from './schedule.ts'

/** An exact amount of minor units, `numerator / denominator`. */
export interface Exact {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** What one role gets of a price. */
export interface Share {
  readonly role: Role
  /** Where it goes; null for the seller. */
  readonly account: AccountId | null
  /** In minor units; may be 0. */
  readonly amount: bigint
  /** What the schedule says to the fraction of a minor unit, before the one rounding. */
  readonly exact: Exact
}

/** The recipients that a charge names, by role. */
export type Recipients = Readonly<Record<Role, AccountId>>

/**
 * Who gets what of a gross amount, in minor units: the only way from a price to a share. All shares
 * are worked out exactly and rounded once, by largest remainder, so they add up to the gross, and
 * no two ways of writing the same share disagree. The seller is the first and gets what the fees
 * leave. Of equal remainders the first is rounded up.
 */
export function sharesOf(
  version: ScheduleVersion,
  gross: bigint,
  recipients: Recipients = {},
): Share[] {
  const accounts = new Map(Object.entries({ ...version.accounts, ...recipients }))
  const applied = version.fees.filter(fee => accounts.has(fee.role))
  const exact = new Map<Role, Exact>([[SELLER, whole(0n)]])
  let rest = whole(gross)
  for (const fee of applied) {
    const taken = feeOf(fee, whole(gross), rest)
    exact.set(fee.role, plus(exact.get(fee.role) ?? whole(0n), taken))
    rest = minus(rest, taken)
  }
  exact.set(SELLER, rest)
  const amounts = split(gross, weights([...exact.values()]))
  return [...exact].map(([role, share], index) => ({
    role,
    account: accounts.get(role) ?? null,
    amount: amounts[index] ?? 0n,
    exact: reduced(share),
  }))
}

/** The recipient's role that the version has no fee for; null where there is none. */
export function unknownRole(version: ScheduleVersion, recipients: Recipients): Role | null {
  const known = new Set(version.fees.map(fee => fee.role))
  return Object.keys(recipients).find(role => !known.has(role)) ?? null
}

function feeOf({ rate, of, fixed, minimum, maximum }: Fee, gross: Exact, rest: Exact): Exact {
  const part = rate === undefined ? whole(0n) : times(of === 'rest' ? rest : gross, fraction(rate))
  const sum = plus(part, whole(fixed ?? 0n))
  const atLeast = minimum === undefined || !isLess(sum, whole(minimum)) ? sum : whole(minimum)
  const atMost =
    maximum === undefined || !isLess(whole(maximum), atLeast) ? atLeast : whole(maximum)
  return isLess(rest, atMost) ? rest : atMost
}

function fraction(rate: Rate): Exact {
  return 'basisPoints' in rate
    ? { numerator: BigInt(rate.basisPoints), denominator: 10_000n }
    : rate
}

/** Over their common denominator, exact amounts are weights of whole numbers. */
function weights(amounts: readonly Exact[]): bigint[] {
  const common = amounts.reduce((product, each) => product * each.denominator, 1n)
  // A gross of 0 has nothing to weigh.
  if (amounts.every(each => each.numerator === 0n)) return amounts.map(() => 1n)
  return amounts.map(each => (each.numerator * common) / each.denominator)
}

function whole(amount: bigint): Exact {
  return { numerator: amount, denominator: 1n }
}

function plus(a: Exact, b: Exact): Exact {
  return reduced({
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  })
}

function minus(a: Exact, b: Exact): Exact {
  return plus(a, { numerator: -b.numerator, denominator: b.denominator })
}

function times(a: Exact, b: Exact): Exact {
  return { numerator: a.numerator * b.numerator, denominator: a.denominator * b.denominator }
}

function isLess(a: Exact, b: Exact): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator
}

function reduced({ numerator, denominator }: Exact): Exact {
  let [a, b] = [numerator, denominator]
  while (b !== 0n) [a, b] = [b, a % b]
  const divisor = a < 0n ? -a : a
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}
