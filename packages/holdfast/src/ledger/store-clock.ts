import { addMs, type Instant } from '../instant.ts'
import type { Timer } from '../timer.ts'
import type { Book } from './command.ts'
import type { Store } from './store.ts'

/** How long a reading of the store's clock is trusted. */
const READING_AGE_MS_MAX = 60_000

/**
 * The store's clock as seen from here, without asking it every time. It is late by at most the time
 * that the reading took: a deadline comes out too early, never too late.
 */
export class StoreClock {
  readonly #store: Store
  readonly #book: Book
  readonly #timer: Timer
  #reading: { instant: Instant; atMs: number } | null = null

  constructor(store: Store, book: Book, timer: Timer) {
    this.#store = store
    this.#book = book
    this.#timer = timer
  }

  /** An estimate of the store's time, not later than the truth. */
  async now(): Promise<Instant> {
    const reading = this.#reading
    const ageMs = reading ? this.#timer.elapsedMs() - reading.atMs : Infinity
    if (reading && ageMs < READING_AGE_MS_MAX) return addMs(reading.instant, Math.floor(ageMs))
    const instant = await this.#store.now(this.#book)
    this.#reading = { instant, atMs: this.#timer.elapsedMs() }
    return instant
  }

  /** Forgets the reading: after an error that a step of either clock could have caused. */
  forget(): void {
    this.#reading = null
  }

  /** Waits until the store itself says that `instant` has passed. */
  async waitUntil(instant: Instant, pollMs: number, pollsMax: number): Promise<boolean> {
    for (let poll = 0; poll < pollsMax; poll += 1) {
      const now = await this.#store.now(this.#book)
      if (now >= instant) return true
      const missingMs = Date.parse(instant) - Date.parse(now)
      await this.#timer.sleep(Math.min(missingMs, pollMs))
    }
    return false
  }
}
