/** Every kind of difference between books and bank that a person must see. */
export const FINDING_KINDS = [
  'NOT_IN_OUR_BOOKS',
  'PAID_MORE_THAN_ONCE',
  'AMOUNT_DIFFERS',
  'PAYEE_DIFFERS',
  'STATUS_DIFFERS',
  'NOT_ON_STATEMENT',
  'RETURNED',
  'PAID_AFTER_RELEASE',
  'AMBIGUOUS',
  'BALANCE_DIFFERS',
] as const

/** One of {@link FINDING_KINDS}. */
export type FindingKind = (typeof FINDING_KINDS)[number]

/** What a kind says, in one sentence for a person. */
export const FINDING_MEANINGS: Readonly<Record<FindingKind, string>> = {
  NOT_IN_OUR_BOOKS: 'The bank moved money that our books know nothing of',
  PAID_MORE_THAN_ONCE: 'The bank paid this payout before',
  AMOUNT_DIFFERS: 'The bank moved another amount than our books say',
  PAYEE_DIFFERS: 'The bank names another payee than the payout',
  STATUS_DIFFERS: 'The bank moved money that by our books was never sent',
  NOT_ON_STATEMENT: 'Our books say paid, and no final statement shows it',
  RETURNED: 'The money came back after it was paid',
  PAID_AFTER_RELEASE: 'The bank paid after the money was given back to its owner',
  AMBIGUOUS: 'The line can be read in more than one way, so it was matched with nothing',
  BALANCE_DIFFERS: 'Our account for the bank is not what the bank says',
}

/** Where a line stands. */
export interface LinePlace {
  /** The SHA-256 of the file, in hexadecimal. */
  readonly hash: string
  /** The statement in the file and the line in the statement, each counts from 1. */
  readonly statement: number
  /** 0 where the finding is about the statement as a whole. */
  readonly line: number
  /** The detail of a batch line, counts from 1; 0 is the line itself. */
  readonly detail: number
}

/** A difference between books and bank that a person must see. It holds no personal data. */
export interface Finding {
  readonly kind: FindingKind
  /** Null for what is missing from every statement. */
  readonly place: LinePlace | null
  /** The payout that it is about, where there is one. */
  readonly payout: string | null
  /** Every payout that the line names. */
  readonly named: readonly string[]
  /**
   * What our books and what the bank says, in minor units, where an amount says something; negative
   * for money that leaves the account at the bank.
   */
  readonly books: bigint | null
  readonly bank: bigint | null
}
