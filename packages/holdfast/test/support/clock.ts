import { addMs, type Clock, type Instant } from '../../src/instant.ts'
import { systemTimer, type Timer } from '../../src/timer.ts'

/** A clock that stands still until it is told to move on. */
export class ManualClock implements Clock {
  #now: Instant

  constructor(start: Instant = '2026-11-30T09:00:00.000Z') {
    this.#now = start
  }

  now(): Instant {
    return this.#now
  }

  pass(ms: number): void {
    this.#now = addMs(this.#now, ms)
  }
}

/** A timer on a manual clock: sleeping moves the clock on at once. */
export class ManualTimer implements Timer {
  readonly slept: number[] = []
  readonly #clock: ManualClock
  #elapsedMs = 0

  constructor(clock: ManualClock) {
    this.#clock = clock
  }

  elapsedMs(): number {
    return this.#elapsedMs
  }

  sleep(ms: number): Promise<void> {
    this.slept.push(ms)
    this.#elapsedMs += ms
    this.#clock.pass(ms)
    return Promise.resolve()
  }

  turn(): Promise<void> {
    return systemTimer.turn()
  }

  random(): number {
    return 0.5
  }
}
