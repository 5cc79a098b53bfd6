import { switchesOf, taskOf, type Choice } from './choice.ts'
import type { Ending } from './driver.ts'
import { known } from './known.ts'

/** What is wrong with an order; an earlier one is worse. */
export const WRONGS = ['violation', 'error', 'deadlock'] as const
export type Wrong = (typeof WRONGS)[number]

export const DEADLOCK: Ending = { how: 'deadlock', holds: true, threw: false }

/** What is wrong with how a run ended; undefined when nothing is. */
export function wrongOf(ending: Ending): Wrong | undefined {
  if (ending.how === 'deadlock') return 'deadlock'
  if (!ending.holds) return 'violation'
  return ending.threw ? 'error' : undefined
}

/** A schedule that goes wrong, as short as any other that was seen. */
export interface Shortest {
  readonly wrong: Wrong
  readonly choices: readonly Choice[]
  readonly switches: number
}

/** How many orders were counted, and how many of them went wrong, and in which way. */
export interface Counts {
  readonly orders: bigint
  readonly violations: bigint
  readonly errors: bigint
  readonly deadlocks: bigint
  readonly shortest: Shortest | null
}

/** Counts orders one by one. */
export class Tally {
  #orders = 0
  readonly #wrongs: Record<Wrong, number> = { violation: 0, error: 0, deadlock: 0 }
  #shortest: Shortest | null = null

  get orders(): number {
    return this.#orders
  }

  add(ending: Ending, choices: readonly Choice[]): void {
    this.#orders += 1
    // Where a task threw in an order that loses money, both are said.
    if (ending.threw) this.#wrongs.error += 1
    const wrong = wrongOf(ending)
    if (wrong === undefined) return
    if (wrong !== 'error') this.#wrongs[wrong] += 1
    const best = this.#shortest
    const switches = switchesOf(choices)
    if (best?.wrong === wrong && best.switches < switches) return
    const found = { wrong, switches, steps: choices.length }
    if (best === null || isShorter(found, { ...best, steps: best.choices.length }))
      this.#shortest = { wrong, switches, choices: [...choices] }
  }

  counts(): Counts {
    return {
      orders: BigInt(this.#orders),
      violations: BigInt(this.#wrongs.violation),
      errors: BigInt(this.#wrongs.error),
      deadlocks: BigInt(this.#wrongs.deadlock),
      shortest: this.#shortest,
    }
  }
}

interface Length {
  readonly wrong: Wrong
  readonly switches: number
  readonly steps: number
}

/** The worse kind first, then fewer turns from task to task, then fewer steps. */
export function isShorter(a: Length, b: Length): boolean {
  return (
    (WRONGS.indexOf(a.wrong) - WRONGS.indexOf(b.wrong) ||
      a.switches - b.switches ||
      a.steps - b.steps) < 0
  )
}

interface Path {
  readonly choice: Choice
  readonly next: Path | null
}

interface Suffix extends Length {
  /** The task of the first step; -1 where there is no step. */
  readonly first: number
  readonly path: Path | null
}

/**
 * Counts of all orders that go on from one state. The shortest way to go wrong is kept for each
 * task that can take the first step, because whether a turn comes before it shows only later.
 */
export class Continuations {
  orders: bigint = 0n
  violations: bigint = 0n
  errors: bigint = 0n
  deadlocks: bigint = 0n
  #shortest: Suffix[] = []

  static of(ending: Ending): Continuations {
    const one = new Continuations()
    const wrong = wrongOf(ending)
    one.orders = 1n
    if (wrong === 'violation') one.violations = 1n
    if (wrong === 'deadlock') one.deadlocks = 1n
    if (ending.threw) one.errors = 1n
    if (wrong !== undefined)
      one.#shortest.push({ wrong, switches: 0, steps: 0, first: -1, path: null })
    return one
  }

  /** Adds all orders of a program's first state. */
  addAll(behind: Continuations): void {
    this.#addCounts(behind)
    for (const each of behind.#shortest) this.#keep(each)
  }

  /** Adds the orders that begin with a step and go on from the state behind it. */
  add(choice: Choice, behind: Continuations): void {
    this.#addCounts(behind)
    const task = taskOf(choice)
    for (const { wrong, switches, steps, first, path } of behind.#shortest) {
      const turn = first === -1 || first === task ? 0 : 1
      this.#keep({
        wrong,
        switches: switches + turn,
        steps: steps + 1,
        first: task,
        path: { choice, next: path },
      })
    }
  }

  #addCounts(behind: Continuations): void {
    this.orders += behind.orders
    this.violations += behind.violations
    this.errors += behind.errors
    this.deadlocks += behind.deadlocks
  }

  #keep(found: Suffix): void {
    const at = this.#shortest.findIndex(
      ({ wrong, first }) => wrong === found.wrong && first === found.first,
    )
    if (at < 0) this.#shortest.push(found)
    else if (isShorter(found, known(this.#shortest[at]))) this.#shortest[at] = found
  }

  counts(): Counts {
    const { orders, violations, errors, deadlocks } = this
    let best: Suffix | undefined
    for (const each of this.#shortest) if (best === undefined || isShorter(each, best)) best = each
    if (best === undefined) return { orders, violations, errors, deadlocks, shortest: null }
    const choices: Choice[] = []
    for (let path = best.path; path !== null; path = path.next) choices.push(path.choice)
    const { wrong, switches } = best
    return { orders, violations, errors, deadlocks, shortest: { wrong, switches, choices } }
  }
}
