import type { Account } from './account.ts'
import type { BankEvent } from './event.ts'
import type { Fault, FaultKind, SeededFaults, Shows } from './faults.ts'
import { addMs, dayOf } from './instant.ts'
import type { Day, Instant } from './instant.ts'
import { fromRecord } from './instruction.ts'
import type { Instruction } from './instruction.ts'

/** One payment as the bank keeps it. A key that is honoured has one; without keys there are more. */
export interface Payment {
  readonly number: number
  readonly instruction: Instruction
  readonly acceptedAt: Instant
  readonly shows: Shows
  state: 'working' | 'paid' | 'refused'
  /** When the bank does the next thing with it by itself; null: only when told to. */
  dueAt: Instant | null
  readonly returns: { readonly amount: bigint; readonly afterMs: number | null } | null
  /** In minor units. */
  returned: bigint
  reference: string | null
  reason: string | null
}

/** A booked line of the account. Lines never change. */
export interface Line {
  readonly kind: 'payment' | 'fee' | 'return' | 'foreign'
  /** The bank's own reference, its place in the book: `SB0000000001`. */
  readonly reference: string
  readonly at: Instant
  /** In minor units, negative for money that leaves. */
  readonly amount: bigint
  readonly endToEndId: string | null
  readonly party: { readonly name: string; readonly account: string } | null
  readonly text: string
}

/** What the bank has seen of one id. */
export interface Sends {
  count: number
  readonly faults: FaultKind[]
}

/** The bank's whole book: what its file says, folded. */
export interface Book {
  readonly account: Account
  readonly openedAt: Instant
  lastAt: Instant
  readonly payments: Payment[]
  readonly byId: Map<string, Payment[]>
  /** Payments with something left to do: to be paid, or to be returned. */
  readonly waiting: Set<Payment>
  readonly sends: Map<string, Sends>
  readonly lines: Line[]
  readonly foreignDays: Set<Day>
  readonly faults: Map<string, Fault>
  seeded: SeededFaults | null
}

/** The book of an account on which nothing has happened. */
export function emptyBook(account: Account, openedAt: Instant): Book {
  return {
    account,
    openedAt,
    lastAt: openedAt,
    payments: [],
    byId: new Map(),
    waiting: new Set(),
    sends: new Map(),
    lines: [],
    foreignDays: new Set(),
    faults: new Map(),
    seeded: null,
  }
}

/** The newest payment under an id. */
export function latest(book: Book, id: string): Payment | undefined {
  return book.byId.get(id)?.at(-1)
}

/** Takes one event into the book. The same events always give the same book. */
export function record(book: Book, event: BankEvent): void {
  if (event.at > book.lastAt) book.lastAt = event.at
  switch (event.event) {
    case 'opened':
      throw new Error('An account is opened once, on the first line')
    case 'received':
      recordSend(book, event.id, event.fault)
      break
    case 'accepted': {
      const returns = event.returns && { ...event.returns, amount: BigInt(event.returns.amount) }
      addPayment(book, event, { dueAt: event.payAt, shows: event.shows, returns })
      break
    }
    case 'refused':
      addPayment(book, event, { dueAt: null, shows: 'processing', returns: null }, event.reason)
      break
    case 'foreign':
      book.foreignDays.add(dayOf(event.at))
      addLine(book, foreignLine(event.at, BigInt(event.amount)))
      break
    case 'paid':
      recordPaid(book, paymentOf(book, event.payment), event.at)
      break
    case 'returned':
      recordReturned(book, paymentOf(book, event.payment), event.at, BigInt(event.amount))
      break
    case 'fault-set':
      book.faults.set(event.id, event.fault)
      break
    case 'rates-set':
      book.seeded = event.seeded
      break
    case 'faults-cleared':
      book.faults.clear()
      book.seeded = null
      break
    default:
      throw new Error('The bank does not know this kind of event')
  }
}

function recordSend(book: Book, id: string, fault: FaultKind | null): void {
  const sends = book.sends.get(id) ?? { count: 0, faults: [] }
  sends.count += 1
  if (fault) sends.faults.push(fault)
  book.sends.set(id, sends)
}

function addPayment(
  book: Book,
  event: Extract<BankEvent, { event: 'accepted' | 'refused' }>,
  plan: Pick<Payment, 'dueAt' | 'shows' | 'returns'>,
  refusal: string | null = null,
): void {
  if (event.payment !== book.payments.length) {
    throw new Error(`Payment ${event.payment} stands where ${book.payments.length} belongs`)
  }
  const payment: Payment = {
    number: event.payment,
    instruction: fromRecord(event.instruction),
    acceptedAt: event.at,
    state: refusal === null ? 'working' : 'refused',
    ...plan,
    returned: 0n,
    reference: null,
    reason: refusal,
  }
  book.payments.push(payment)
  const { id } = payment.instruction
  book.byId.set(id, [...(book.byId.get(id) ?? []), payment])
  if (payment.state === 'working') book.waiting.add(payment)
}

function recordPaid(book: Book, payment: Payment, at: Instant): void {
  const { amount, payeeName, destination, endToEndId } = payment.instruction
  payment.state = 'paid'
  payment.reference = addLine(book, {
    kind: 'payment',
    at,
    amount: -amount,
    endToEndId,
    party: { name: payeeName, account: destination },
    text: `Transfer to ${payeeName}`,
  })
  if (book.account.fee > 0n) {
    const text = `Fee for transfer ${payment.reference}`
    const amount = -book.account.fee
    addLine(book, { kind: 'fee', at, amount, endToEndId: null, party: null, text })
  }
  const { returns } = payment
  if (!returns) book.waiting.delete(payment)
  const afterMs = returns?.afterMs ?? null
  payment.dueAt = afterMs === null ? null : addMs(at, afterMs)
}

function recordReturned(book: Book, payment: Payment, at: Instant, amount: bigint): void {
  const { payeeName, destination, endToEndId } = payment.instruction
  payment.returned += amount
  payment.dueAt = null
  book.waiting.delete(payment)
  addLine(book, {
    kind: 'return',
    at,
    amount,
    endToEndId,
    party: { name: payeeName, account: destination },
    text: `Return of transfer ${payment.reference ?? ''}, account closed`,
  })
}

function foreignLine(at: Instant, amount: bigint): Omit<Line, 'reference'> {
  return {
    kind: 'foreign',
    at,
    amount,
    endToEndId: 'INV-2209',
    party: { name: 'Northwind Stationery', account: 'NL41PAYE0000000042' },
    text: 'Refund for invoice 2209',
  }
}

function addLine(book: Book, line: Omit<Line, 'reference'>): string {
  const reference = `SB${String(book.lines.length + 1).padStart(10, '0')}`
  book.lines.push({ reference, ...line })
  return reference
}

function paymentOf(book: Book, number: number): Payment {
  const payment = book.payments[number]
  if (!payment) throw new Error(`There is no payment ${number}`)
  return payment
}
