import { randomBytes } from 'node:crypto'
import type { AccountId, Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Gateway, SendAnswer, StatusAnswer } from '../../src/payouts/gateway.ts'
import { payoutId } from '../../src/payouts/payout-id.ts'
import type { Payout } from '../../src/payouts/payout.ts'
import { Payouts } from '../../src/payouts/payouts.ts'
import type { Coverage } from '../../src/payouts/resolve.ts'
import type { BankProfile } from '../../src/reconciliation/bank-profile.ts'
import type { PayoutActions } from '../../src/reconciliation/ports.ts'
import { Reconciliation } from '../../src/reconciliation/reconcile.ts'
import type { ReconciliationReport } from '../../src/reconciliation/report.ts'
import { takeStatementFile, type StatementFile } from '../../src/statements/intake.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { PostgresPayouts } from '../../src/stores/postgres/payouts/postgres-payouts.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { PostgresPayoutReads } from '../../src/stores/postgres/statements/payout-reads.ts'
import { PostgresReconciliationStore } from '../../src/stores/postgres/statements/reconciliation-store.ts'
import { PostgresStatementStaging } from '../../src/stores/postgres/statements/statement-staging.ts'
import { BANK } from './fixtures.ts'

/** A schema of another name than the default: a name written into the SQL would be noticed. */
export const SCHEMA = 'money_in'

/** What our account at the bank holds before anything is paid, in minor units. */
export const FUNDS = 10n ** 15n

/** A gateway that answers as it is told, by payout; otherwise it pays. */
export class TestGateway implements Gateway {
  readonly name = BANK.gateway
  readonly declares = {
    idempotency: false,
    keyRetentionMs: 0,
    finalityMs: 1_000,
    statusIsStrong: true,
  }
  readonly sends = new Map<string, SendAnswer>()
  readonly statuses = new Map<string, StatusAnswer>()

  send({ payout }: { payout: string }): Promise<SendAnswer> {
    return Promise.resolve(this.sends.get(payout) ?? { answer: 'paid', reference: null })
  }

  status({ payout }: { payout: string }): Promise<StatusAnswer> {
    const unknown = { answer: 'unknown', reason: 'no answer' } as const
    return Promise.resolve(this.statuses.get(payout) ?? unknown)
  }
}

/** A payout to be made, and how far it is to come. */
export interface Wanted {
  readonly amount: bigint
  readonly status: 'pending' | 'unknown' | 'success' | 'failed'
  readonly batch?: string
  readonly payeeName?: string
  readonly destination?: string
}

/** A book of its own in a database, with a bank, payouts, and a user who has all the money. */
export class World {
  readonly database: Database
  readonly book: string
  readonly bank: BankProfile
  readonly gateway: TestGateway = new TestGateway()
  readonly ledger: Ledger
  readonly payouts: Payouts
  readonly staging: PostgresStatementStaging
  readonly store: PostgresReconciliationStore
  readonly reads: PostgresPayoutReads
  /** What resolving was told that statements prove. */
  readonly coverages: Coverage[] = []
  #requests = 0

  constructor(database: Database, book?: string, bank: BankProfile = BANK) {
    this.database = database
    this.book = book ?? `book-${randomBytes(6).toString('hex')}`
    this.bank = bank
    const { book: name, gateway } = this
    this.ledger = new Ledger({ store: new PostgresStore(database, SCHEMA), book: name })
    this.payouts = new Payouts({
      book: name,
      ledger: this.ledger,
      repository: new PostgresPayouts(database, SCHEMA),
      gateways: [gateway],
    })
    this.staging = new PostgresStatementStaging(database, SCHEMA)
    this.store = new PostgresReconciliationStore(database, { book: name, bank: bank.name }, SCHEMA)
    this.reads = new PostgresPayoutReads(database, { book: name, bank }, SCHEMA)
  }

