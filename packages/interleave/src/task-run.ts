import type { History } from './history.ts'
import type { TaskOutcome } from './program.ts'
import type { Method } from './view.ts'

/** A call on a port that waits for its turn. */
export interface Call {
  readonly method: Method
  readonly args: readonly unknown[]
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Where the task made the call; noted only in a replay. */
  readonly stack: string | undefined
}

/** One task within one run. */
export class TaskRun {
  readonly index: number
  /** The calls that it waits for, the eldest first. */
  readonly waiting: Call[] = []
  /** Second deliveries that are still on their way. */
  copies: Call[] = []
  /** Null while it goes on. */
  outcome: TaskOutcome | null = null
  /** Undefined where what came back of a step cannot be compared. */
  history: History | undefined
  /** How many calls and ends came since it was last set going. */
  events: number = 0
  last: Call | null = null

  constructor(index: number, history: History | undefined) {
    this.index = index
    this.history = history
  }
}
