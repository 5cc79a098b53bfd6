import { clearTimer, setTimer } from './event-loop.ts'

const LOOK_MS = 1_000
/** So often a wait is looked at; between two looks the event loop has turned. */
const LOOKS_MAX = 4

/**
 * Gives up waiting for a port that never answers, and says which: a mutex of promises, say, whose
 * holder cannot go on while this one call is under way.
 */
export class Patience {
  readonly #giveUp: (message: string) => void
  #name: string | null = null
  #looks = 0
  #timer: unknown

  constructor(giveUp: (message: string) => void) {
    this.#giveUp = giveUp
  }

  begin(): void {
    this.#timer = setTimer(this.#look, LOOK_MS)
  }

  end(): void {
    this.#name = null
    clearTimer(this.#timer)
  }

  wait(name: string): void {
    this.#name = name
    this.#looks = 0
  }

  isOver(): void {
    this.#name = null
  }

  readonly #look = (): void => {
    this.#timer = setTimer(this.#look, LOOK_MS)
    if (this.#name === null) return
    this.#looks += 1
    if (this.#looks < LOOKS_MAX) return
    this.#giveUp(
      `${this.#name} has not answered after ${((LOOKS_MAX - 1) * LOOK_MS) / 1_000} seconds. A call that waits for ` +
        'another task has to say when it is enabled (enabledWhen, createLock), because nothing else goes on meanwhile.',
    )
  }
}
