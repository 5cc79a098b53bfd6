import { faultOf, howOf, letterOf, scheduleOf, switchesOf, taskOf } from './choice.ts'
import { HOW, type Fault } from './faults.ts'
import type { TakenStep } from './driver.ts'
import type { TaskOutcome } from './program.ts'
import type { Wrong } from './tally.ts'

/** One step of an order: who called what, and what came back. */
export interface Step {
  /** `A` to `Z`. */
  readonly task: string
  /** The port's method: `store.read`. */
  readonly call: string
  readonly args: readonly unknown[]
  readonly fault?: Fault
  /** The late second delivery of a step; nobody waits for its reply. */
  readonly isCopy?: true
  /** What the port gave; null where it was not called. */
  readonly reply: { readonly ok: boolean; readonly value: unknown } | null
}

/** One order, run once. */
export interface Order {
  /** As `replay` takes it: a letter a step. */
  readonly schedule: string
  /** What went wrong: the invariant, an error that a task threw, or a deadlock; null when nothing. */
  readonly wrong: Wrong | null
  /** How often it turns from one task to another. */
  readonly switches: number
  readonly steps: readonly Step[]
  readonly outcomes: readonly TaskOutcome[]
  /** What the invariant threw; left out where it answered. */
  readonly thrown?: unknown
}

/** What an exploration found. */
export interface Report {
  /** How many orders were counted; deadlocks among them. */
  readonly orders: bigint
  /** In how many the invariant does not hold at the end. */
  readonly violations: bigint
  /** In how many a task threw an error that was not injected. */
  readonly errors: bigint
  /** In how many tasks wait for each other for ever. */
  readonly deadlocks: bigint
  /** Whether nothing went wrong in any of them. */
  readonly holds: boolean
  /** Whether these are all orders that there are (with at most so many faults). */
  readonly exhaustive: boolean
  readonly search: 'every order' | 'merged states' | 'random'
  /** What stopped it, or left orders out; null when nothing did. */
  readonly bound: 'orders' | 'timeMs' | 'preemptions' | null
  /** How many different orders a random search drew (told apart up to a million); else null. */
  readonly distinct: number | null
  /** How often the program was run. */
  readonly runs: number
  /**
   * The order that goes wrong with the fewest turns from task to task, and among these with the
   * fewest steps; a broken invariant goes before an error, and an error before a deadlock. Where the
   * search is exhaustive there is provably none shorter.
   */
  readonly shortest: Order | null
}

export function stepOf({ choice, call, reply }: TakenStep): Step {
  const fault = faultOf(choice)
  return {
    task: letterOf(taskOf(choice)),
    call: call.method.label,
    args: call.args,
    ...(fault && { fault }),
    ...(howOf(choice) === HOW.copy && { isCopy: true as const }),
    reply,
  }
}

export function orderOf(
  taken: readonly TakenStep[],
  wrong: Wrong | null,
  outcomes: readonly TaskOutcome[],
  thrown: unknown,
): Order {
  const choices = taken.map(({ choice }) => choice)
  return {
    schedule: scheduleOf(choices),
    wrong,
    switches: switchesOf(choices),
    steps: taken.map(stepOf),
    outcomes,
    ...(thrown !== undefined && { thrown }),
  }
}
