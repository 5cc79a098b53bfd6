import type { History } from './history.ts'
import type { TaskOutcome } from './program.ts'
import type { Method } from './view.ts'

/** A call on a port that waits for its turn. */
export interface Call {
  readonly method: Method
  readonly args: readonly unknown[]
  /** What the task waits for. */
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
  /** Where the task made the call; noted only in a replay. */
  readonly madeAt: Error | undefined
}

/** One task within one run; once it has ended, it can be used for another run. */
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
  readonly returned: (value: unknown) => void
  readonly threw: (error: unknown) => void

  constructor(index: number, ended: (task: TaskRun, outcome: TaskOutcome) => void) {
    this.index = index
    this.returned = value => {
      ended(this, { status: 'returned', value })
    }
    this.threw = error => {
      ended(this, { status: 'threw', error })
    }
  }

  get hasEnded(): boolean {
    return this.outcome !== null
  }

  /** Makes it ready for a run. */
  begin(history: History | undefined): void {
    if (this.waiting.length > 0) this.waiting.length = 0
    if (this.copies.length > 0) this.copies = []
    this.outcome = null
    this.history = history
    this.events = 0
    this.last = null
  }
}
