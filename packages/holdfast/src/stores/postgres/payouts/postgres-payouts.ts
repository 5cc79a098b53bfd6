import type { Book } from '../../../ledger/command.ts'
import { toWireJson } from '../../../ledger/wire.ts'
import type { Attempt, PayoutStatus } from '../../../payouts/payout.ts'
import type {
  AttemptEnd,
  HoldEndMark,
  Leased,
  LeaseFilter,
  Move,
  Original,
  PayoutCursor,
  PayoutFilter,
  PayoutRecord,
  PayoutRepository,
} from '../../../payouts/repository.ts'
import type { NewPayout } from '../../../payouts/request.ts'
import type { Queryable, Row } from '../database.ts'
import { text } from '../decode.ts'
import { DEFAULT_SCHEMA } from '../sql.ts'
import { decodeAttempt, decodeLeased, decodeRecord } from './payout-rows.ts'
import { payoutQueries, type PayoutQueries } from './queries.ts'

/** Cursors are numbers of rows, which start at 1. */
const BEFORE_ALL: PayoutCursor = '0'

/** Where payouts are kept, on Postgres and PGlite: each call is one statement, but for `keepReleaseWord`. */
export class PostgresPayouts implements PayoutRepository {
  readonly #database: Queryable
  readonly #sql: PayoutQueries

  constructor(database: Queryable, schema: string = DEFAULT_SCHEMA) {
    this.#database = database
    this.#sql = payoutQueries(schema)
  }

  async insert(book: Book, payouts: readonly NewPayout[], leaseMs: number): Promise<Leased[]> {
    const rows = await this.#rows('insert', [book, toWireJson(payouts), String(leaseMs)])
    const given = new Map(payouts.map(each => [each.id, each]))
    return rows.map(decodeLeased).map(({ record, lease }) => {
      // Its payee was written by the same statement, which does not see it yet.
      const { payeeName = '', destination = '' } = given.get(record.payout.id) ?? {}
      return { record: { ...record, payout: { ...record.payout, payeeName, destination } }, lease }
    })
  }

  async find(
    book: Book,
    { ids = [], requestKeys = [] }: { ids?: readonly string[]; requestKeys?: readonly string[] },
  ): Promise<PayoutRecord[]> {
    const rows = await this.#rows('find', [book, toWireJson(ids), toWireJson(requestKeys)])
    return rows.map(decodeRecord)
  }

  async list(
    book: Book,
    filter: PayoutFilter,
    { after = BEFORE_ALL, limit }: { after?: PayoutCursor; limit: number },
  ): Promise<PayoutRecord[]> {
    const { statuses, batch = null, account = null, gateway = null } = filter
    const among = statuses ? toWireJson(statuses) : null
    const values = [book, among, batch, account, gateway, after, String(limit)]
    return (await this.#rows('list', values)).map(decodeRecord)
  }

  async unfinished(
    book: Book,
    { after = BEFORE_ALL, limit }: { after?: PayoutCursor; limit: number },
  ): Promise<PayoutRecord[]> {
    return (await this.#rows('unfinished', [book, after, String(limit)])).map(decodeRecord)
  }

  async lateHolds(book: Book, limit: number): Promise<string[]> {
    return (await this.#rows('late-holds', [book, String(limit)])).map(row => text(row, 'id'))
  }

  async lease(book: Book, filter: LeaseFilter, leaseMs: number): Promise<Leased[]> {
    const { statuses, gateways, ids, batch = null, after = BEFORE_ALL, limit } = filter
    const rows = await this.#rows('lease', [
      book,
      toWireJson(statuses),
      toWireJson(gateways),
      ids ? toWireJson(ids) : null,
      batch,
      after,
      String(limit),
      String(leaseMs),
    ])
    return rows.map(decodeLeased)
  }

  async giveUpLease(book: Book, id: string, token: bigint, reason: string): Promise<boolean> {
    return (await this.#rows('give-up-lease', [book, id, String(token), reason])).length > 0
  }

  async move(book: Book, moves: readonly Move[]): Promise<PayoutRecord[]> {
    return (await this.#rows('move', [book, toWireJson(moves)])).map(decodeRecord)
  }

  async markHoldEnd(book: Book, marks: readonly HoldEndMark[]): Promise<PayoutRecord[]> {
    return (await this.#rows('mark-hold-end', [book, toWireJson(marks)])).map(decodeRecord)
  }

  async markReturn(
    book: Book,
    id: string,
    returned: bigint,
    total: bigint,
  ): Promise<PayoutRecord | null> {
    const [row] = await this.#rows('mark-return', [book, id, String(returned), String(total)])
    return row ? decodeRecord(row) : null
  }

  async startAttempt(
    book: Book,
    id: string,
    token: bigint,
    sendWithinMs: number,
  ): Promise<Attempt | null> {
    const values = [book, id, String(token), String(sendWithinMs)]
    const [row] = await this.#rows('start-attempt', values)
    return row ? decodeAttempt(id, row) : null
  }

  async recordAnswer(book: Book, id: string, number: number, end: AttemptEnd): Promise<void> {
    const { answer, reason, reference } = end
    await this.#rows('record-answer', [book, id, String(number), answer, reason, reference])
  }

  async attempts(book: Book, id: string): Promise<Attempt[]> {
    return (await this.#rows('attempts', [book, id])).map(row => decodeAttempt(id, row))
  }

  async paidOriginals(book: Book, ids: readonly string[]): Promise<Map<string, Original>> {
    const rows = await this.#rows('paid-originals', [book, toWireJson(ids)])
    return new Map(
      rows.map(row => {
        const status = text(row, 'status') as PayoutStatus
        return [text(row, 'id'), { id: text(row, 'original'), status }]
      }),
    )
  }

  async keepReleaseWord(book: Book, id: string, person: string, reason: string): Promise<number> {
    await this.#rows('keep-release-word', [book, id, person, reason])
    const [row] = await this.#rows('count-release-words', [book, id])
    return Number(row?.['people'])
  }

  async erasePayees(book: Book, ids: readonly string[]): Promise<string[]> {
    return (await this.#rows('erase-payees', [book, toWireJson(ids)])).map(row =>
      text(row, 'payout'),
    )
  }

  async #rows(name: keyof PayoutQueries, values: unknown[]): Promise<Row[]> {
    return (await this.#database.query(this.#sql[name], values)).rows
  }
}
