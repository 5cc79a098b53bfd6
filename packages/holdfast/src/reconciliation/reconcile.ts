import { addMs } from '../instant.ts'
import type { AccountId, Asset, Book } from '../ledger/command.ts'
import type { Refusal } from '../ledger/outcome.ts'
import type { Coverage } from '../payouts/resolve.ts'
import type { IntakeId } from '../statements/intake-ports.ts'
import {
  assertBankProfile,
  bankAccounts,
  type BankAccounts,
  type BankProfile,
} from './bank-profile.ts'
import { lookUp } from './candidates.ts'
import { coverOf, DAY_MS, provenUntil } from './cover.ts'
import { actOnEvidence } from './evidence.ts'
import type { Finding } from './finding.ts'
import { takeLateReturns } from './late-returns.ts'
import { matchLines, withoutWaiting } from './match.ts'
import {
  PAGE_LINES_MAX,
  SWEEPS,
  type AcceptedStatement,
  type PayoutActions,
  type PayoutReads,
  type ReconciliationLedger,
  type ReconciliationStore,
} from './ports.ts'
import { openings, postingKey, postingLegs } from './posting.ts'
import { buildReport, FINDINGS_MAX, type ReconciliationReport } from './report.ts'

const PROVES_NOTHING: Coverage = () => null

/** What a reconciliation is made of. All of it is of one book and one bank. */
export interface ReconciliationOptions {
  readonly book: Book
  readonly bank: BankProfile
  readonly store: ReconciliationStore
  readonly ledger: ReconciliationLedger
  readonly payouts: PayoutActions
  readonly reads: PayoutReads
}

/** A report, or why the ledger refuses to post what a statement shows. */
export type Reconciled =
  | { readonly ok: true; readonly report: ReconciliationReport }
  | { readonly ok: false; readonly refusal: Refusal }

/**
 * Holds our books against what a bank says, in three passes. It can stop anywhere, and be run again
 * or by several processes at once: a second run changes nothing and finds the same.
 */
export class Reconciliation {
  readonly #options: ReconciliationOptions
  readonly #accounts: BankAccounts
  readonly #asset: Asset

  /** Throws a RangeError where the bank's profile is none. */
  constructor(options: ReconciliationOptions) {
    assertBankProfile(options.bank)
    this.#options = options
    this.#accounts = bankAccounts(options.bank)
    this.#asset = options.bank.asset
  }

  /**
   * Reconciles every accepted statement that is not, and reports on those of the files named. With
   * `final` the bank will add no lines to the days of these files: a payout that was paid in them and
   * stands on no statement is then a finding.
   */
  async run(intakes: readonly IntakeId[], { final }: { final: boolean }): Promise<Reconciled> {
    const { store, payouts } = this.#options
    if (final) await store.markFinal(intakes)
    await payouts.resolve((await this.coverage()) ?? PROVES_NOTHING)
    for (const statement of await store.unposted()) {
      const refusal = await this.#reconcile(statement)
      if (refusal) return { ok: false, refusal }
    }
    // Statements reach further now, and so does what can be said of payouts that nobody found.
    const coverage = await this.coverage()
    if (coverage !== null) await payouts.resolve(coverage)
    const refusal = await takeLateReturns(this.#options)
    if (refusal) return { ok: false, refusal }
    return { ok: true, report: await this.#report(intakes) }
  }

  /**
   * Until when final statements cover, without a gap, the time since a payout was requested that was
   * sent and has no final answer; null where they do not, or where a line may be about it. What a
   * payout that the gateway does not know may be released on. Null for all of them where nothing is
   * covered, or where a statement waits to be matched.
   */
  async coverage(): Promise<Coverage | null> {
    const { store, reads, bank } = this.#options
    const cover = coverOf(await store.posted())
    // Looked for after the cover was read: what lies there unmatched may be what closed a gap in it.
    if (cover === null || (await store.unposted()).length > 0) return null
    const inDoubt = await reads.inDoubt()
    return ({ id, createdAt }) =>
      inDoubt.has(id) ? null : provenUntil(cover, createdAt, bank.bookedWithinDays)
  }

  async #reconcile(statement: AcceptedStatement): Promise<Refusal | null> {
    const { store, payouts, reads } = this.#options
    await this.#match(statement)
    await actOnEvidence(statement, { store, payouts, reads })
    return this.#post(statement)
  }

  async #match(statement: AcceptedStatement): Promise<void> {
    const { store, reads, bank } = this.#options
    // Once for each page of every sweep, and again where another process was faster.
    const pagesMax = 2 * (SWEEPS.length + Math.ceil(statement.lines / PAGE_LINES_MAX))
    for (let pages = 0; pages <= pagesMax; pages += 1) {
      const page = await store.nextLines(statement)
      if (page === null) return
      const { ids, known } = await lookUp(page.lines, reads)
      const isFirst = page.after.sweep === 'debit'
      const lines = isFirst ? withoutWaiting(page.lines, known, bank) : page.lines
      await store.recordPage(statement, page, ids, seen => matchLines(lines, known, seen, bank))
    }
    throw new Error(`Statement ${statement.number} of ${statement.hash} has no end`)
  }

