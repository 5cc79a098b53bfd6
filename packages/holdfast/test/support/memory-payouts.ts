import { addMs, type Clock } from '../../src/instant.ts'
import type { Book } from '../../src/ledger/command.ts'
import type { Attempt, Payout } from '../../src/payouts/payout.ts'
import type {
  AttemptEnd,
  HoldEndMark,
  Leased,
  LeaseFilter,
  Move,
  Original,
  PayoutFilter,
  PayoutRecord,
  PayoutRepository,
} from '../../src/payouts/repository.ts'
import type { NewPayout } from '../../src/payouts/request.ts'
import { newRow, recordOf, textOfRow, type Condition, type Row } from './payout-row.ts'

interface Page {
  readonly after?: string
  readonly limit: number
}

/**
 * Payouts kept in the process, with the conditions of the statements under
 * `src/stores/postgres/payouts/sql`, written after them by hand: no test holds the two equal. `clock`
 * is the database's clock. What is named in `without` is not demanded: so a test sees what it is good for.
 */
export class MemoryPayouts implements PayoutRepository {
  readonly #clock: Clock
  readonly #without: ReadonlySet<Condition>
  readonly #rows = new Map<string, Row>()
  readonly #attempts = new Map<string, Attempt[]>()
  readonly #words: { payout: string; person: string; said: string }[] = []
  #tokens = 0n

  constructor(clock: Clock, without: readonly Condition[] = []) {
    this.#clock = clock
    this.#without = new Set(without)
  }

