import {
  IntakeLost,
  type Acceptance,
  type AcceptedIntake,
  type FileIdentity,
  type IntakeId,
  type IntakeRefusal,
  type NumberedLine,
  type ReadStatement,
  type StagedFile,
  type StatementStaging,
} from '../../../statements/intake-ports.ts'
import type { Database, Queryable, Row } from '../database.ts'
import { text, textOrNull } from '../decode.ts'
import { DEFAULT_SCHEMA } from '../sql.ts'
import { encodeLine } from './line-record.ts'
import { statementQueries, type StatementQueries } from './queries.ts'

/** An intake that has staged nothing for so long is taken for stopped. */
const STOOD_STILL_MS = 300_000

/** What Postgres cannot keep in a text: NUL, and half of a surrogate pair. */
const NO_TEXT = /[\0\p{Cs}]/gu

/** Where statements wait until their file is accepted, on Postgres and PGlite. */
export class PostgresStatementStaging implements StatementStaging {
  readonly #database: Database
  readonly #sql: StatementQueries

  constructor(database: Database, schema: string = DEFAULT_SCHEMA) {
    this.#database = database
    this.#sql = statementQueries(schema)
  }

  async find({ book, bank, hash }: FileIdentity): Promise<IntakeId | null> {
    const sql = this.#sql['find-intake']
    const [row] = (await this.#database.query(sql, [book, bank, hash])).rows
    return row ? text(row, 'intake') : null
  }

  async begin({ book, bank, hash }: FileIdentity): Promise<IntakeId> {
    await this.#database.query(this.#sql['clean-intakes'], [book, bank, STOOD_STILL_MS])
    const sql = this.#sql['begin-intake']
    const [row] = (await this.#database.query(sql, [book, bank, hash])).rows
    return text(row ?? {}, 'intake')
  }

  async stageLines(
    { book }: FileIdentity,
    intake: IntakeId,
    lines: readonly NumberedLine[],
  ): Promise<void> {
    const records = JSON.stringify(lines.map(encodeLine))
    const sql = this.#sql['stage-lines']
    const { rows } = await this.#database.query(sql, [book, intake, records])
    if (rows.length === 0) throw new IntakeLost()
  }

  async stageStatement(
    { book, bank }: FileIdentity,
    intake: IntakeId,
    statement: ReadStatement,
  ): Promise<void> {
    const { number, head, format, lines, bookedLines, moved, firstDay, lastDay } = statement
    const { rows } = await this.#database.query(this.#sql['stage-statement'], [
      book,
      intake,
      number,
      bank,
      storable(head.id),
      storable(head.account),
      format,
      head.opening?.toString() ?? null,
      head.closing?.toString() ?? null,
      lines,
      bookedLines,
      String(moved),
      firstDay,
      lastDay,
    ])
    if (rows.length === 0) throw new IntakeLost()
  }

  async accept(files: readonly StagedFile[]): Promise<Acceptance> {
    return this.#database
      .transaction(async tx => {
        const intakes: AcceptedIntake[] = []
        for (const [index, staged] of files.entries())
          intakes.push(await this.#acceptOne(tx, staged, index))
        return { accepted: true as const, intakes }
      })
      .catch((error: unknown) => {
        if (error instanceof Refused) return error.acceptance
        throw error
      })
  }

  async discard({ book }: FileIdentity, intake: IntakeId): Promise<void> {
    await this.#database.query(this.#sql['discard-intake'], [book, intake])
  }

  async #acceptOne(
    tx: Queryable,
    { file: { book, bank, hash }, intake }: StagedFile,
    index: number,
  ): Promise<AcceptedIntake> {
    await tx.query(this.#sql['lock-bank'], [book, bank])
    const values = [book, bank, intake, hash]
    if ((await tx.query(this.#sql['accept-intake'], values)).rows.length > 0) {
      await tx.query(this.#sql['day-empty-statements'], [book, bank, intake])
      return { taken: 'now', intake }
    }
    const [row = {}] = (await tx.query(this.#sql['why-not-accepted'], values)).rows
    const before = textOrNull(row, 'before')
    if (before !== null) return { taken: 'before', intake: before }
    if (row['code'] === null) throw new IntakeLost()
    throw new Refused({ accepted: false, file: index, refusal: refusalOf(bank, row) })
  }
}

/** Takes the whole transaction back: where one file is refused, none is accepted. */
class Refused extends Error {
  readonly acceptance: Acceptance

  constructor(acceptance: Acceptance) {
    super('One of the files is refused')
    this.acceptance = acceptance
  }
}

function refusalOf(bank: string, row: Row): IntakeRefusal {
  const number = Number(row['number'])
  if (row['code'] === 'OTHER_ACCOUNT') {
    const message = `Statement ${number} is of the account ${text(row, 'account')}; ${bank} is ${text(row, 'other_account')}`
    return { code: 'OTHER_ACCOUNT', message }
  }
  const message = `Statement ${number} (${text(row, 'id')}) was taken before, from a file with other bytes (SHA-256 ${text(row, 'other_hash')})`
  return { code: 'STATEMENT_TAKEN_BEFORE', message }
}

function storable(name: string | null): string | null {
  return name?.replace(NO_TEXT, '\uFFFD') ?? null
}