  /** Opens the accounts and brings the money to the bank, and so to the user. */
  async open(): Promise<this> {
    const { asset, name, gateway } = this.bank
    await this.do(
      { do: 'open', account: `bank:${name}`, asset, floor: null },
      { do: 'open', account: `clearing:${gateway}`, asset, floor: null },
      { do: 'open', account: 'user:1', asset, floor: 0n },
      {
        do: 'transfer',
        key: 'funds',
        legs: [{ from: `bank:${name}`, to: 'user:1', asset, amount: FUNDS }],
      },
    )
    return this
  }

  async do(...commands: Command[]): Promise<void> {
    for (const outcome of await this.ledger.apply(commands))
      if (!outcome.ok) throw new Error(outcome.refusal.message)
  }

  /** Makes payouts and brings each as far as it is wanted. */
  async pay(...wanted: readonly Wanted[]): Promise<Payout[]> {
    const requests = wanted.map(({ amount, batch, payeeName, destination }) => ({
      requestKey: `request-${(this.#requests += 1)}`,
      account: 'user:1',
      gateway: this.gateway.name,
      asset: this.bank.asset,
      amount,
      payeeName: payeeName ?? 'Ann Weber',
      destination: destination ?? 'NL91ABNA0417164300',
      ...(batch !== undefined && { batch }),
    }))
    const ids = requests.map(({ requestKey }) => payoutId(this.book, requestKey))
    for (const [index, { status }] of wanted.entries()) {
      const id = ids[index] ?? ''
      const reason = 'as planned'
      if (status === 'unknown') this.gateway.sends.set(id, { answer: 'unknown', reason })
      if (status === 'failed') this.gateway.sends.set(id, { answer: 'refused', reason })
    }
    await this.payouts.requestMany(requests)
    await this.payouts.approve(ids.filter((_, index) => wanted[index]?.status !== 'pending'))
    await this.payouts.payBatch({ concurrency: 16 })
    return Promise.all(ids.map(id => this.payout(id)))
  }

  async payout(id: string): Promise<Payout> {
    const payout = await this.payouts.find(id)
    if (!payout) throw new Error(`there is no payout ${id}`)
    return payout
  }

  /** Takes a file that must be taken; gives its intake. */
  async take(file: StatementFile): Promise<string> {
    const outcome = await takeStatementFile(
      file,
      { book: this.book, bank: this.bank.name, account: this.bank.account, currency: 'EUR' },
      this.staging,
    )
    if (!outcome.ok) throw new Error(outcome.refusal.message)
    return outcome.intake
  }

  reconciliation(actions: Partial<PayoutActions> = {}): Reconciliation {
    const { book, bank, store, ledger, reads } = this
    const payouts = { ...this.actions(), ...actions }
    return new Reconciliation({ book, bank, store, ledger, payouts, reads })
  }

  /** Reconciles files; nothing may be refused. */
  async reconcile(
    intakes: readonly string[],
    { final = false }: { final?: boolean } = {},
  ): Promise<ReconciliationReport> {
    const reconciled = await this.reconciliation().run(intakes, { final })
    if (!reconciled.ok) throw new Error(reconciled.refusal.message)
    return reconciled.report
  }

  /** Posted of an account, in minor units. */
  async posted(account: AccountId): Promise<bigint> {
    return (await this.ledger.account(account))?.posted ?? 0n
  }

  /** All that is written down in this book, as text, to be held against what it is later. */
  async everything(): Promise<string> {
    const tables = ['account', 'movement', 'entry', 'payout', 'statement', 'statement_intake']
    const more = [
      'statement_allocation',
      'statement_line',
      'finding',
      'statement_clue',
      'statement_late_return',
    ]
    const texts = []
    for (const table of [...tables, ...more]) {
      const sql = `select t::text from "${SCHEMA}".${table} t where book = $1 order by t::text`
      texts.push(...(await this.database.query(sql, [this.book])).rows.map(row => row['t']))
    }
    return texts.join('\n')
  }

  actions(): PayoutActions {
    const { payouts } = this
    return {
      resolve: coverage => {
        this.coverages.push(coverage)
        return payouts.resolve({ concurrency: 8, coverage })
      },
      recordPaid: id => payouts.recordPaid(id),
      paidAfterRelease: id => payouts.paidAfterRelease(id),
      recordReturn: (id, total) => payouts.recordReturn(id, total),
    }
  }
}