  /** All that can be seen of it, but when rows were touched last, as short as it can be. */
  snapshot(): string {
    const rows = [...this.#rows.values()].map(textOfRow)
    const attempts = [...this.#attempts.values()].flat().map(textOfAttempt)
    const words = this.#words.map(({ payout, person, said }) => `${payout} ${person} ${said}`)
    return [...rows, ...attempts, ...words].join('\n')
  }

  async insert(book: Book, payouts: readonly NewPayout[], leaseMs: number): Promise<Leased[]> {
    await Promise.resolve()
    const now = this.#clock.now()
    const lease = { token: this.#nextToken(), now, until: addMs(now, leaseMs) }
    const leased: Leased[] = []
    for (const wanted of payouts) {
      if (!this.#demands('free key', this.#isFree(book, wanted))) continue
      const row = newRow(book, wanted, this.#rows.size + 1, lease)
      this.#rows.set(wanted.id, row)
      leased.push({
        record: recordOf(row),
        lease: { token: lease.token, takenAt: now, until: lease.until },
      })
    }
    return leased
  }

  async find(
    book: Book,
    { ids = [], requestKeys = [] }: { ids?: readonly string[]; requestKeys?: readonly string[] },
  ): Promise<PayoutRecord[]> {
    await Promise.resolve()
    return this.#of(book)
      .filter(
        ({ payout: { id, requestKey } }) => ids.includes(id) || requestKeys.includes(requestKey),
      )
      .map(recordOf)
  }

  async list(book: Book, filter: PayoutFilter, page: Page): Promise<PayoutRecord[]> {
    await Promise.resolve()
    const { statuses, batch, account, gateway } = filter
    const fits = ({ payout }: Row) =>
      (statuses?.includes(payout.status) ?? true) &&
      (batch === undefined || payout.batch === batch) &&
      (account === undefined || payout.account === account) &&
      (gateway === undefined || payout.gateway === gateway)
    return this.#page(book, fits, page).map(recordOf)
  }

  async attempts(_: Book, id: string): Promise<Attempt[]> {
    await Promise.resolve()
    return [...(this.#attempts.get(id) ?? [])]
  }

  async lease(book: Book, filter: LeaseFilter, leaseMs: number): Promise<Leased[]> {
    await Promise.resolve()
    const { statuses, gateways, batch, ids } = filter
    const now = this.#clock.now()
    const until = addMs(now, leaseMs)
    const token = this.#nextToken()
    const isFree = ({ payout, leaseUntil, holdEnd }: Row) =>
      payout.status === 'approved'
        ? this.#demands('hold end', holdEnd === null)
        : this.#demands('free lease', leaseUntil === null || leaseUntil <= now)
    const fits = (row: Row) =>
      statuses.includes(row.payout.status) &&
      gateways.includes(row.payout.gateway) &&
      (batch === undefined || row.payout.batch === batch) &&
      (ids?.includes(row.payout.id) ?? true) &&
      isFree(row)
    return this.#page(book, fits, filter).map(row => {
      const lateHoldDue = row.payout.status === 'requested' ? now : row.lateHoldDue
      const leased = this.#put({ ...row, token, leaseUntil: until, lateHoldDue })
      return { record: recordOf(leased), lease: { token, takenAt: now, until } }
    })
  }

  async giveUpLease(_: Book, id: string, token: bigint, reason: string): Promise<boolean> {
    await Promise.resolve()
    const row = this.#rows.get(id)
    if (row?.holdEnd !== null || !this.#isLessee(row, token)) return false
    this.#touch(row, { leaseUntil: null }, { reason })
    return true
  }

  async move(_: Book, moves: readonly Move[]): Promise<PayoutRecord[]> {
    await Promise.resolve()
    const moved: PayoutRecord[] = []
    for (const { id, from, to, holdEnd, token, reason, keepLease, ...given } of moves) {
      const row = this.#rows.get(id)
      if (!row || !this.#demands('status', row.payout.status === from)) continue
      if (!this.#demands('hold end', row.holdEnd === holdEnd)) continue
      if (!this.#isLessee(row, token)) continue
      const { returned } = given
      if (returned !== undefined && row.returnTotal !== returned) continue
      const reference = given.reference ?? row.payout.reference
      const after = this.#touch(
        row,
        {
          returnTotal: returned === undefined ? row.returnTotal : null,
          leaseUntil: keepLease ? row.leaseUntil : null,
        },
        { status: to, reason, reference, returned: returned ?? row.payout.returned },
      )
      moved.push(recordOf(after))
    }
    return moved
  }

  async markHoldEnd(_: Book, marks: readonly HoldEndMark[]): Promise<PayoutRecord[]> {
    await Promise.resolve()
    const marked: PayoutRecord[] = []
    for (const { id, from, holdEnd, token, reason, reference, returnTotal } of marks) {
      const row = this.#rows.get(id)
      if (!row || !this.#demands('status', from.includes(row.payout.status))) continue
      if (!this.#demands('hold end', row.holdEnd === null)) continue
      if (!this.#isLessee(row, token)) continue
      const kept = reference ?? row.payout.reference
      const after = this.#touch(row, { holdEnd, returnTotal }, { reason, reference: kept })
      marked.push(recordOf(after))
    }
    return marked
  }

  async markReturn(
    _: Book,
    id: string,
    returned: bigint,
    total: bigint,
  ): Promise<PayoutRecord | null> {
    await Promise.resolve()
    const row = this.#rows.get(id)
    if (!row || !['success', 'reversed'].includes(row.payout.status)) return null
    if (row.payout.returned !== returned || row.returnTotal !== null) return null
    return recordOf(this.#touch(row, { returnTotal: total }, {}))
  }

  async unfinished(book: Book, page: Page): Promise<PayoutRecord[]> {
    await Promise.resolve()
    const fits = ({ payout: { status }, holdEnd, returnTotal }: Row) =>
      (returnTotal !== null && ['success', 'reversed'].includes(status)) ||
      (holdEnd !== null && ['pending', 'approved'].includes(status))
    return this.#page(book, fits, page).map(recordOf)
  }

  async lateHolds(book: Book, limit: number): Promise<string[]> {
    await Promise.resolve()
    const now = this.#clock.now()
    const fits = ({ payout: { status, reason }, lateHoldDue }: Row) =>
      status === 'refused' && reason !== 'KEY_REUSED' && lateHoldDue !== null && lateHoldDue <= now
    return this.#page(book, fits, { limit }).map(row => {
      const ageMs = Date.parse(now) - Date.parse(row.payout.updatedAt)
      return this.#put({ ...row, lateHoldDue: addMs(now, ageMs) }).payout.id
    })
  }

  async paidOriginals(_: Book, ids: readonly string[]): Promise<Map<string, Original>> {
    await Promise.resolve()
    const paid = new Map<string, Original>()
    for (const id of ids) {
      const row = this.#rows.get(id)
      const original = row && this.#originals(row.payout).find(each => each.status !== 'failed')
      if (original) paid.set(id, { id: original.id, status: original.status })
    }
    return paid
  }

  async startAttempt(
    _: Book,
    id: string,
    token: bigint,
    sendWithinMs: number,
  ): Promise<Attempt | null> {
    await Promise.resolve()
    const row = this.#rows.get(id)
    const now = this.#clock.now()
    if (!row || !this.#isLessee(row, token)) return null
    const { payout, leaseUntil, holdEnd } = row
    if (!this.#demands('status', ['processing', 'unknown'].includes(payout.status))) return null
    if (!this.#demands('live lease', leaseUntil !== null && leaseUntil > now)) return null
    if (!this.#demands('hold end', holdEnd === null)) return null
    if (this.#originals(payout).some(each => each.status !== 'failed')) return null
    const before = this.#attempts.get(id) ?? []
    const attempt: Attempt = {
      payout: id,
      number: before.length + 1,
      sendBy: addMs(now, sendWithinMs),
      startedAt: now,
      answer: null,
      reason: null,
      reference: null,
    }
    this.#attempts.set(id, [...before, attempt])
    return attempt
  }

  async recordAnswer(_: Book, id: string, number: number, end: AttemptEnd): Promise<void> {
    await Promise.resolve()
    const kept = (this.#attempts.get(id) ?? []).map(each =>
      each.number === number && each.answer === null ? { ...each, ...end } : each,
    )
    this.#attempts.set(id, kept)
  }

  async keepReleaseWord(_: Book, id: string, person: string): Promise<number> {
    await Promise.resolve()
    this.#words.push({ payout: id, person, said: this.#clock.now() })
    const sent = (this.#attempts.get(id) ?? []).filter(({ answer }) => answer !== 'not-sent')
    const since = this.#words.filter(
      ({ payout, said }) => payout === id && sent.every(({ startedAt }) => said > startedAt),
    )
    return new Set(since.map(word => word.person)).size
  }

  async erasePayees(book: Book, ids: readonly string[]): Promise<string[]> {
    await Promise.resolve()
    const ended = ['refused', 'cancelled', 'success', 'failed', 'reversed']
    const rows = this.#of(book).filter(
      ({ payout: { id, status, destination } }) =>
        ids.includes(id) && ended.includes(status) && destination !== '',
    )
    for (const row of rows)
      this.#put({ ...row, payout: { ...row.payout, payeeName: '', destination: '' } })
    return rows.map(({ payout }) => payout.id)
  }

  #demands(condition: Condition, holds: boolean): boolean {
    return holds || this.#without.has(condition)
  }

  #isLessee(row: Row, token: bigint | null): boolean {
    return token === null || this.#demands('lease token', row.token === token)
  }

  #isFree(book: Book, { id, requestKey, retryOf }: NewPayout): boolean {
    const payouts = this.#of(book).map(({ payout }) => payout)
    if (payouts.some(each => each.id === id || each.requestKey === requestKey)) return false
    if (retryOf === null) return true
    const original = payouts.find(each => each.id === retryOf)
    if (!original) return false
    const isTaken = payouts.some(
      each => each.retryOf === retryOf && !['refused', 'cancelled'].includes(each.status),
    )
    return (
      !isTaken && [original, ...this.#originals(original)].every(each => each.status === 'failed')
    )
  }

  /** Whose place a payout takes, however far back. */
  #originals({ retryOf }: Payout): Payout[] {
    const original = retryOf === null ? undefined : this.#rows.get(retryOf)?.payout
    return original ? [original, ...this.#originals(original)] : []
  }

  #of(book: Book): Row[] {
    return [...this.#rows.values()].filter(({ payout }) => payout.book === book)
  }

  #page(book: Book, fits: (row: Row) => boolean, { after = '0', limit }: Page): Row[] {
    return this.#of(book)
      .filter(row => row.seq > Number(after) && fits(row))
      .slice(0, limit)
  }

  #touch(row: Row, to: Partial<Row>, payout: Partial<Payout>): Row {
    const updatedAt = this.#clock.now()
    return this.#put({ ...row, ...to, payout: { ...row.payout, ...payout, updatedAt } })
  }

  #put(row: Row): Row {
    this.#rows.set(row.payout.id, row)
    return row
  }

  #nextToken(): bigint {
    this.#tokens += 1n
    return this.#tokens
  }
}

function textOfAttempt(attempt: Attempt): string {
  const { payout, number, startedAt, answer, reason, reference } = attempt
  return `${payout} ${number} ${startedAt} ${answer} ${reason} ${reference}`
}
