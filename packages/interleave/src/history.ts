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

  /** Whether the task came to rest as it was measured. */
  isAsMeasured({ events, waiting, outcome }: TaskRun): boolean {
    const rest = known(this.#rest)
    const { calls } = rest
    if (rest.events !== events || calls.length !== waiting.length) return false
    for (let at = 0; at < calls.length; at += 1)
      if (!isSameCall(known(calls[at]), known(waiting[at]))) return false
    if (outcome === null) return true
    return outcome.status === rest.status && Object.is(rest.value, endOf(outcome))
  }

  /** What was measured and what came now, which is something else. */
  difference({ events, waiting, outcome }: TaskRun): Difference {
    const { calls, status, ...rest } = known(this.#rest)
    const most = Math.max(calls.length, waiting.length)
    for (let at = 0; at < most; at += 1) {
      const [before, now] = [calls[at]?.method, waiting[at]?.method]
      if (before === now) continue
      const text = before ? `a call of ${before.label}` : 'no call'
      return { isOfValues: false, before: text, now: `of ${now?.label ?? 'none'}` }
    }
    if (rest.events !== events)
      return { isOfValues: false, before: `${rest.events} calls and ends`, now: `${events}` }
    if (outcome !== null && status !== outcome.status)
      return { isOfValues: false, before: `it ${status}`, now: `it ${outcome.status}` }
    for (let at = 0; at < most; at += 1) {
      const [before, now] = [known(calls[at]), known(waiting[at])]
      if (isSameCall(before, now)) continue
      const args = now.args.map(keptOf)
      return { isOfValues: true, before: textOfCall(before), now: textOfCall({ ...now, args }) }
    }
    return {
      isOfValues: true,
      before: `it ${status} ${shown(rest.value)}`,
      now: shown(endOf(outcome)),
    }
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

function isSameCall(before: SeenCall, { method, args }: SeenCall): boolean {
  if (before.method !== method || before.args.length !== args.length) return false
  for (let at = 0; at < args.length; at += 1)
    if (!Object.is(before.args[at], keptOf(args[at]))) return false
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
