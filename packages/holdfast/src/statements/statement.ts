/**
 * What every reader makes of a bank's file: the same lines, whatever the format. Amounts are
 * positive `bigint`s in minor units of the currency, zero where the bank printed a zero; the side
 * is in `direction`.
 */

/** A reference the bank printed: text, or a list where it occurs more than once. */
export type Reference = string | readonly string[]

/** An amount in minor units of its currency. */
export interface Money {
  readonly amount: bigint
  /** An ISO 4217 code. */
  readonly currency: string
}

/** A part of a line that was booked as a group, as far as the file says anything of it. */
export interface LineDetail extends Partial<Money> {
  readonly refs: Readonly<Record<string, Reference>>
}

/** One thing that the bank says happened on the account. */
export interface StatementLine extends Money {
  /** Seen from the account: a debit takes money out of it. */
  readonly direction: 'debit' | 'credit'
  readonly status: 'booked' | 'pending' | 'info'
  /** Whether the bank calls the line the reversal of an earlier one. */
  readonly reversal: boolean
  /** Days as the bank printed them, `2026-11-30`, or null. */
  readonly booked: string | null
  readonly value: string | null
  /** The value date as printed, where it is no calendar date. */
  readonly valueRaw?: string
  /** The bank's own reference. */
  readonly bankRef: string | null
  /** Everything that may carry our id, by its name in the format. */
  readonly refs: Readonly<Record<string, Reference>>
  /** A group that was booked as one line, with what the file says of its parts. */
  readonly batch: { readonly count: number | null; readonly details: readonly LineDetail[] } | null
  /** What was instructed, where the line's only detail differs from what moved. */
  readonly txAmount?: Money
  readonly charges?: readonly Money[]
}

/** What a statement says of itself, beside its lines. */
export interface Statement {
  readonly id: string | null
  readonly account: string | null
  readonly currency: string | null
  /** Signed, in minor units. */
  readonly opening: bigint | null
  readonly closing: bigint | null
  /** Null where the two balances cannot be compared. */
  readonly balancesAddUp: boolean | null
}

/**
 * What a reader hands out, in the order of the file: a statement begins, its lines, its head at the
 * end. `statement` counts from 0; `format` is the file's, `camt.053.001.08` or `csv`. Nothing
 * counts before the events have ended: a reader that throws a `StatementRefused` has refused the
 * whole file.
 */
export type StatementEvent =
  | { readonly type: 'statement'; readonly statement: number; readonly format: string }
  | { readonly type: 'line'; readonly statement: number; readonly line: StatementLine }
  | { readonly type: 'end'; readonly statement: number; readonly head: Statement }
