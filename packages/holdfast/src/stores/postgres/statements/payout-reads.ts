import type { Instant } from '../../../instant.ts'
import type { Book } from '../../../ledger/command.ts'
import { toWireJson } from '../../../ledger/wire.ts'
import type { PayoutStatus } from '../../../payouts/payout.ts'
import type { BankProfile } from '../../../reconciliation/bank-profile.ts'
import type { KnownPayout, PayoutBatch } from '../../../reconciliation/matching.ts'
import type { BatchQuery, PayoutReads, PayoutTotal } from '../../../reconciliation/ports.ts'
import type { Queryable, Row } from '../database.ts'
import { text } from '../decode.ts'
import { decodeRecord } from '../payouts/payout-rows.ts'
import { DEFAULT_SCHEMA } from '../sql.ts'
import { statementQueries, type StatementQueries } from './queries.ts'

/** What reconciliation reads of the payouts of one bank's gateway, on Postgres and PGlite. */
export class PostgresPayoutReads implements PayoutReads {
  readonly #database: Queryable
  readonly #book: Book
  readonly #bank: BankProfile
  readonly #sql: StatementQueries

  constructor(
    database: Queryable,
    { book, bank }: { readonly book: Book; readonly bank: BankProfile },
    schema: string = DEFAULT_SCHEMA,
  ) {
    this.#database = database
    this.#book = book
    this.#bank = bank
    this.#sql = statementQueries(schema)
  }

  async byIds(ids: readonly string[]): Promise<KnownPayout[]> {
    if (ids.length === 0) return []
    return (await this.#rows('payouts-by-ids', [toWireJson(ids)])).map(decodeKnown)
  }

  async batches({ names, sums, count }: BatchQuery): Promise<PayoutBatch[]> {
    const values = [toWireJson(names), toWireJson(sums), count]
    const batches = new Map<string, KnownPayout[]>()
    for (const row of await this.#rows('payout-batches', values)) {
      const batch = text(row, 'batch')
      batches.set(batch, [...(batches.get(batch) ?? []), decodeKnown(row)])
    }
    return Array.from(batches, ([batch, payouts]) => ({ batch, payouts }))
  }

  async paidButUnseen(
    before: Instant,
    { after, limit }: { after: string; limit: number },
  ): Promise<KnownPayout[]> {
    const values = [this.#bank.asset, before, after, limit]
    return (await this.#rows('paid-but-unseen', values)).map(decodeKnown)
  }

  async totals(): Promise<PayoutTotal[]> {
    const rows = await this.#rows('payout-totals', [this.#bank.asset])
    return rows.map(row => ({
      status: text(row, 'status') as PayoutStatus,
      onStatement: row['on_statement'] === true,
      count: Number(row['count']),
      sum: BigInt(text(row, 'sum')),
    }))
  }

  async inDoubt(): Promise<ReadonlySet<string>> {
    const rows = await this.#rows('payouts-in-doubt', [this.#bank.name, this.#bank.asset])
    return new Set(rows.map(row => text(row, 'id')))
  }

  async #rows(name: keyof StatementQueries, values: readonly unknown[]): Promise<Row[]> {
    const all = [this.#book, this.#bank.gateway, ...values]
    return (await this.#database.query(this.#sql[name], all)).rows
  }
}

function decodeKnown(row: Row): KnownPayout {
  const { payout, holdEnd } = decodeRecord(row)
  return { ...payout, released: holdEnd === 'release' }
}
