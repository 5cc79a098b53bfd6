import { Ledger, MemoryStore, type Asset, type Book, type Store } from 'holdfast'
import { currencyOf } from 'holdfast/money'
import { clearingAccount, Payouts } from 'holdfast/payouts'
import {
  DEFAULT_SCHEMA,
  migrate,
  migrations,
  PostgresPayoutReads,
  PostgresPayouts,
  PostgresReconciliationStore,
  PostgresStatementStaging,
  PostgresStore,
  sqlState,
  type Database,
} from 'holdfast/postgres'
import { Reconciliation, type BankProfile, type PayoutActions } from 'holdfast/reconciliation'
import {
  takeStatementFiles,
  type FilesOutcome,
  type StatementAccount,
  type StatementFile,
} from 'holdfast/statements'
import { resolve } from 'node:path'
import { BadInput } from './bad-input.ts'
import { bankProfile } from './bank-profile.ts'
import { GATEWAY_NAME, type ReachableGateway } from './gateway-option.ts'
import { openServer } from './open-server.ts'
import { readWhere, type Where, type WhereOptions } from './where.ts'

/** How long after its commit an attempt may still be sent. */
const SEND_WITHIN_MS = 5_000
/**
 * How much longer a worker may keep a payout than an attempt may wait and the gateway may take.
 * Short, so that what a killed process had in hand is soon free.
 */
const LEASE_SPARE_MS = 5_000

/** The ledgers of all books of one place. */
export interface Ledgers {
  readonly store: Store
  readonly ledger: (book: Book) => Ledger
  readonly close: () => Promise<void>
}

/** So many payouts are asked about at once while books and bank are compared. */
const RESOLVE_CONCURRENCY = 40

/** A bank's account and our books beside it. */
export interface BankBooks {
  readonly reconciliation: Reconciliation
  /** Takes files of statements, all or none of them, and each once. */
  readonly take: (files: readonly StatementFile[]) => Promise<FilesOutcome>
}

/** Everything of all books of one place. */
export interface Books extends Ledgers {
  /** Without a gateway payouts can only be read. */
  readonly payouts: (book: Book, gateway?: ReachableGateway) => Payouts
  /**
   * The bank behind the gateway. `asset` is what its account holds, where the books do not say.
   * Without a gateway nobody is asked about payouts that have no final answer.
   */
  readonly bank: (book: Book, asset: Asset, gateway?: ReachableGateway) => Promise<BankBooks>
}

/** How a place is opened. */
export interface OpenOptions {
  /** Whether books are made in a folder that holds none; otherwise it is bad input. */
  readonly create: boolean
}

/** Opens the ledgers that the options name; in memory they are the model (docs/adr/0005). */
export async function openLedgers(options: WhereOptions, how: OpenOptions): Promise<Ledgers> {
  if (readWhere(options).kind !== 'memory') return openBooks(options, how)
  const store = new MemoryStore()
  return { store, ledger: ledgersOf(store), close: () => Promise.resolve() }
}

/**
 * Opens the books that the options name. An embedded schema is brought up to date; a server's must
 * be, by `holdfast migrate`. Throws {@link BadInput} where the place is not as it should be.
 */
export async function openBooks(options: WhereOptions, how: OpenOptions): Promise<Books> {
  const where = readWhere(options)
  const schema = readSchema(options)
  const database = await openDatabase(where, how)
  try {
    if (where.kind === 'server') await checkMigrated(database, schema)
    else {
      if (where.kind === 'folder' && !how.create) await checkSchema(database, schema)
      await migrate(database, schema)
    }
  } catch (error) {
    await database.close()
    throw error
  }
  return booksIn(database, schema)
}

/** Opens the database that the options name, as it is, for `holdfast migrate`. */
export async function openForMigration(options: WhereOptions): Promise<Database> {
  const where = readWhere(options)
  if (where.kind === 'memory') throw new BadInput('--memory: there is nothing to migrate')
  return openDatabase(where, { create: true })
}

/** The name of the schema. Throws {@link BadInput} for what cannot be one. */
export function readSchema({ schema }: WhereOptions): string | undefined {
  if (schema === undefined) return undefined
  try {
    migrations(schema)
    return schema
  } catch (error) {
    if (error instanceof RangeError) throw new BadInput(`--${error.message}`)
    throw error
  }
}

