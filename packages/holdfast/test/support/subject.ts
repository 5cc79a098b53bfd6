import { expect } from 'vitest'
import type { AccountId, Book, Command } from '../../src/ledger/command.ts'
import type { Movement } from '../../src/ledger/movement.ts'
import type { Outcome, Refusal } from '../../src/ledger/outcome.ts'
import type { Store } from '../../src/ledger/store.ts'
import { NEVER } from './commands.ts'

/** A store that the conformance suite runs against. */
export interface Subject {
  readonly store: Store
  /** Returns when the store's clock has moved on by at least this. */
  passTime(ms: number): Promise<void>
  close(): Promise<void>
}

export interface StoreMaker {
  readonly name: string
  /** False where lists run inside a transaction of the caller's: they have no deadline. */
  readonly deadlines: boolean
  /** How far from zero a balance may lie in this store. */
  readonly balanceMax: bigint
  /** Every how many of the shared scenarios are tried: all of them takes minutes. */
  readonly vectors: { readonly inOneList: number; readonly oneByOne: number }
  readonly make: () => Promise<Subject>
}

/** Tells this test file's books from those of others, on a server that outlives it. */
const RUN = `${process.pid}-${Date.now().toString(36)}`
let books = 0

/** A name that no other book of this test file has. */
export function newBook(): Book {
  books += 1
  return `book-${RUN}-${books}`
}

/** A book of its own on the store under test. */
export class Scene {
  readonly book: Book = newBook()
  readonly subject: Subject
  readonly store: Store

  constructor(subject: Subject) {
    this.subject = subject
    this.store = subject.store
  }

  send(...commands: Command[]): Promise<Outcome[]> {
    return this.store.apply(this.book, commands, NEVER)
  }

  /** The outcome of one command, sent alone. */
  async one(command: Command): Promise<Outcome> {
    const [outcome] = await this.send(command)
    if (!outcome) throw new Error('the store gave no outcome')
    return outcome
  }

  /** Sends commands that are there to prepare the scene: each must be carried out. */
  async given(...commands: Command[]): Promise<this> {
    for (const [index, outcome] of (await this.send(...commands)).entries())
      expect(outcome, `command ${index}`).toMatchObject({ ok: true, replayed: false })
    return this
  }

  /** The movement of a command that is carried out for the first time. */
  async moved(command: Command): Promise<Movement> {
    const outcome = await this.one(command)
    expect(outcome).toMatchObject({ ok: true, replayed: false })
    return movementOf(outcome)
  }

  /** The refusal of a command, without its sentence. */
  async refused(command: Command): Promise<Omit<Refusal, 'message'>> {
    return refusalOf(await this.one(command))
  }

  /** `posted`, `held` and `version` of an account. */
  async balance(id: AccountId): Promise<[posted: bigint, held: bigint, version: bigint]> {
    const account = await this.store.account(this.book, id)
    if (!account) throw new Error(`there is no account ${id}`)
    return [account.posted, account.held, account.version]
  }
}

/** The movement that an outcome carries. */
export function movementOf(outcome: Outcome): Movement {
  if (!outcome.ok || !outcome.movement) throw new Error(`no movement: ${inWords(outcome)}`)
  return outcome.movement
}

/** The refusal that an outcome is, without its sentence; the sentence must be there. */
export function refusalOf(outcome: Outcome): Omit<Refusal, 'message'> {
  if (outcome.ok) throw new Error(`no refusal: ${inWords(outcome)}`)
  const { message, ...rest } = outcome.refusal
  expect(message).toMatch(/\S/)
  return rest
}

function inWords(outcome: Outcome): string {
  if (!outcome.ok) return `${outcome.refusal.code}: ${outcome.refusal.message}`
  return outcome.replayed ? 'replayed' : 'ok'
}
