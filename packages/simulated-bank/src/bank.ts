import type { Account } from './account.ts'
import { emptyBook, latest, record } from './book.ts'
import type { Book, Payment } from './book.ts'
import type { AccountRecord, BankEvent, Happening } from './event.ts'
import { FAULTS, returnedBy, seededFault } from './faults.ts'
import type { Fault, SeededFaults } from './faults.ts'
import { addMs, dayOf } from './instant.ts'
import type { Clock, Instant } from './instant.ts'
import { isSame, refusalOf, toRecord } from './instruction.ts'
import type { Instruction } from './instruction.ts'
import type { Journal } from './journal.ts'
import { BankNotStarted } from './refusal.ts'

/** How a bank treats the keys of its callers. */
export interface KeyRules {
  /** Whether a key that was used before gets the stored answer; without, it pays again. */
  readonly idempotency: boolean
  /** How long a key is remembered, from its first use. */
  readonly keyRetentionMs: number
}

/** What a send came to. `payment` is null where the bank has not taken it. */
export interface Receipt {
  readonly payment: Payment | null
  readonly replayed: boolean
  readonly keyReused: boolean
  /** The fault that bends the answer to this send. */
  readonly fault: Fault | null
}

/** What is booked once a day beside our own payments. */
const FOREIGN_AMOUNT = '1234'

/**
 * The bank: its book, and what changes it. Nothing here waits. Every answer to the outside must
 * wait for {@link Journal.durable} first.
 */
export class Bank {
  readonly book: Book
  readonly #journal: Journal
  readonly #clock: Clock
  readonly #keys: KeyRules

  constructor(book: Book, journal: Journal, clock: Clock, keys: KeyRules) {
    this.book = book
    this.#journal = journal
    this.#clock = clock
    this.#keys = keys
  }

  /** Does what has fallen due, and returns the time. It never goes backwards in the book. */
  tick(): Instant {
    const now = this.#clock.now()
    const time = now < this.book.lastAt ? this.book.lastAt : now
    this.#work(payment => (payment.dueAt !== null && payment.dueAt <= time ? payment.dueAt : null))
    return time
  }

  /** Pays, and returns, everything that waits, or all of one id, whatever its time. */
  advance(id: string | null): void {
    const now = this.tick()
    this.#work(payment => (id === null || payment.instruction.id === id ? now : null))
  }

  /** Takes a payment: once for a key that is honoured, otherwise again. */
  receive(instruction: Instruction): Receipt {
    const now = this.tick()
    const { id } = instruction
    const fault = this.#faultFor(id)
    this.#record(now, { event: 'received', id, fault: fault?.kind ?? null })
    const stored = this.#stored(id, now)
    if (stored) {
      const keyReused = !isSame(stored.instruction, instruction)
      return { payment: stored, replayed: true, keyReused, fault }
    }
    const money = fault ? FAULTS[fault.kind].money : 'pay'
    if (money !== 'leave') this.#take(instruction, fault, now)
    const payment = money === 'leave' ? null : (latest(this.book, id) ?? null)
    return { payment, replayed: false, keyReused: false, fault }
  }

  setFault(id: string, fault: Fault): void {
    this.#record(this.tick(), { event: 'fault-set', id, fault })
  }

  setSeeded(seeded: SeededFaults): void {
    this.#record(this.tick(), { event: 'rates-set', seeded })
  }

  clearFaults(): void {
    this.#record(this.tick(), { event: 'faults-cleared' })
  }

