import type { Io } from './io.ts'

const REDRAW_MS = 100
const BAR_WIDTH = 30

/** A line on stderr that changes while long work runs. Draws nothing where nobody watches. */
export class ProgressLine {
  readonly #io: Io
  #drawnAt = -Infinity

  constructor(io: Io) {
    this.#io = io
  }

  /** Draws the line anew, where it is time for it. */
  show(line: () => string): void {
    const { watchedColumns } = this.#io
    const now = performance.now()
    if (watchedColumns === null || now - this.#drawnAt < REDRAW_MS) return
    this.#drawnAt = now
    this.#io.draw(line().slice(0, watchedColumns - 1))
  }

  /** Takes the line away. */
  end(): void {
    this.#io.clear()
  }
}

/** A bar on such a line: how many of a total are done. */
export class Progress {
  readonly #line: ProgressLine
  readonly #label: string
  readonly #total: number

  constructor(io: Io, label: string, total: number) {
    this.#line = new ProgressLine(io)
    this.#label = label
    this.#total = total
  }

  /** Says how many are done. */
  reach(done: number): void {
    this.#line.show(() => {
      const filled = Math.min(BAR_WIDTH, Math.floor((BAR_WIDTH * done) / this.#total))
      const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '.')
      return `${this.#label} [${bar}] ${done} of ${this.#total}`
    })
  }

  /** Takes the bar away. */
  end(): void {
    this.#line.end()
  }
}
