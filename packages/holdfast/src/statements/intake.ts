import { createHash, type Hash } from 'node:crypto'
import type {
  AcceptedIntake,
  FileIdentity,
  IntakeId,
  IntakeRefusal,
  NumberedLine,
  ReadStatement,
  StatementAccount,
  StatementStaging,
} from './intake-ports.ts'
import type { Statement, StatementEvent, StatementLine } from './statement.ts'

/** So many lines are staged at once; no more than these are in memory. */
export const STAGED_LINES_MAX = 1_000

/** A file to be taken. */
export interface StatementFile {
  /** The bytes, from the start; called twice, since a file is known by its hash before it is read. */
  open(): AsyncIterable<Uint8Array>
  /** The reader of the file's format. */
  read(chunks: AsyncIterable<Uint8Array>): AsyncIterable<StatementEvent>
}

/** What became of a file. `taken` is `before` where the same bytes were accepted earlier. */
export type IntakeOutcome =
  | {
      readonly ok: true
      readonly taken: 'now' | 'before'
      readonly intake: IntakeId
      readonly hash: string
    }
  | { readonly ok: false; readonly refusal: IntakeRefusal }

/** What became of files that were to be taken together; the one refused counts from 0. */
export type FilesOutcome =
  | { readonly ok: true; readonly files: readonly (AcceptedIntake & { readonly hash: string })[] }
  | { readonly ok: false; readonly file: number; readonly refusal: IntakeRefusal }

/**
 * Takes a file of statements whole or not at all, and once (I11). Lines are staged while they are
 * read and count for nothing until one update accepts them. Whatever the reader throws (it refuses
 * the file with a `StatementRefused`) is thrown on, and nothing of the file is left.
 */
export async function takeStatementFile(
  file: StatementFile,
  account: StatementAccount,
  staging: StatementStaging,
): Promise<IntakeOutcome> {
  const outcome = await takeStatementFiles([file], account, staging)
  if (!outcome.ok) return { ok: false, refusal: outcome.refusal }
  const [taken] = outcome.files
  if (!taken) throw new Error('a file was neither taken nor refused')
  return { ok: true, ...taken }
}

/** Takes files of one account together, as {@link takeStatementFile} takes one: all or none of them. */
export async function takeStatementFiles(
  files: readonly StatementFile[],
  account: StatementAccount,
  staging: StatementStaging,
): Promise<FilesOutcome> {
  const begun: Begun[] = []
  const left = new Map<IntakeId, FileIdentity>()
  try {
    // All begin before any is staged: whoever begins removes intakes that have stood still.
    for (const file of files) {
      const next = await begin(file, account, staging)
      begun.push(next)
      if (next.taken === 'now') left.set(next.intake, next.identity)
    }
    for (const [index, { file, ...target }] of begun.entries()) {
      if (target.taken === 'before') continue
      const refusal = await stage(file, account, { staging, ...target })
      if (refusal) return { ok: false, file: index, refusal }
    }
    const fresh = begun.filter(({ taken }) => taken === 'now')
    const acceptance = await staging.accept(
      fresh.map(({ identity, intake }) => ({ file: identity, intake })),
    )
    if (!acceptance.accepted) {
      const refused = fresh[acceptance.file]
      return { ok: false, file: refused ? begun.indexOf(refused) : 0, refusal: acceptance.refusal }
    }
    for (const { taken, intake } of acceptance.intakes) if (taken === 'now') left.delete(intake)
    const accepted = new Map(fresh.map((each, index) => [each, acceptance.intakes[index]]))
    const taken = begun.map(each => {
      const { taken: how, intake } = accepted.get(each) ?? each
      return { taken: how, intake, hash: each.identity.hash }
    })
    return { ok: true, files: taken }
  } finally {
    // Where this fails too, the next intake removes what is left.
    for (const [intake, identity] of left)
      await staging.discard(identity, intake).catch(() => undefined)
  }
}

