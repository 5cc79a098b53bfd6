import type { Instant } from '../instant.ts'
import { systemTimer, type Timer } from '../timer.ts'
import type { AccountId, Book, Command, Key } from './command.ts'
import { pageLimit } from './limits.ts'
import { ListSender, type Sent } from './list-sender.ts'
import type { Account, Entry, Movement } from './movement.ts'
import type { Outcome } from './outcome.ts'
import { assertCommand, isName, NAME_RULE } from './shape.ts'
import type { FeedCursor, FeedPage, Store, Transaction, TransactionalStore } from './store.ts'

/** The most commands in one list. */
export const LIST_COMMANDS_MAX = 1_000
/** The most commands that wait for a list; where one more would wait, {@link LedgerBusy} is thrown. */
export const WAITING_COMMANDS_MAX = 100_000

/** So many commands wait that this call was not taken: nothing of it was done, it may come again. */
export class LedgerBusy extends Error {
  override readonly name: string = 'LedgerBusy'
  constructor() {
    super(`More than ${WAITING_COMMANDS_MAX} commands would wait for the ledger`)
  }
}

interface Waiting {
  readonly command: Command
  readonly settle: (sent: Sent) => void
}

/** What a ledger is made of. */
export interface LedgerOptions<S extends Store> {
  readonly store: S
  /** 1 to 128 of `A-Za-z0-9._:/@+-`. */
  readonly book: Book
  readonly timer?: Timer
}

/**
 * One book of a store. Calls that wait at the same moment are gathered into one list (group
 * commit): each is still all or nothing by itself. A call that is made after another's reply sees
 * its effect; calls made at once have no order.
 */
export class Ledger<S extends Store = Store> {
  readonly book: Book
  readonly #store: S
  readonly #sender: ListSender
  readonly #timer: Timer
  readonly #waiting: Waiting[] = []
  #running = false

  /** Throws a RangeError where the book's name is none. */
  constructor({ store, book, timer = systemTimer }: LedgerOptions<S>) {
    if (!isName(book)) throw new RangeError(`book: ${NAME_RULE}`)
    this.book = book
    this.#store = store
    this.#sender = new ListSender(store, book, timer)
    this.#timer = timer
  }

  /**
   * Carries out one command. A refusal is a value. Throws `OutcomeUnknown` where the answer was
   * lost and could not be had: the same command again answers it. Throws {@link LedgerBusy} where too
   * many commands wait already.
   */
  async submit(command: Command): Promise<Outcome> {
    const [outcome] = await this.apply([command])
    if (!outcome) throw new Error('a command was left without an outcome')
    return outcome
  }

  /**
   * Carries out commands in order, each all or nothing by itself. Throws where one of them has no
   * outcome ({@link submit}); the others may have taken effect. Throws a TypeError, and does
   * nothing, where one of them is no command at all; likewise {@link LedgerBusy}, and a RangeError for
   * more than {@link WAITING_COMMANDS_MAX}.
   */
  async apply(commands: readonly Command[]): Promise<Outcome[]> {
    for (const command of commands) assertCommand(command)
    if (commands.length > WAITING_COMMANDS_MAX)
      throw new RangeError(`commands: at most ${WAITING_COMMANDS_MAX} at once`)
    const sent = await Promise.all(this.#enqueue(commands))
    return sent.map(each => {
      if (each instanceof Error) throw each
      return each
    })
  }

  /**
   * Runs commands inside the caller's own READ COMMITTED transaction, so that they commit or roll
   * back with the caller's rows. Sends no BEGIN, COMMIT or SET. Throws `RetryTransaction` where the
   * whole transaction has to be run again, and a TypeError as {@link apply} does.
   */
  within(
    this: Ledger<TransactionalStore>,
    tx: Transaction,
  ): { apply(commands: readonly Command[]): Promise<Outcome[]> } {
    return {
      apply: async commands => {
        for (const command of commands) assertCommand(command)
        return this.#store.applyWithin(tx, this.book, commands)
      },
    }
  }

  /** An account now, or as it stood at the recorded time `at`; null where there is none. */
  account(id: AccountId, at?: Instant): Promise<Account | null> {
    return this.#store.account(this.book, id, at)
  }

  /** The accounts of the book by id, a page at a time. */
  accounts(page: { after?: AccountId; limit?: number } = {}): Promise<Account[]> {
    return this.#store.accounts(this.book, { ...page, limit: pageLimit(page.limit) })
  }

  /** An account's entries, newest first, a page at a time. */
  entries(id: AccountId, page: { before?: bigint; limit?: number } = {}): Promise<Entry[]> {
    return this.#store.entries(this.book, id, { ...page, limit: pageLimit(page.limit) })
  }

  /** The movements under keys, by key: of each the first, and the end of a hold that has ended. */
  movements(...keys: readonly Key[]): Promise<Movement[]> {
    return this.#store.movements(this.book, ...keys)
  }

  /** What has been reversed of a transfer or of a settled hold so far, leg by leg; empty for nothing. */
  reversed(of: Key): Promise<bigint[]> {
    return this.#store.reversed(this.book, of)
  }

  /** The movements in the order in which they took effect, from a cursor (null: the start). */
  feed(after: FeedCursor | null, limit?: number): Promise<FeedPage> {
    return this.#store.feed(this.book, after, pageLimit(limit))
  }

  /** Releases holds that have expired; returns how many. What a sweep calls from time to time. */
  async releaseExpired(limit?: number): Promise<number> {
    const keys = await this.#store.expiredHolds(this.book, pageLimit(limit))
    const outcomes = await this.apply(
      keys.map(hold => ({ do: 'release', hold, ifExpired: true, reason: 'expired' })),
    )
    return outcomes.filter(outcome => outcome.ok && !outcome.replayed).length
  }

  #enqueue(commands: readonly Command[]): Promise<Sent>[] {
    if (this.#waiting.length + commands.length > WAITING_COMMANDS_MAX) throw new LedgerBusy()
    const answers = commands.map(
      command => new Promise<Sent>(settle => this.#waiting.push({ command, settle })),
    )
    if (!this.#running) void this.#run()
    return answers
  }

  /**
   * Sends one list after the other; what arrives meanwhile waits for the next. Where the next is full
   * already, it is on its way before the answers to the last are given, so that the store need not
   * wait for those. Otherwise the answers come first, and those who call again at once come along.
   */
  async #run(): Promise<void> {
    this.#running = true
    // Calls of the same tick come into one list.
    await Promise.resolve()
    let last: { list: readonly Waiting[]; sent: readonly Sent[] } | null = null
    while (this.#waiting.length > 0) {
      const list = this.#waiting.splice(0, LIST_COMMANDS_MAX)
      const sending = this.#sendAll(list.map(each => each.command))
      if (last) answer(last.list, last.sent)
      last = { list, sent: await sending }
      if (this.#waiting.length < LIST_COMMANDS_MAX) {
        answer(last.list, last.sent)
        last = null
        await this.#timer.turn()
      }
    }
    this.#running = false
  }

  async #sendAll(commands: readonly Command[]): Promise<Sent[]> {
    try {
      return await this.#sender.send(commands)
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      return commands.map(() => failure)
    }
  }
}

function answer(list: readonly Waiting[], sent: readonly Sent[]): void {
  for (const [index, each] of list.entries())
    each.settle(sent[index] ?? new Error('a command was left without an outcome'))
}
