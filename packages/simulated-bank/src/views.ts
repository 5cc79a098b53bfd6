import type { Book, Payment } from './book.ts'
import { sum } from './statement.ts'

/** A payment as the HTTP interface shows it; amounts in minor units as decimal strings. */
export interface PaymentView {
  readonly id: string
  readonly status: 'processing' | 'paid' | 'refused' | 'returned'
  readonly amount: string
  readonly currency: string
  /** The bank's own reference on the statement, once it is paid. */
  readonly reference: string | null
  /** What came back after it was paid. */
  readonly returned: string
  /** For a refused one. */
  readonly reason?: string
}

/** Everything the bank knows of itself, for tests. Amounts in minor units as decimal strings. */
export interface LedgerView {
  readonly account: { readonly iban: string; readonly currency: string; readonly scale: number }
  readonly opening: string
  readonly balance: string
  readonly totals: {
    /** How many times money left, not how many ids. */
    readonly payments: number
    readonly paid: string
    readonly returned: string
    readonly fees: string
    readonly foreign: string
  }
  readonly payments: readonly LedgerPayment[]
}

/** The truth about one id. */
export interface LedgerPayment {
  readonly id: string
  /** How often it was sent, and the faults that bent the answers. */
  readonly sends: number
  readonly faults: readonly string[]
  /** How often money left for it: more than 1 is a double payment. */
  readonly timesPaid: number
  readonly paid: string
  readonly returned: string
  readonly status: PaymentView['status'] | 'never-taken'
}

/** What is told of a payment. */
export function paymentView(payment: Payment): PaymentView {
  const { id, amount, currency } = payment.instruction
  const view = {
    id,
    status: statusOf(payment),
    amount: String(amount),
    currency,
    reference: payment.reference,
    returned: String(payment.returned),
  }
  return payment.reason === null ? view : { ...view, reason: payment.reason }
}

/** What is told of the whole book. */
export function ledgerView(book: Book): LedgerView {
  const { iban, currency, scale, opening } = book.account
  const total = (kind: string): bigint => sum(book.lines.filter(line => line.kind === kind))
  return {
    account: { iban, currency, scale },
    opening: String(opening),
    balance: String(opening + sum(book.lines)),
    totals: {
      payments: book.lines.filter(line => line.kind === 'payment').length,
      paid: String(-total('payment')),
      returned: String(total('return')),
      fees: String(-total('fee')),
      foreign: String(total('foreign')),
    },
    payments: [...book.sends.keys()].map(id => ledgerPayment(book, id)),
  }
}

function ledgerPayment(book: Book, id: string): LedgerPayment {
  const payments = book.byId.get(id) ?? []
  const paid = payments.filter(payment => payment.state === 'paid')
  const newest = payments.at(-1)
  const sends = book.sends.get(id)
  return {
    id,
    sends: sends?.count ?? 0,
    faults: sends?.faults ?? [],
    timesPaid: paid.length,
    paid: String(paid.reduce((total, payment) => total + payment.instruction.amount, 0n)),
    returned: String(payments.reduce((total, payment) => total + payment.returned, 0n)),
    status: newest ? statusOf(newest) : 'never-taken',
  }
}

function statusOf(payment: Payment): PaymentView['status'] {
  if (payment.state === 'working') return 'processing'
  return payment.returned > 0n ? 'returned' : payment.state
}
