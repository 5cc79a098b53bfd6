import type { Instant } from '../../../instant.ts'
import type { Book } from '../../../ledger/command.ts'
import { toWireJson } from '../../../ledger/wire.ts'
import type { Finding } from '../../../reconciliation/finding.ts'
import type { Matched } from '../../../reconciliation/match.ts'
import type { Seen } from '../../../reconciliation/matching.ts'
import {
  PAGE_LINES_MAX,
  SWEEPS,
  type AcceptedStatement,
  type LateReturn,
  type LinePage,
  type MatchCursor,
  type MatchedPayout,
  type PlaceSum,
  type ReconciliationStore,
  type ReturnPlace,
  type UnpostedReturn,
} from '../../../reconciliation/ports.ts'
import type { IntakeId } from '../../../statements/intake-ports.ts'
import type { Database, Queryable, Row } from '../database.ts'
import { text } from '../decode.ts'
import { DEFAULT_SCHEMA } from '../sql.ts'
import { decodeLine } from './line-record.ts'
import { statementQueries, type StatementQueries } from './queries.ts'
import {
  decodeFinding,
  decodeMatchedPayout,
  decodeProgress,
  decodeStatement,
  decodeSum,
  decodeUnpostedReturn,
} from './rows.ts'

/** The accepted statements of one bank and what was made of them, on Postgres and PGlite. */
export class PostgresReconciliationStore implements ReconciliationStore {
  readonly #database: Database
  readonly #book: Book
  readonly #bank: string
  readonly #sql: StatementQueries

  /** `bank` is the name in the bank's profile. */
  constructor(
    database: Database,
    { book, bank }: { readonly book: Book; readonly bank: string },
    schema: string = DEFAULT_SCHEMA,
  ) {
    this.#database = database
    this.#book = book
    this.#bank = bank
    this.#sql = statementQueries(schema)
  }

  unposted(): Promise<AcceptedStatement[]> {
    return this.#statements('unposted', [])
  }

  posted(): Promise<AcceptedStatement[]> {
    return this.#statements('posted', [])
  }

  statements(intakes: readonly IntakeId[]): Promise<AcceptedStatement[]> {
    return this.#statements('named', intakes)
  }

  async markFinal(intakes: readonly IntakeId[]): Promise<void> {
    await this.#rows('mark-final', [this.#bank, toWireJson(intakes)])
  }

  async nextLines({ intake, number }: AcceptedStatement): Promise<LinePage | null> {
    const [row = {}] = await this.#rows('match-progress', [intake, number])
    const after = decodeProgress(row)
    if (after === null) return null
    const values = [intake, number, after.sweep, after.line, PAGE_LINES_MAX]
    return { after, lines: (await this.#rows('lines', values)).map(decodeLine) }
  }

  async recordPage(
    { intake, number }: AcceptedStatement,
    page: LinePage,
    payouts: readonly string[],
    match: (seen: Seen) => Matched,
  ): Promise<void> {
    await this.#database.transaction(async tx => {
      await this.#rows('lock-bank', [this.#bank], tx)
      const { after } = page
      const next = cursorAfter(page)
      const { sweep, line } = next ?? after
      const values = [intake, number, after.sweep, after.line, sweep, line, next === null]
      const advanced = await this.#rows('advance-matching', values, tx)
      if (advanced.length === 0) return
      const seen = await this.#rows('seen-payouts', [toWireJson(payouts), intake], tx)
      const { allocations, findings, clues } = match(decodeSeen(seen))
      await this.#rows('add-allocations', [intake, number, toWireJson(allocations)], tx)
      await this.#rows('add-findings', [intake, number, toWireJson(findings)], tx)
      await this.#rows('add-clues', [intake, number, toWireJson(clues)], tx)
    })
  }

  async matchedPayouts(
    { intake, number }: AcceptedStatement,
    { after, limit }: { after: string; limit: number },
  ): Promise<MatchedPayout[]> {
    const rows = await this.#rows('matched-payouts', [intake, number, after, limit])
    return rows.map(decodeMatchedPayout)
  }