function booksIn(database: Database, schema: string | undefined): Books {
  const store = new PostgresStore(database, schema)
  const ledger = ledgersOf(store)
  const payouts = (book: Book, reachable?: ReachableGateway) =>
    new Payouts({
      book,
      gateways: reachable ? [reachable.gateway] : [],
      repository: new PostgresPayouts(database, schema),
      ledger: ledger(book),
      sendWithinMs: SEND_WITHIN_MS,
      leaseMs: SEND_WITHIN_MS + (reachable?.timeoutMs ?? 0) + LEASE_SPARE_MS,
    })
  return {
    store,
    ledger,
    payouts,
    async bank(book, asset, reachable) {
      const clearing = await ledger(book).account(clearingAccount(GATEWAY_NAME))
      const profile = bankProfile(clearing?.asset ?? asset)
      const reconciliation = new Reconciliation({
        book,
        bank: profile,
        store: new PostgresReconciliationStore(database, { book, bank: profile.name }, schema),
        ledger: ledger(book),
        payouts: actionsOf(payouts(book, reachable)),
        reads: new PostgresPayoutReads(database, { book, bank: profile }, schema),
      })
      const staging = new PostgresStatementStaging(database, schema)
      const account = { book, ...accountOf(profile) }
      return { reconciliation, take: files => takeStatementFiles(files, account, staging) }
    },
    close: () => database.close(),
  }
}

/** What reconciliation asks of payouts, carried out by them. */
function actionsOf(payouts: Payouts): PayoutActions {
  return {
    resolve: coverage => payouts.resolve({ concurrency: RESOLVE_CONCURRENCY, coverage }),
    recordPaid: id => payouts.recordPaid(id),
    paidAfterRelease: id => payouts.paidAfterRelease(id),
    recordReturn: (id, total) => payouts.recordReturn(id, total),
  }
}

function accountOf({ name, account, asset }: BankProfile): Omit<StatementAccount, 'book'> {
  return { bank: name, account, currency: currencyOf(asset) }
}

/** One ledger a book, so that calls that wait at the same moment go out together. */
function ledgersOf(store: Store): (book: Book) => Ledger {
  const ledgers = new Map<Book, Ledger>()
  return book => {
    const ledger = ledgers.get(book) ?? new Ledger({ store, book })
    ledgers.set(book, ledger)
    return ledger
  }
}

async function openDatabase(where: Where, { create }: OpenOptions): Promise<Database> {
  if (where.kind === 'server') return openServer(where.url)
  // Half a second to load: only who works on an embedded database pays for it.
  const { FolderUnusable, holdsDatabase, openPglite } = await import('holdfast/pglite')
  if (where.kind === 'folder' && !create && !holdsDatabase(where.folder))
    throw new BadInput(
      `There are no books in ${where.folder}: name their folder with --data, or their server with --database-url`,
    )
  const folder = where.kind === 'folder' ? resolve(where.folder) : 'memory://'
  return openPglite(folder).catch((error: unknown) => {
    throw error instanceof FolderUnusable ? new BadInput(`--data: ${error.message}`) : error
  })
}

const UNDEFINED_TABLE = '42P01'

/** A server's schema is changed by `holdfast migrate` only, by a role that may. */
async function checkMigrated(database: Database, schema: string = DEFAULT_SCHEMA): Promise<void> {
  const done = await migrationsDone(database, schema)
  const missing = migrations(schema).filter(({ name }) => !done.has(name))
  if (missing.length === 0) return
  const state =
    done.size === 0 ? 'has no books yet' : `lacks ${missing.map(m => m.name).join(', ')}`
  throw new BadInput(
    `The schema "${schema}" of this database ${state}: run holdfast migrate with the same --database-url and --schema`,
  )
}

/** A folder's schema is brought up to date by whoever opens it, but only made by who may make books. */
async function checkSchema(database: Database, schema: string = DEFAULT_SCHEMA): Promise<void> {
  if ((await migrationsDone(database, schema)).size > 0) return
  throw new BadInput(
    `The schema "${schema}" of this database has no books yet: run holdfast migrate with the same --data and --schema`,
  )
}

/** The names of the migrations that a schema has had; none where there is no such schema. */
async function migrationsDone(database: Database, schema: string): Promise<Set<unknown>> {
  return database
    .query(`select name from "${schema}".migration`)
    .then(({ rows }) => new Set(rows.map(row => row['name'])))
    .catch((error: unknown) => {
      if (sqlState(error) === UNDEFINED_TABLE) return new Set<unknown>()
      throw error
    })
}