/** A file that is being taken, or was before. */
interface Begun extends AcceptedIntake {
  readonly file: StatementFile
  readonly identity: FileIdentity
}

async function begin(
  file: StatementFile,
  { book, bank }: StatementAccount,
  staging: StatementStaging,
): Promise<Begun> {
  const identity = { book, bank, hash: await hashOf(file.open()) }
  const before = await staging.find(identity)
  if (before !== null) return { file, identity, taken: 'before', intake: before }
  return { file, identity, taken: 'now', intake: await staging.begin(identity) }
}

interface Target {
  readonly staging: StatementStaging
  readonly identity: FileIdentity
  readonly intake: IntakeId
}

/** Reads the file and stages it; null where all of it is staged. */
async function stage(
  file: StatementFile,
  account: StatementAccount,
  { staging, identity, intake }: Target,
): Promise<IntakeRefusal | null> {
  const hash = createHash('sha256')
  let lines: NumberedLine[] = []
  let current = new Current(0, '')
  for await (const event of file.read(hashing(file.open(), hash))) {
    if (event.type === 'statement') {
      current = new Current(event.statement + 1, event.format)
    } else if (event.type === 'line') {
      lines.push(current.add(event.line))
      const refusal = whyOtherCurrency(event.line, current, account)
      if (refusal) return refusal
    } else {
      const refusal = whyOtherAccount(event.head, current, account)
      if (refusal) return refusal
      await staging.stageStatement(identity, intake, current.end(event.head))
    }
    if (lines.length === STAGED_LINES_MAX) {
      await staging.stageLines(identity, intake, lines)
      lines = []
    }
  }
  if (lines.length > 0) await staging.stageLines(identity, intake, lines)
  if (hash.digest('hex') === identity.hash) return null
  return { code: 'FILE_CHANGED', message: 'The file changed while it was read' }
}

/** The statement that is being read, in memory that does not grow. */
class Current {
  readonly number: number
  readonly #format: string
  lines = 0
  #bookedLines = 0
  #moved = 0n
  #firstDay: string | null = null
  #lastDay: string | null = null

  constructor(number: number, format: string) {
    this.number = number
    this.#format = format
  }

  add(line: StatementLine): NumberedLine {
    this.lines += 1
    if (line.status === 'booked') this.#book(line)
    return { statement: this.number, number: this.lines, line }
  }

  end(head: Statement): ReadStatement {
    return {
      number: this.number,
      head,
      format: this.#format,
      lines: this.lines,
      bookedLines: this.#bookedLines,
      moved: this.#moved,
      firstDay: this.#firstDay,
      lastDay: this.#lastDay,
    }
  }

  #book({ amount, direction, booked }: StatementLine): void {
    this.#bookedLines += 1
    this.#moved += direction === 'debit' ? -amount : amount
    if (booked === null) return
    if (this.#firstDay === null || booked < this.#firstDay) this.#firstDay = booked
    if (this.#lastDay === null || booked > this.#lastDay) this.#lastDay = booked
  }
}

function whyOtherCurrency(
  line: StatementLine,
  { number, lines }: Current,
  { bank, currency }: StatementAccount,
): IntakeRefusal | null {
  if (line.currency === currency || line.status !== 'booked') return null
  return {
    code: 'OTHER_CURRENCY',
    message: `Line ${lines} of statement ${number} is in ${line.currency}; the account ${bank} is in ${currency}`,
  }
}

function whyOtherAccount(
  head: Statement,
  { number }: Current,
  { bank, account, currency }: StatementAccount,
): IntakeRefusal | null {
  if (head.currency !== null && head.currency !== currency) {
    const message = `Statement ${number} is in ${head.currency}; the account ${bank} is in ${currency}`
    return { code: 'OTHER_CURRENCY', message }
  }
  if (account === null || head.account === null || head.account === account) return null
  const message = `Statement ${number} is of the account ${head.account}; ${bank} is ${account}`
  return { code: 'OTHER_ACCOUNT', message }
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

async function* hashing(chunks: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}
