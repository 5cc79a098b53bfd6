import { nextTurn, soon, whenDrained } from './event-loop.ts'
import type { TaskRun } from './task-run.ts'

/**
 * Tells when all that was set going has come to rest: every task waits for its turn, or has ended.
 * Where it is known how many calls and ends (events) are to come, they are counted; else the event
 * loop is let run until nothing is left in it.
 */
export class Settling {
  isUnderWay: boolean = false
  /** Which task goes on now; null at the start, when all do. */
  running: TaskRun | null = null
  readonly #rested: () => void
  #events = 0
  /** So many events are known to come; -1 where that is to be measured. */
  #expected = -1
  #isWatching = false

  /** `rested` is called in a microtask of its own: what a task does right after a call is done then. */
  constructor(rested: () => void) {
    this.#rested = rested
  }

  /** From now on events count. No events say nothing of when the task has come to rest. */
  begin(task: TaskRun | null, expected: number): void {
    this.isUnderWay = true
    this.running = task
    this.#events = 0
    this.#expected = expected === 0 ? -1 : expected
    if (task !== null) task.events = 0
  }

  arrived(task: TaskRun): void {
    task.events += 1
    this.#events += 1
    if (this.#events === this.#expected) soon(this.#rested)
  }

  /** Everything that was to be set going is. */
  wait(): void {
    if (this.#expected < 0) whenDrained(this.#rested)
    else if (!this.#isWatching) {
      this.#isWatching = true
      nextTurn(this.#watch)
    }
  }

  /** No turn of the event loop comes while microtasks are left: what is still expected never comes. */
  readonly #watch = (): void => {
    this.#isWatching = false
    if (this.isUnderWay && this.#expected > this.#events) this.#rested()
  }
}
