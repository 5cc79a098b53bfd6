import type { Instant } from '../../src/instant.ts'
import type { Book, Command } from '../../src/ledger/command.ts'
import type { Outcome } from '../../src/ledger/outcome.ts'
import { ListNotApplied, type Deadline, type NotAppliedReason } from '../../src/ledger/store.ts'
import { MemoryStore } from '../../src/stores/memory/memory-store.ts'
import type { ManualClock } from './clock.ts'

/** The caller sees no answer, and cannot tell why. */
export class ConnectionLost extends Error {
  override readonly name: string = 'ConnectionLost'
}

/** What becomes of one list that is sent. */
export type Fate =
  | 'delivered'
  /** It is carried out, and the answer is lost. */
  | 'reply lost'
  /** It never arrives. */
  | 'request lost'
  /** The connection is lost, and the list arrives so many milliseconds later. */
  | { stuckForMs: number }
  /** The store certainly does nothing. */
  | { notApplied: NotAppliedReason }

/** A memory store between which and the caller lists and answers are lost, as a script says. */
export class ScriptedStore extends MemoryStore {
  /** Every list that was sent, in order. */
  readonly sent: (readonly Command[])[] = []
  readonly deadlines: Deadline[] = []
  /** The fates of the lists to come; when they run out, lists are delivered. */
  readonly fates: Fate[] = []
  /** While it is down no list and no question reaches it. */
  down = false
  /** Lists with such a command make the store fail every time. */
  poison: (command: Command) => boolean = () => false
  readonly #clock: ManualClock
  readonly #stuck: { arrives: Instant; arrive: () => Promise<unknown> }[] = []

  constructor(clock: ManualClock) {
    super(clock)
    this.#clock = clock
  }

  override async apply(
    book: Book,
    commands: readonly Command[],
    deadline: Deadline,
  ): Promise<Outcome[]> {
    if (this.down) throw new ConnectionLost()
    await this.letStuckArrive()
    this.sent.push(commands)
    this.deadlines.push(deadline)
    const fate = this.fates.shift() ?? 'delivered'
    if (typeof fate === 'object' && 'notApplied' in fate) throw new ListNotApplied(fate.notApplied)
    if (commands.some(command => this.poison(command))) throw new ListNotApplied('failed')
    if (fate === 'request lost') throw new ConnectionLost()
    if (typeof fate === 'object') {
      const arrives = new Date(Date.parse(this.#clock.now()) + fate.stuckForMs).toISOString()
      this.#stuck.push({ arrives, arrive: () => super.apply(book, commands, deadline) })
      throw new ConnectionLost()
    }
    const outcomes = await super.apply(book, commands, deadline)
    if (fate === 'reply lost') throw new ConnectionLost()
    return outcomes
  }

  override async now(): Promise<Instant> {
    if (this.down) throw new ConnectionLost()
    await this.letStuckArrive()
    return super.now()
  }

  /** Carries out what was stuck and is due by now, or all of it. */
  async letStuckArrive(all = false): Promise<void> {
    for (const each of this.#stuck.splice(0)) {
      if (!all && each.arrives > this.#clock.now()) this.#stuck.push(each)
      // Too late for its deadline: then it does nothing.
      else await each.arrive().catch(() => undefined)
    }
  }
}
