import { addMs, type Instant } from '../instant.ts'
import type { Timer } from '../timer.ts'
import type { Book, Command } from './command.ts'
import type { Outcome } from './outcome.ts'
import { StoreClock } from './store-clock.ts'
import { ListNotApplied, type Store } from './store.ts'

/** How often a list is sent before its outcome is called unknown. */
export const SENDS_MAX = 8
/** From a send to its deadline: a list that is stuck for longer takes no effect. */
export const LIST_DEADLINE_MS = 5_000
const BACKOFF_MS_FIRST = 20
const BACKOFF_MS_MAX = 1_000
const POLL_MS = 250
const POLLS_MAX = 60

/**
 * Nobody can tell whether the command took effect. Sending the same command again answers it, and
 * cannot move money twice.
 */
export class OutcomeUnknown extends Error {
  override readonly name: string = 'OutcomeUnknown'
  constructor(options?: { cause?: unknown }) {
    super('The outcome is unknown: send the same command again to learn it', options)
  }
}

/** What became of one command: its outcome, or why there is none. */
export type Sent = Outcome | Error

/**
 * Sends lists until their outcome is certain. A reply can be lost after the commit, so a list is
 * sent again as it is; a refusal on a re-send is believed only when no earlier send can act any
 * more, which is when the store's clock has passed their deadlines.
 */
export class ListSender {
  readonly #store: Store
  readonly #book: Book
  readonly #timer: Timer
  readonly #clock: StoreClock

  constructor(store: Store, book: Book, timer: Timer) {
    this.#store = store
    this.#book = book
    this.#timer = timer
    this.#clock = new StoreClock(store, book, timer)
  }

  send(commands: readonly Command[]): Promise<Sent[]> {
    return this.#send(commands, false)
  }

  /** `mayHaveActed`: an earlier send of these commands was lost, and may have taken effect. */
  async #send(commands: readonly Command[], mayHaveActed: boolean): Promise<Sent[]> {
    const sent: (Sent | undefined)[] = commands.map(() => undefined)
    let open = commands.map((_, index) => index)
    let mayActUntil: Instant | null = null
    let cause: unknown
    for (let attempt = 1; attempt <= SENDS_MAX && open.length > 0; attempt += 1) {
      if (attempt > 1) await this.#backOff(attempt)
      let deadline: Instant | null = null
      try {
        if (mayActUntil !== null && (await this.#hasPassed(mayActUntil, attempt)))
          mayActUntil = null
        deadline = addMs(await this.#clock.now(), LIST_DEADLINE_MS)
        const list = open.map(index => commands[index]).filter(each => each !== undefined)
        const outcomes = await this.#store.apply(this.#book, list, deadline)
        const unsure: number[] = []
        for (const [at, index] of open.entries()) {
          const outcome = outcomes[at]
          if (outcome?.ok === false && mayActUntil !== null) unsure.push(index)
          else sent[index] = outcome
        }
        open = unsure
      } catch (error) {
        cause = error
        if (error instanceof ListNotApplied) {
          if (error.reason === 'deadline') this.#clock.forget()
          if (error.reason === 'failed' && mayActUntil === null) {
            const failed = await this.#bisect(commands, open, error, mayHaveActed)
            for (const [index, answer] of failed) sent[index] = answer
            open = []
          }
        } else if (deadline !== null) {
          // The later of the two: the store's clock may have stepped back in between.
          mayActUntil = laterOf(mayActUntil, deadline)
          mayHaveActed = true
          this.#clock.forget()
        }
      }
    }
    const answer = certainly(cause, mayHaveActed)
    return sent.map(each => each ?? answer)
  }

  /** Finds the command that makes the store fail every time, so that it fails no neighbour. */
  async #bisect(
    commands: readonly Command[],
    open: readonly number[],
    error: ListNotApplied,
    mayHaveActed: boolean,
  ): Promise<[index: number, sent: Sent][]> {
    if (open.length === 1) return open.map(index => [index, certainly(error, mayHaveActed)])
    const middle = Math.ceil(open.length / 2)
    const answers: [number, Sent][] = []
    for (const half of [open.slice(0, middle), open.slice(middle)]) {
      const list = half.map(index => commands[index]).filter(each => each !== undefined)
      const sent = await this.#send(list, mayHaveActed)
      for (const [at, index] of half.entries()) answers.push([index, sent[at] ?? error])
    }
    return answers
  }

  /**
   * The first re-send goes at once, since mostly it brings the stored answer. Before a later one
   * it waits until the earlier sends can no longer act.
   */
  async #hasPassed(instant: Instant, attempt: number): Promise<boolean> {
    if (attempt === 2) return (await this.#store.now(this.#book)) >= instant
    return this.#clock.waitUntil(instant, POLL_MS, POLLS_MAX)
  }

  async #backOff(attempt: number): Promise<void> {
    const ceilingMs = Math.min(BACKOFF_MS_FIRST * 2 ** (attempt - 2), BACKOFF_MS_MAX)
    await this.#timer.sleep(ceilingMs * (0.5 + this.#timer.random() / 2))
  }
}

function laterOf(first: Instant | null, second: Instant): Instant {
  return first !== null && first > second ? first : second
}

/** An error that says that nothing was done is true only where no send was lost. */
function certainly(cause: unknown, mayHaveActed: boolean): Error {
  return !mayHaveActed && cause instanceof Error ? cause : new OutcomeUnknown({ cause })
}
