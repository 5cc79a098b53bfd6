import { textOf } from './text-of.ts'
import type { Method } from './view.ts'

/**
 * What one task has lived through: a node in a tree, whose edges are its steps with what came back
 * of them. Tasks are deterministic, so at one node a task always does the same next; how many calls
 * it makes and whether it ends (its events) is measured at the first visit.
 */
export class History {
  /** How many calls and ends follow before the task waits again; -1 when not yet measured. */
  events: number = -1
  /** The calls that the task waits for then. */
  waiting: readonly Method[] = []
  readonly id: number
  #edges: Edge[] = []

  private constructor(id: number) {
    this.id = id
  }

  /** The root of a tree for each task, with ids that are unique among them. */
  static roots(count: number): { roots: History[]; next: () => number } {
    let id = 0
    const next = () => id++
    return { roots: Array.from({ length: count }, () => new History(next())), next }
  }

  /** The history after one more step; undefined where what came back cannot be compared. */
  after(step: number, value: unknown, next: () => number): History | undefined {
    const isPlain = typeof value !== 'object' || value === null
    if (typeof value === 'function' || typeof value === 'symbol') return undefined
    const seen: unknown = isPlain ? value : textOf(value)
    if (!isPlain && seen === undefined) return undefined
    for (const edge of this.#edges) {
      if (edge.step === step && edge.isPlain === isPlain && Object.is(edge.seen, seen)) {
        return edge.to
      }
    }
    const to = new History(next())
    this.#edges.push({ step, isPlain, seen, to })
    return to
  }
}

interface Edge {
  readonly step: number
  readonly isPlain: boolean
  readonly seen: unknown
  readonly to: History
}
