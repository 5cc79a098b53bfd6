import type { BankProfile } from '../../src/reconciliation/bank-profile.ts'
import type { KnownPayout } from '../../src/reconciliation/matching.ts'
import type { StatementLine } from '../../src/statements/statement.ts'

/** The bank of these tests: it marks its fees by a code, and one kind only by a text. */
export const BANK: BankProfile = {
  name: 'testbank',
  gateway: 'test',
  asset: 'EUR/2',
  account: null,
  bookedWithinDays: 0,
  fees: [
    { ref: 'typeCode', equals: 'FEE' },
    { ref: 'additionalInfo', startsWith: 'Fee for ' },
  ],
}

/** 15 characters of `A-Z0-9`, another one for each number. */
export function idOf(number: number): string {
  return `PAY${String(number).padStart(12, '0')}`
}

/** A payout that was paid, but for what is said. */
export function payout(number: number, fields: Partial<KnownPayout> = {}): KnownPayout {
  return {
    id: idOf(number),
    book: 'book',
    requestKey: `request-${number}`,
    batch: null,
    account: `user:${number}`,
    gateway: BANK.gateway,
    asset: BANK.asset,
    amount: 1_000n,
    payeeName: `Payee ${number}`,
    destination: `NL91ABNA${String(number).padStart(10, '0')}`,
    status: 'success',
    reason: null,
    retryOf: null,
    reference: null,
    returned: 0n,
    createdAt: '2026-11-02T09:00:00.000Z',
    updatedAt: '2026-11-02T09:00:00.000Z',
    released: false,
    ...fields,
  }
}

/** A booked debit of 10.00, but for what is said. */
export function line(fields: Partial<StatementLine> = {}): StatementLine {
  return {
    amount: 1_000n,
    currency: 'EUR',
    direction: 'debit',
    status: 'booked',
    reversal: false,
    booked: '2026-11-02',
    value: '2026-11-02',
    bankRef: null,
    refs: {},
    batch: null,
    ...fields,
  }
}

/** The line with which the bank pays a payout. */
export function payment(of: KnownPayout, fields: Partial<StatementLine> = {}): StatementLine {
  return line({ amount: of.amount, refs: { endToEndId: of.id, payee: of.payeeName }, ...fields })
}
