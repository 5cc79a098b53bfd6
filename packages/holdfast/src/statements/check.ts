import type { Money, StatementLine } from './statement.ts'

/** How many lines there are on one side, and what they sum up to in minor units. */
export interface Side {
  readonly count: bigint
  readonly sum: bigint
}

/** The lines of one currency, by side. */
export interface Sums {
  readonly debit: Side
  readonly credit: Side
}

const NOTHING: Side = { count: 0n, sum: 0n }
const NO_SUMS: Sums = { debit: NOTHING, credit: NOTHING }

/** Counts and sums up the lines of one statement while they go by, in memory that does not grow. */
export class Tally {
  readonly #booked = new Map<string, Sums>()
  readonly #all = new Map<string, Sums>()

  add(line: StatementLine): void {
    addTo(this.#all, line)
    if (line.status === 'booked') addTo(this.#booked, line)
  }

  /** The booked lines by currency: what moves the balance. */
  get booked(): ReadonlyMap<string, Sums> {
    return this.#booked
  }

  /** All lines by currency, whatever their status. */
  get all(): ReadonlyMap<string, Sums> {
    return this.#all
  }
}

/** The sums of one currency, zeros where it has no lines. */
export function sumsIn(sums: ReadonlyMap<string, Sums>, currency: string): Sums {
  return sums.get(currency) ?? NO_SUMS
}

function addTo(totals: Map<string, Sums>, line: StatementLine): void {
  const sums = totals.get(line.currency) ?? NO_SUMS
  const side = sums[line.direction]
  const grown = { count: side.count + 1n, sum: side.sum + line.amount }
  totals.set(line.currency, { ...sums, [line.direction]: grown })
}

/** A total that the file states, and what it may be by the file's own lines. */
export interface ControlTotal {
  readonly name: string
  readonly says: bigint
  /** One value, or several where the format leaves open which lines count. */
  readonly found: readonly bigint[]
}

/** What a statement says of itself. Balances are signed. */
export interface Claims {
  /** The account's currency, where it is stated. */
  readonly currency: string | null
  readonly opening: Money | null
  readonly closing: Money | null
  readonly controls: readonly ControlTotal[]
}

/**
 * Whether a statement adds up; `balancesAddUp` is null where there are no two balances to compare.
 */
export type Verdict =
  | { readonly ok: true; readonly balancesAddUp: true | null }
  | { readonly ok: false; readonly why: string }

/**
 * The one place that says whether a statement adds up, for every format: opening and booked lines
 * make the closing, all in the account's currency, and every control total is what the lines give.
 * In "does not add up by N", N is closing - (opening + lines), in minor units.
 */
export function checkStatement(claims: Claims, tally: Tally): Verdict {
  const why = whyBalancesDisagree(claims, tally) ?? whyControlsDisagree(claims.controls)
  if (why !== null) return { ok: false, why }
  return { ok: true, balancesAddUp: claims.opening && claims.closing ? true : null }
}

function whyBalancesDisagree({ currency, opening, closing }: Claims, tally: Tally): string | null {
  if (opening && closing && opening.currency !== closing.currency)
    return `balances in two currencies (opening ${opening.currency}, closing ${closing.currency}): they cannot add up`
  const balance = opening ?? closing
  if (balance && currency !== null && balance.currency !== currency)
    return `balances in ${balance.currency} on an account in ${currency}: they cannot add up`
  if (!opening || !closing) return null
  const foreign = [...tally.booked.keys()].find(code => code !== opening.currency)
  if (foreign !== undefined)
    return `a booked line in ${foreign} on an account in ${opening.currency}: it cannot add up`
  const { debit, credit } = sumsIn(tally.booked, opening.currency)
  const difference = closing.amount - (opening.amount + credit.sum - debit.sum)
  return difference === 0n ? null : `does not add up by ${difference}`
}

function whyControlsDisagree(controls: readonly ControlTotal[]): string | null {
  const wrong = controls.find(({ says, found }) => !found.includes(says))
  if (wrong === undefined) return null
  const found = [...new Set(wrong.found)].join(' or ')
  return `control total does not add up: ${wrong.name} says ${wrong.says}, the lines give ${found}`
}
