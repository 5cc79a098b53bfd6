import type { Io } from './io.ts'

const REDRAW_MS = 100
const BAR_WIDTH = 30

/** A bar on stderr while long work runs. Draws nothing where nobody watches. */
export class Progress {
  readonly #io: Io
  readonly #label: string
  readonly #total: number
  #drawnAt = -Infinity

  constructor(io: Io, label: string, total: number) {
    this.#io = io
    this.#label = label
    this.#total = total
  }

  /** Says how many are done. */
  reach(done: number): void {
    const now = performance.now()
    if (this.#io.watchedColumns === null || now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    const filled = Math.min(BAR_WIDTH, Math.floor((BAR_WIDTH * done) / this.#total))
    const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '.')
    const line = `${this.#label} [${bar}] ${done} of ${this.#total}`
    this.#io.draw(line.slice(0, this.#io.watchedColumns - 1))
  }

  /** Takes the bar away. */
  end(): void {
    this.#io.clear()
  }
}
