import { scheduleOf, taskOf, type Choice } from './choice.ts'
import { END, type Driver, type Ending, type Position } from './driver.ts'
import { Tally, type Counts } from './tally.ts'
import { known } from './known.ts'

/** How orders are drawn: each next step evenly, or by priorities of the tasks (PCT). */
export interface RandomOrders {
  /** The same seed draws the same orders. */
  readonly seed: number
  /**
   * For PCT: so many times in an order the task that is at is set behind all others. A fault that
   * needs `d` turns is found with a chance of at least 1 in n * k^(d-1) an order (n tasks, k steps;
   * Burckhardt and others, ASPLOS 2010).
   */
  readonly changes?: number
}

/** So many different orders are told apart. */
const DISTINCT_MAX = 1_000_000

/** Draws orders by chance. */
export class RandomOrder implements Driver {
  readonly #next: () => number
  readonly #changes: number | undefined
  readonly #isOver: () => boolean
  readonly #tally = new Tally()
  readonly #distinct = new Set<string>()
  /** The higher, the earlier; made at the beginning of each run. */
  #priorities: number[] = []
  #changeAt: number[] = []
  /** The most steps that a run has had. */
  #stepsMost = 1
  #taken: readonly Choice[] = []
  /** Where a call was found blocked, the run is made again up to there, and goes on without it. */
  #again: readonly Choice[] = []
  #blocked: Choice[] = []

  constructor(orders: RandomOrders, isOver: () => boolean) {
    this.#next = randomBelowOne(orders.seed)
    this.#changes = orders.changes
    this.#isOver = isOver
  }

  /** How many different orders were drawn. */
  get distinct(): number {
    return this.#distinct.size
  }

  counts(): Counts {
    return this.#tally.counts()
  }

  choose(run: Position): Choice {
    this.#taken = run.steps
    const depth = run.steps.length
    if (depth < this.#again.length) return known(this.#again[depth])
    const choices =
      depth > this.#again.length
        ? run.choices()
        : run.choices().filter(choice => !this.#blocked.includes(choice))
    if (choices.length === 0) return END
    if (this.#changes === undefined) return this.#one(choices)
    if (depth === 0 && this.#blocked.length === 0) this.#draw(run.tasks.length, this.#changes)
    const first = this.#first(choices)
    const change = this.#changeAt.indexOf(depth)
    if (change < 0) return this.#one(choices.filter(choice => taskOf(choice) === first))
    this.#priorities[first] = -change - 1
    const then = this.#first(choices)
    return this.#one(choices.filter(choice => taskOf(choice) === then))
  }

  ended(ending: Ending): boolean {
    if (ending.how === 'blocked') {
      const before = this.#taken.slice(0, -1)
      if (before.length > this.#again.length) this.#blocked = []
      this.#again = before
      this.#blocked.push(known(this.#taken.at(-1)))
      return true
    }
    this.#again = []
    this.#blocked = []
    this.#stepsMost = Math.max(this.#stepsMost, this.#taken.length)
    this.#tally.add(ending, this.#taken)
    if (this.#distinct.size < DISTINCT_MAX) this.#distinct.add(scheduleOf(this.#taken))
    return !this.#isOver()
  }

  #one(choices: readonly Choice[]): Choice {
    return known(choices[Math.floor(this.#next() * choices.length)])
  }

  #first(choices: readonly Choice[]): number {
    const priority = (task: number) => known(this.#priorities[task])
    return choices.map(taskOf).reduce((a, b) => (priority(b) > priority(a) ? b : a))
  }

  #draw(tasks: number, changes: number): void {
    this.#priorities = Array.from({ length: tasks }, () => this.#next())
    this.#changeAt = Array.from({ length: changes }, () =>
      Math.floor(this.#next() * this.#stepsMost),
    )
  }
}

/** Numbers from 0 to below 1 (mulberry32). */
export function randomBelowOne(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