  async #post(statement: AcceptedStatement): Promise<Refusal | null> {
    const { store, ledger } = this.#options
    for (const open of openings(this.#accounts, this.#asset)) {
      const opened = await ledger.submit(open)
      if (!opened.ok) return opened.refusal
    }
    const legs = postingLegs(await store.sums(statement), this.#accounts, this.#asset)
    let recorded = null
    if (legs.length > 0) {
      const posted = await ledger.submit({ do: 'transfer', key: postingKey(statement), legs })
      if (!posted.ok) return posted.refusal
      recorded = posted.movement?.recorded ?? null
    }
    const account = await ledger.account(this.#accounts.bank, recorded ?? undefined)
    await store.markPosted(statement, recorded, -(account?.posted ?? 0n))
    return null
  }

  async #report(intakes: readonly IntakeId[]): Promise<ReconciliationReport> {
    const { store, reads, book, bank } = this.#options
    const statements = await store.statements(intakes)
    const sums = []
    for (const statement of statements) sums.push(...(await store.sums(statement)))
    const findings = await store.findings(intakes, FINDINGS_MAX + 1)
    return buildReport({
      book,
      bank: bank.name,
      asset: this.#asset,
      statements,
      sums,
      totals: await reads.totals(),
      findings: [...findings, ...(await this.#missing())],
      clearing: await this.#posted(this.#accounts.clearing),
      suspense: await this.#posted(this.#accounts.suspense),
    })
  }

  /** Payouts that were paid in days that final statements cover, and that no line has paid. */
  async #missing(): Promise<Finding[]> {
    const { store, reads, bank } = this.#options
    const cover = coverOf(await store.posted())
    if (cover === null) return []
    const before = addMs(`${cover.through}T00:00:00.000Z`, (1 - bank.bookedWithinDays) * DAY_MS)
    const findings: Finding[] = []
    for (let after = ''; findings.length <= FINDINGS_MAX;) {
      const unseen = await reads.paidButUnseen(before, { after, limit: PAGE_LINES_MAX })
      findings.push(...unseen.map(({ id, amount }) => notOnStatement(id, amount)))
      after = unseen.at(-1)?.id ?? after
      if (unseen.length < PAGE_LINES_MAX) break
    }
    return findings
  }

  async #posted(account: AccountId): Promise<bigint> {
    return (await this.#options.ledger.account(account))?.posted ?? 0n
  }
}

function notOnStatement(payout: string, amount: bigint): Finding {
  const finding = { kind: 'NOT_ON_STATEMENT', place: null, payout, named: [payout] } as const
  return { ...finding, books: -amount, bank: null }
}
