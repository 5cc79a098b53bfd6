import { freshEmbedded } from '#testing/pglite.ts'
import { randomBytes } from 'node:crypto'
import { systemClock } from '../../src/instant.ts'
import type { Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Payout, PayoutStatus } from '../../src/payouts/payout.ts'
import { Payouts, type PayoutsOptions } from '../../src/payouts/payouts.ts'
import type { PayoutRepository } from '../../src/payouts/repository.ts'
import type { PayoutRequest } from '../../src/payouts/request.ts'
import { MemoryStore } from '../../src/stores/memory/memory-store.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { PostgresPayouts } from '../../src/stores/postgres/payouts/postgres-payouts.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { ModelBank } from './model-bank.ts'

/** A name that is none of the default, so that a name written into the SQL would be noticed. */
export const SCHEMA = 'money_out'

export const FUNDS = 100_000n

/** A database with the schema in it, to be closed at the end of a test file. */
export interface OpenDatabase {
  readonly database: Database
  close(): Promise<void>
}

async function onPglite(): Promise<OpenDatabase> {
  const database = await freshEmbedded()
  await migrate(database, SCHEMA)
  return { database, close: () => database.close() }
}

/** Every database that payouts are tested on. */
export const DATABASES: readonly (readonly [name: string, open: () => Promise<OpenDatabase>])[] = [
  ['PGlite', onPglite],
  ['Postgres', () => migratedDatabase(SCHEMA)],
]

/** A book of its own, with a bank, and a ledger in memory in which `seller:1` has money. */
export class Scene {
  readonly book: string = `book-${randomBytes(6).toString('hex')}`
  readonly bank: ModelBank
  readonly repository: PostgresPayouts
  readonly ledger: Ledger
  readonly payouts: Payouts
  readonly #database: Database

  constructor(database: Database, bank: ModelBank = new ModelBank()) {
    this.#database = database
    this.bank = bank
    this.repository = new PostgresPayouts(database, SCHEMA)
    this.ledger = new Ledger({ store: new MemoryStore(), book: this.book })
    this.payouts = this.worker()
  }

  /** Opens the accounts and brings the money. */
  async open(): Promise<this> {
    await this.do(
      { do: 'open', account: 'world', asset: 'EUR/2', floor: null },
      { do: 'open', account: 'seller:1', asset: 'EUR/2', floor: 0n },
      { do: 'open', account: 'clearing:bank', asset: 'EUR/2', floor: null },
      {
        do: 'transfer',
        key: 'funds',
        legs: [{ from: 'world', to: 'seller:1', asset: 'EUR/2', amount: FUNDS }],
      },
    )
    return this
  }

  async do(...commands: Command[]): Promise<void> {
    for (const outcome of await this.ledger.apply(commands))
      if (!outcome.ok) throw new Error(outcome.refusal.message)
  }

  /** Another worker on the same book, with ports of its own where they are named. */
  worker(options: Partial<PayoutsOptions> = {}): Payouts {
    const { book, repository, ledger, bank } = this
    return new Payouts({
      book,
      repository,
      ledger,
      gateways: [bank],
      clock: systemClock,
      ...options,
    })
  }

  /** A payout that stands at `approved`. */
  async approved(request: Partial<PayoutRequest> = {}): Promise<Payout> {
    const payout = await this.pending(request)
    await this.payouts.approve([payout.id])
    return this.payout(payout.id)
  }

  /** A payout that stands at `pending`. */
  async pending(request: Partial<PayoutRequest> = {}): Promise<Payout> {
    const result = await this.payouts.request(aRequest(request))
    if (!result.ok) throw new Error(result.refusal.message)
    return result.payout
  }

  async payout(id: string): Promise<Payout> {
    const payout = await this.payouts.find(id)
    if (!payout) throw new Error(`there is no payout ${id}`)
    return payout
  }

  async status(id: string): Promise<PayoutStatus> {
    return (await this.payout(id)).status
  }

  /** `posted` and `held` of an account. */
  async balance(account: string): Promise<[posted: bigint, held: bigint]> {
    const found = await this.ledger.account(account)
    if (!found) throw new Error(`there is no account ${account}`)
    return [found.posted, found.held]
  }

  /** Lets all that is written down for this book be older by this. */
  async passTime(ms: number): Promise<void> {
    const values = [this.book, String(ms)]
    const ago = `$2::text::float8 * interval '1 millisecond'`
    await this.#database.query(
      `update "${SCHEMA}".payout set lease_until = lease_until - ${ago},
         late_hold_due = late_hold_due - ${ago}, updated = updated - ${ago}
       where book = $1`,
      values,
    )
    await this.#database.query(
      `update "${SCHEMA}".payout_attempt set started = started - ${ago}, send_by = send_by - ${ago}
       where book = $1`,
      values,
    )
    await this.#database.query(
      `update "${SCHEMA}".payout_release_word set said = said - ${ago} where book = $1`,
      values,
    )
  }
}

/** A repository some of whose calls are replaced. */
export function replacing(
  repository: PayoutRepository,
  replaced: Partial<PayoutRepository>,
): PayoutRepository {
  return new Proxy(repository, {
    get(target, name) {
      const value: unknown = Reflect.get(replaced, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}

let requests = 0

/** A request that nothing is wrong with, each under a key of its own. */
export function aRequest(request: Partial<PayoutRequest> = {}): PayoutRequest {
  requests += 1
  return {
    requestKey: `request-${requests}`,
    account: 'seller:1',
    gateway: 'bank',
    asset: 'EUR/2',
    amount: 1_000n,
    payeeName: 'Ada Example',
    destination: 'DE89370400440532013000',
    ...request,
  }
}
