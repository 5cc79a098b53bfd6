import type { Instant } from '../../instant.ts'
import type { AccountId, Book, Command, Key } from '../../ledger/command.ts'
import { decodeOutcome, type Answer } from '../../ledger/answer.ts'
import type { Account, Entry, Movement } from '../../ledger/movement.ts'
import type { Outcome } from '../../ledger/outcome.ts'
import { isRefusal, prepare, type Prepared } from '../../ledger/prepare.ts'
import { reversedByLeg } from '../../ledger/reversed.ts'
import { readMovement, type MovementJson } from '../../ledger/stored-movement.ts'
import {
  ListNotApplied,
  RetryTransaction,
  type Deadline,
  type EntryPlace,
  type FeedCursor,
  type FeedPage,
  type NotAppliedReason,
  type Transaction,
  type TransactionalStore,
} from '../../ledger/store.ts'
import { sqlState, type Queryable, type Row } from './database.ts'
import { decodeAccount, decodeEntry, text } from './decode.ts'
import { decodeEntries, decodeMovements } from './decode-page.ts'
import { encodeList } from './encode-list.ts'
import { decodeAnswers } from './decode-answers.ts'
import { DEFAULT_SCHEMA, loadStatements } from './sql.ts'

const QUERIES = [
  'apply',
  'now',
  'account',
  'accounts',
  'entries',
  'all-entries',
  'movements',
  'reversals',
  'feed',
  'expired-holds',
  'books',
] as const

type QueryName = (typeof QUERIES)[number]

/**
 * The ledger on Postgres 14 to 18 and on PGlite: one schema, one function `apply_v1`. `database` is
 * a pool or an embedded database whose schema has been migrated.
 */
export class PostgresStore implements TransactionalStore {
  readonly #database: Queryable
  readonly #sql: Readonly<Record<QueryName, string>>

  constructor(database: Queryable, schema: string = DEFAULT_SCHEMA) {
    this.#database = database
    this.#sql = loadStatements(new URL('./queries/', import.meta.url), QUERIES, schema)
  }

  async apply(book: Book, commands: readonly Command[], deadline: Deadline): Promise<Outcome[]> {
    return this.#send(this.#database, book, commands, deadline).catch((error: unknown) => {
      const reason = whyNotApplied(error)
      throw reason ? new ListNotApplied(reason, { cause: error }) : error
    })
  }

  async applyWithin(tx: Transaction, book: Book, commands: readonly Command[]): Promise<Outcome[]> {
    return this.#send(tx, book, commands, null).catch((error: unknown) => {
      throw whyNotApplied(error) === 'conflict' ? new RetryTransaction({ cause: error }) : error
    })
  }

  async now(): Promise<Instant> {
    const [row] = await this.#rows('now', [])
    return text(row ?? {}, 'now')
  }

  async account(book: Book, id: AccountId, at?: Instant): Promise<Account | null> {
    const [row] = await this.#rows('account', [book, id, at ?? null])
    return row ? decodeAccount(book, row) : null
  }

  async accounts(book: Book, page: { after?: AccountId; limit: number }): Promise<Account[]> {
    const rows = await this.#rows('accounts', [book, page.after ?? null, page.limit])
    return rows.map(row => decodeAccount(book, row))
  }

  async entries(
    book: Book,
    id: AccountId,
    page: { before?: bigint; limit: number },
  ): Promise<Entry[]> {
    const before = page.before?.toString() ?? null
    const rows = await this.#rows('entries', [book, id, before, page.limit])
    return rows.map(row => decodeEntry(book, row))
  }

  async allEntries(book: Book, after: EntryPlace | null, limit: number): Promise<Entry[]> {
    const { account, version } = after ?? { account: '', version: 0n }
    const [page = {}] = await this.#rows('all-entries', [book, account, version.toString(), limit])
    return decodeEntries(book, page)
  }

  async movements(book: Book, ...keys: readonly Key[]): Promise<Movement[]> {
    return (await this.#rows('movements', [book, keys])).map(movementOf)
  }

  async reversed(book: Book, of: Key): Promise<bigint[]> {
    return reversedByLeg((await this.#rows('reversals', [book, of])).map(movementOf))
  }

  /**
   * A cursor is three parts with a slash between them: the snapshot up to which all has been seen,
   * the one that is being read up to, and the last sequence number of it.
   */
  async feed(book: Book, after: FeedCursor | null, limit: number): Promise<FeedPage> {
    const [seen = '', upTo = '', seq = '0'] = (after ?? '//0').split('/')
    const [page = {}] = await this.#rows('feed', [book, seen || null, upTo || null, seq, limit])
    const movements = decodeMovements(book, page)
    const reading = text(page, 'up_to')
    const next =
      movements.length === limit ? `${seen}/${reading}/${text(page, 'seq')}` : `${reading}//0`
    return { movements, next }
  }

  async expiredHolds(book: Book, limit: number): Promise<Key[]> {
    return (await this.#rows('expired-holds', [book, limit])).map(row => text(row, 'key'))
  }

  async books(): Promise<Book[]> {
    return (await this.#rows('books', [])).map(row => text(row, 'book'))
  }

  async #rows(name: QueryName, values: unknown[]): Promise<Row[]> {
    return (await this.#database.query(this.#sql[name], values)).rows
  }

  async #send(
    queryable: Queryable,
    book: Book,
    commands: readonly Command[],
    deadline: Deadline | null,
  ): Promise<Outcome[]> {
    const prepared = commands.map(prepare)
    const wellFormed = prepared.filter((each): each is Prepared => !isRefusal(each))
    const answers = (await this.#answers(queryable, book, wellFormed, deadline)).values()
    return prepared.map(each => {
      if (isRefusal(each)) return { ok: false, refusal: each }
      const { value: answer } = answers.next()
      if (!answer) throw new Error('apply_v1 gave fewer answers than there are commands')
      return decodeOutcome(book, each, answer)
    })
  }

  async #answers(
    queryable: Queryable,
    book: Book,
    commands: readonly Prepared[],
    deadline: Deadline | null,
  ): Promise<Answer[]> {
    if (commands.length === 0) return []
    const values = [book, deadline, ...encodeList(commands)]
    const { rows } = await queryable.query(this.#sql.apply, values)
    return decodeAnswers(rows[0] ?? {})
  }
}

function movementOf(row: Row): Movement {
  return readMovement(JSON.parse(text(row, 'movement')) as MovementJson)
}

/**
 * Serialization failure, deadlock, lock not available, a key that another list used at the same
 * moment, and what `apply_v1` raises to be sent again.
 */
const CONFLICTS = ['40001', '40P01', '55P03', '23505', 'HF001']
const DEADLINE_PASSED = 'HF002'
/** Connection exceptions, operator intervention, system and internal errors: anything may be true. */
const UNKNOWN_CLASSES = ['08', '57', '58', 'XX']
const COMPLETION_UNKNOWN = '40003'

/** Why a list certainly did nothing; null where nobody can tell. */
function whyNotApplied(error: unknown): NotAppliedReason | null {
  const state = sqlState(error)
  if (state === null || state === COMPLETION_UNKNOWN) return null
  if (CONFLICTS.includes(state)) return 'conflict'
  if (state === DEADLINE_PASSED) return 'deadline'
  return UNKNOWN_CLASSES.includes(state.slice(0, 2)) ? null : 'failed'
}