  async movePaidAfterRelease({ intake, number }: AcceptedStatement, payout: string): Promise<void> {
    await this.#rows('move-paid-after-release', [intake, number, payout])
  }

  async lateReturns(limit: number): Promise<LateReturn[]> {
    return (await this.#rows('late-returns', [this.#bank, limit])).map(row => {
      const line = decodeLine(row)
      const { statement, number } = line
      const detail = Number(row['detail'])
      return { place: { intake: text(row, 'intake'), statement, line: number, detail }, line }
    })
  }

  async recordLateReturn(
    { intake, statement, line, detail }: ReturnPlace,
    payouts: readonly string[],
    match: (seen: Seen) => Matched,
  ): Promise<void> {
    await this.#database.transaction(async tx => {
      await this.#rows('lock-bank', [this.#bank], tx)
      const [taken] = await this.#rows('take-late-return', [intake, statement, line, detail], tx)
      if (!taken) return
      const first = Number(taken['part'])
      const seen = await this.#rows('seen-payouts', [toWireJson(payouts), intake], tx)
      const { allocations, findings } = match(decodeSeen(seen))
      const parts = allocations.map(each => ({ ...each, part: first + each.part }))
      await this.#rows('add-allocations', [intake, statement, toWireJson(parts)], tx)
      await this.#rows('add-findings', [intake, statement, toWireJson(findings)], tx)
    })
  }

  async unpostedReturns(limit: number): Promise<UnpostedReturn[]> {
    return (await this.#rows('unposted-returns', [this.#bank, limit])).map(decodeUnpostedReturn)
  }

  async markReturnPosted({ intake, statement, line, detail }: ReturnPlace): Promise<void> {
    await this.#rows('mark-return-posted', [intake, statement, line, detail])
  }

  async sums({ intake, number }: AcceptedStatement): Promise<PlaceSum[]> {
    return (await this.#rows('statement-sums', [intake, number])).map(decodeSum)
  }

  async markPosted(
    { intake, number }: AcceptedStatement,
    posted: Instant | null,
    books: bigint,
  ): Promise<void> {
    await this.#rows('mark-posted', [intake, number, posted, String(books)])
  }

  async findings(intakes: readonly IntakeId[], limit: number): Promise<Finding[]> {
    const values = [this.#bank, toWireJson(intakes), limit]
    return (await this.#rows('findings', values)).map(decodeFinding)
  }

  /**
   * Erases payees, references and free text of the lines of posted statements up to a day,
   * `2026-11-30`; returns of how many lines. What they were matched with, and findings, stay.
   */
  async eraseTexts(throughDay: string): Promise<number> {
    const [row = {}] = await this.#rows('erase-texts', [this.#bank, throughDay])
    return Number(text(row, 'lines'))
  }

  async #statements(which: string, intakes: readonly IntakeId[]): Promise<AcceptedStatement[]> {
    const values = [this.#bank, which, toWireJson(intakes)]
    return (await this.#rows('statements', values)).map(decodeStatement)
  }

  async #rows(
    name: keyof StatementQueries,
    values: readonly unknown[],
    on: Queryable = this.#database,
  ): Promise<Row[]> {
    return (await on.query(this.#sql[name], [this.#book, ...values])).rows
  }
}

/** Where matching stands after a page; null where it was the last one. */
function cursorAfter({ after, lines }: LinePage): MatchCursor | null {
  const last = lines.at(-1)
  if (last && lines.length === PAGE_LINES_MAX) return { ...after, line: last.number }
  const sweep = SWEEPS[SWEEPS.indexOf(after.sweep) + 1]
  return sweep ? { sweep, line: 0 } : null
}

function decodeSeen(rows: readonly Row[]): Seen {
  const seen = rows.map(decodeMatchedPayout)
  return {
    paid: new Set(seen.filter(({ paid }) => paid).map(({ payout }) => payout)),
    returned: new Map(seen.map(({ payout, returned }) => [payout, returned])),
    overpaid: new Map(rows.map(row => [text(row, 'payout'), BigInt(text(row, 'overpaid'))])),
    elsewhere: new Set(rows.flatMap(row => JSON.parse(text(row, 'elsewhere')) as string[])),
  }
}
