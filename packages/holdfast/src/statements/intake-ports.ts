import type { Book } from '../ledger/command.ts'
import type { Statement, StatementLine } from './statement.ts'

/** The account at a bank that a file's statements must be of. */
export interface StatementAccount {
  readonly book: Book
  /** Our name for the account at the bank, as in `bank:<name>`. */
  readonly bank: string
  /** The number that the bank prints; null: that of the first statement that was taken. */
  readonly account: string | null
  /** An ISO 4217 code. */
  readonly currency: string
}

/** A file that is being taken: its bytes are known by their SHA-256, in hexadecimal. */
export interface FileIdentity {
  readonly book: Book
  readonly bank: string
  readonly hash: string
}

/** The name of one taking of a file, given by the store. */
export type IntakeId = string

/** A line and where it stands: statements and lines count from 1 in the order of the file. */
export interface NumberedLine {
  readonly statement: number
  readonly number: number
  readonly line: StatementLine
}

/** A statement of the file once it has been read to its end. */
export interface ReadStatement {
  /** Counts from 1. */
  readonly number: number
  readonly head: Statement
  readonly format: string
  readonly lines: number
  readonly bookedLines: number
  /** Booked credits less booked debits, in minor units. */
  readonly moved: bigint
  /** The first and the last booking day of its booked lines. */
  readonly firstDay: string | null
  readonly lastDay: string | null
}

/** Why a whole file is not taken. */
export const INTAKE_REFUSAL_CODES = [
  'OTHER_ACCOUNT',
  'OTHER_CURRENCY',
  'STATEMENT_TAKEN_BEFORE',
  'FILE_CHANGED',
] as const

/** One of {@link INTAKE_REFUSAL_CODES}. */
export type IntakeRefusalCode = (typeof INTAKE_REFUSAL_CODES)[number]

/** A business answer of no to a whole file: a value with a code, never thrown. */
export interface IntakeRefusal {
  readonly code: IntakeRefusalCode
  /** One sentence that says what differs and where. */
  readonly message: string
}

/** A file all of whose lines are staged. */
export interface StagedFile {
  readonly file: FileIdentity
  readonly intake: IntakeId
}

/** The intake that counts for a file: `before` where its bytes were accepted earlier, or by others. */
export interface AcceptedIntake {
  readonly taken: 'now' | 'before'
  readonly intake: IntakeId
}

/** What became of files that were to be accepted together; the one refused counts from 0. */
export type Acceptance =
  | { readonly accepted: true; readonly intakes: readonly AcceptedIntake[] }
  | { readonly accepted: false; readonly file: number; readonly refusal: IntakeRefusal }

/** Where lines wait until their file is accepted. No line of another file is ever seen. */
export interface StatementStaging {
  /** The accepted intake of a file with these bytes, or null. */
  find(file: FileIdentity): Promise<IntakeId | null>
  /** Opens an intake; also removes what takings that stopped half way have left behind. */
  begin(file: FileIdentity): Promise<IntakeId>
  /** Throws {@link IntakeLost} where the intake was taken for stopped, and removed. */
  stageLines(file: FileIdentity, intake: IntakeId, lines: readonly NumberedLine[]): Promise<void>
  stageStatement(file: FileIdentity, intake: IntakeId, statement: ReadStatement): Promise<void>
  /**
   * Accepts files of one bank, all or none: an update for each, conditional on the file being new, on
   * no statement of it having come in another file, and on all of it being of the account that the
   * bank's others are of. Gives the intakes in the order of the files.
   */
  accept(files: readonly StagedFile[]): Promise<Acceptance>
  /** Removes an intake that was not accepted. */
  discard(file: FileIdentity, intake: IntakeId): Promise<void>
}

/** Thrown where an intake stood still for so long that another one removed it: take the file again. */
export class IntakeLost extends Error {
  override readonly name: string = 'IntakeLost'
  constructor() {
    super('The intake of this file stood still for too long and was removed; take the file again')
  }
}
