import { keptOf, OPAQUE } from './text-of.ts'
import { known } from './known.ts'
import type { TaskRun } from './task-run.ts'
import type { Method } from './view.ts'

/** A call that a task waits for, as it is compared from run to run. */
interface SeenCall {
  readonly method: Method
  readonly args: readonly unknown[]
}

/** How a task comes to rest after a step: the calls that it waits for, and how it ended. */
interface Rest {
  /** How many calls and ends there were. */
  readonly events: number
  readonly calls: readonly SeenCall[]
  readonly status: string
  readonly value: unknown
}

/** What was measured of a task, and what came now. */
interface Difference {
  /** Whether it does the same with other values: names that are new in every run, say. */
  readonly isOfValues: boolean
  readonly before: string
  readonly now: string
}

/**
 * What one task has lived through: a node in a tree, whose edges are its steps with what came back
 * of them. Tasks are deterministic, so at one node a task always does the same next: how it comes to
 * rest is measured once, and then the same is expected.
 */
export class History {
  readonly id: number
  readonly #edges: Edge[] = []
  #rest: Rest | undefined

  private constructor(id: number) {
    this.id = id
  }

  /** The root of a tree for each task, with ids that are unique among them. */
  static roots(count: number): { roots: History[]; next: () => number } {
    let id = 0
    const next = () => id++
    return { roots: Array.from({ length: count }, () => new History(next())), next }
  }

  /** How many calls and ends follow before the task waits again; -1 when not yet measured. */
  get events(): number {
    return this.#rest === undefined ? -1 : this.#rest.events
  }

  /** Takes down how the task came to rest; false where not all of it can be compared. */
  measure({ events, waiting, outcome }: TaskRun): boolean {
    const calls = waiting.map(({ method, args }) => ({ method, args: args.map(keptOf) }))
    const value = endOf(outcome)
    this.#rest = { events, calls, status: outcome?.status ?? '', value }
    return value !== OPAQUE && !calls.some(({ args }) => args.includes(OPAQUE))
  }

  /** What was measured and what came now, where they differ. */
  difference({ events, waiting, outcome }: TaskRun): Difference | undefined {
    const rest = this.#rest
    if (rest === undefined) return undefined
    const { calls, status } = rest
    const most = Math.max(calls.length, waiting.length)
    for (let at = 0; at < most; at += 1) {
      const [before, now] = [calls[at]?.method, waiting[at]?.method]
      if (before === now) continue
      const texts = [before ? `a call of ${before.label}` : 'no call', `of ${now?.label ?? 'none'}`]
      return { isOfValues: false, before: texts[0] ?? '', now: texts[1] ?? '' }
    }
    if (rest.events !== events)
      return { isOfValues: false, before: `${rest.events} calls and ends`, now: `${events}` }
    if (outcome !== null && status !== outcome.status)
      return { isOfValues: false, before: `it ${status}`, now: `it ${outcome.status}` }
    for (let at = 0; at < most; at += 1) {
      const [before, now] = [known(calls[at]), known(waiting[at])]
      if (isSame(before.args, now.args)) continue
      const args = now.args.map(keptOf)
      return { isOfValues: true, before: textOfCall(before), now: textOfCall({ ...now, args }) }
    }
    if (outcome === null || Object.is(rest.value, endOf(outcome))) return undefined
    const [before, now] = [shown(rest.value), shown(endOf(outcome))]
    return { isOfValues: true, before: `it ${status} ${before}`, now }
  }

  /** The history after one more step; undefined where what came back cannot be compared. */
  after(step: number, value: unknown, next: () => number): History | undefined {
    const seen = keptOf(value)
    if (seen === OPAQUE) return undefined
    for (const edge of this.#edges)
      if (edge.step === step && Object.is(edge.seen, seen)) return edge.to
    const to = new History(next())
    this.#edges.push({ step, seen, to })
    return to
  }
}

interface Edge {
  readonly step: number
  readonly seen: unknown
  readonly to: History
}

function endOf(outcome: TaskRun['outcome']): unknown {
  if (outcome?.status === 'returned') return keptOf(outcome.value)
  return outcome?.status === 'threw' ? keptOf(outcome.error) : undefined
}

function isSame(before: readonly unknown[], args: readonly unknown[]): boolean {
  if (before.length !== args.length) return false
  for (let at = 0; at < args.length; at += 1)
    if (!Object.is(before[at], keptOf(args[at]))) return false
  return true
}

function textOfCall({ method, args }: SeenCall): string {
  return `${method.label}(${args.map(shown).join(', ')})`
}

function shown(kept: unknown): string {
  if (typeof kept === 'bigint') return `${kept}n`
  if (kept === OPAQUE) return '?'
  if (typeof kept !== 'string') return String(kept)
  return kept.startsWith('\0') ? kept.slice(1) : JSON.stringify(kept)
}
