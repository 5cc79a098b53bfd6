import type { FindingKind } from './finding.ts'

/** The account of our books, beside that of the bank, on which a part of a line is kept. */
export type Place = 'clearing' | 'fees' | 'suspense'

/**
 * A part of a line and where it ended. The parts of a line add up to the line, both in `books` and
 * in `bank`. Signed in minor units, negative where money leaves the account at the bank.
 */
export interface Allocation {
  readonly line: number
  /** Counts from 0 in the line. */
  readonly part: number
  /** The detail of a batch line, counts from 1; 0 is the line itself. */
  readonly detail: number
  readonly place: Place
  /** The payout that it is about, and what it is to it: at most one part pays a payout. */
  readonly payout: string | null
  readonly role: 'pays' | 'returns' | null
  /** What our books take it for, and what the bank printed for it. */
  readonly books: bigint
  readonly bank: bigint
}

/** A finding about a line of the statement at hand. */
export interface LineFinding {
  readonly line: number
  readonly detail: number
  readonly kind: FindingKind
  readonly payout: string | null
  readonly named: readonly string[]
  readonly books: bigint | null
  readonly bank: bigint | null
}