  #faultFor(id: string): Fault | null {
    const { faults, seeded, sends } = this.book
    const fault = faults.get(id) ?? (seeded && seededFault(seeded, id))
    const earlier = sends.get(id)?.count ?? 0
    return fault && earlier < fault.sends ? fault : null
  }

  #stored(id: string, now: Instant): Payment | null {
    const payment = latest(this.book, id)
    if (!payment || !this.#keys.idempotency) return null
    return now < addMs(payment.acceptedAt, this.#keys.keyRetentionMs) ? payment : null
  }

  #take(instruction: Instruction, fault: Fault | null, now: Instant): void {
    const effect = fault && FAULTS[fault.kind]
    const common = { payment: this.book.payments.length, instruction: toRecord(instruction) }
    const refusal = refusalOf(this.book.account, instruction)
    const reason = refusal ?? (effect?.money === 'refuse' ? (fault?.reason ?? null) : null)
    if (reason !== null) {
      this.#record(now, { event: 'refused', ...common, reason })
      return
    }
    const delayMs = fault?.delayMs ?? null
    const returned = fault && returnedBy(fault, instruction.amount)
    this.#record(now, {
      event: 'accepted',
      ...common,
      payAt: effect?.money !== 'pay-later' ? now : delayMs === null ? null : addMs(now, delayMs),
      shows: effect?.shows ?? 'processing',
      returns: returned === null ? null : { amount: String(returned), afterMs: delayMs },
    })
    this.tick()
  }

  /** Takes the next step of all payments that `when` gives a time, first to pay, then to return. */
  #work(when: (payment: Payment) => Instant | null): void {
    for (const state of ['working', 'paid'] as const) {
      const steps = [...this.book.waiting].flatMap(payment => {
        const at = payment.state === state ? when(payment) : null
        return at === null ? [] : [{ payment, at }]
      })
      steps.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0))
      for (const { payment, at } of steps) this.#step(payment, at)
    }
  }

  #step(payment: Payment, at: Instant): void {
    if (payment.state === 'paid') {
      const amount = String(payment.returns?.amount ?? 0n)
      this.#record(at, { event: 'returned', payment: payment.number, amount })
      return
    }
    if (!this.book.foreignDays.has(dayOf(at))) {
      this.#record(at, { event: 'foreign', amount: FOREIGN_AMOUNT })
    }
    this.#record(at, { event: 'paid', payment: payment.number })
  }

  #record(at: Instant, happening: Happening): void {
    const event = eventAt(at, happening)
    record(this.book, event)
    this.#journal.append(event)
  }
}

/**
 * Opens the book that a file holds, or the first one of an empty file. Throws a
 * {@link BankNotStarted} where the events do not follow from one another.
 */
export function openBook(
  journal: Journal,
  events: readonly BankEvent[],
  account: Account,
  clock: Clock,
): Book {
  const [first, ...rest] = events
  if (first?.event !== 'opened') {
    const opened = eventAt(clock.now(), { event: 'opened', account: toAccountRecord(account) })
    journal.append(opened)
    return emptyBook(account, opened.at)
  }
  const { opening, fee, ...names } = first.account
  const book = emptyBook({ ...names, opening: BigInt(opening), fee: BigInt(fee) }, first.at)
  for (const [index, event] of rest.entries()) replay(book, event, index + 2)
  return book
}

function replay(book: Book, event: BankEvent, line: number): void {
  try {
    record(book, event)
  } catch (error) {
    const message = `Line ${line} of the file does not fit: ${String(error)}`
    throw new BankNotStarted('FILE_DAMAGED', message, { cause: error })
  }
}

/** Throws where a file holds another account than the one that was asked for. */
export function checkSameAccount(kept: Account, asked: Account): void {
  for (const [field, value] of Object.entries(toAccountRecord(asked))) {
    const there = toAccountRecord(kept)[field as keyof AccountRecord]
    if (there === value) continue
    const message = `The file holds an account whose ${field} is ${there}, not ${String(value)}`
    throw new BankNotStarted('ACCOUNT_DIFFERS', message)
  }
}

function toAccountRecord(account: Account): AccountRecord {
  return { ...account, opening: String(account.opening), fee: String(account.fee) }
}

/** The kind of event stands first on its line: a reader of the file knows a line of ours by it. */
function eventAt(at: Instant, happening: Happening): BankEvent {
  const { event, ...rest } = happening
  return { event, at, ...rest } as BankEvent
}
