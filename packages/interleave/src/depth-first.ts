import { scheduleOf, taskOf, type Choice } from './choice.ts'
import { InvalidProgram, Nondeterminism } from './errors.ts'
import type { History } from './history.ts'
import { ABANDON, END, type Driver, type Ending, type Position } from './driver.ts'
import { Continuations, DEADLOCK, Tally, type Counts } from './tally.ts'
import { known } from './known.ts'
import type { TaskRun } from './task-run.ts'

/** A state on the way of the run that is under way, and which of its choices are still to be tried. */
interface Frame {
  readonly choices: Choice[]
  at: number
  /** What the task had lived through after the choice, or else what it waited for: equal in every run. */
  after: History | string | undefined
  /** Whether a choice could be taken; where none can, the tasks wait for each other. */
  wasTaken: boolean
  /** So many turns away from a task that could have gone on lead here. */
  readonly preemptions: number
  /** Where states are merged: the state as text, and what is known of the orders behind it. */
  readonly merged: { readonly key: string; readonly behind: Continuations } | undefined
}

export interface DepthFirstOptions {
  /** The text of the world's state, where states are to be merged. */
  readonly stateText?: ((world: unknown) => string) | undefined
  /** At most so many turns away from a task that could have gone on. */
  readonly preemptions: number
  /** Whether to stop, asked after every run. */
  readonly isOver: () => boolean
}

/** So many states are remembered; beyond, one that is met again is counted again. */
const STATES_MAX = 5_000_000

/** Makes every run: always goes back to the last state that has a choice left. */
export class DepthFirst implements Driver {
  /** Whether nothing was left out. */
  isWhole: boolean = false
  readonly #options: DepthFirstOptions
  readonly #frames: Frame[] = []
  readonly #known = new Map<string, Continuations>()
  readonly #tally = new Tally()
  readonly #root = new Continuations()
  #leftOut = false

  constructor(options: DepthFirstOptions) {
    this.#options = options
  }

  counts(): Counts {
    return this.#options.stateText === undefined ? this.#tally.counts() : this.#root.counts()
  }

  choose(run: Position): Choice {
    const depth = run.steps.length
    if (depth > 0) this.#hold(run, known(this.#frames[depth - 1]))
    const frame = this.#frames[depth] ?? this.#enter(run)
    if (typeof frame === 'number') return frame
    return known(frame.choices[frame.at])
  }

  ended(ending: Ending, { steps }: Position): boolean {
    if (ending.how === 'blocked') this.#takeBack(steps)
    else if (ending.how !== 'abandoned') this.#count(ending, steps)
    if (!this.#goBack()) {
      this.isWhole = !this.#leftOut
      return false
    }
    if (!this.#options.isOver()) return true
    // What was counted of states that are not done yet is counted too.
    while (this.#frames.length > 0) this.#leave()
    return false
  }

  /** What came of the last step has to be the same in every run. */
  #hold({ steps, tasks }: Position, last: Frame): void {
    last.wasTaken = true
    const task = known(tasks[taskOf(known(steps.at(-1)))])
    const after = task.history ?? textOfRest(task)
    last.after ??= after
    if (last.after === after) return
    const [before, now] =
      typeof last.after === 'string' && typeof after === 'string'
        ? [last.after, after]
        : ['one reply', 'another']
    throw new Nondeterminism(steps.length, scheduleOf(steps), before, now)
  }

  #enter(run: Position): Frame | typeof END | typeof ABANDON {
    const { choices, preemptions } =
      this.#options.preemptions === Infinity
        ? { choices: run.choices(), preemptions: 0 }
        : this.#bounded(run.choices())
    if (choices.length === 0) return END
    const key = this.#keyOf(run)
    const known = key === undefined ? undefined : this.#known.get(key)
    if (known !== undefined) {
      this.#credit(known)
      return ABANDON
    }
    const frame: Frame = {
      choices,
      at: 0,
      after: undefined,
      wasTaken: false,
      preemptions,
      merged: key === undefined ? undefined : { key, behind: new Continuations() },
    }
    this.#frames.push(frame)
    return frame
  }

  #keyOf({ steps, tasks, world }: Position): string | undefined {
    const { stateText } = this.#options
    if (stateText === undefined) return undefined
    const lived = tasks.map(({ history }) => {
      if (history !== undefined) return history.id
      throw new InvalidProgram(
        `state: a step of ${scheduleOf(steps)} gave what cannot be compared (a function, say): ` +
          'let ports give plain data, or explore without state',
      )
    })
    return `${lived.join()};${stateText(world)}`
  }

  /** Once its preemptions are used up, an order goes on with the task that it is at, while it can. */
  #bounded(choices: Choice[]): { choices: Choice[]; preemptions: number } {
    const before = this.#frames.at(-1)
    if (before === undefined) return { choices, preemptions: 0 }
    const last = taskAt(before)
    const preemptions = before.preemptions + (this.#isPreemption() ? 1 : 0)
    const same = choices.filter(choice => taskOf(choice) === last)
    if (preemptions < this.#options.preemptions || same.length === 0)
      return { choices, preemptions }
    if (same.length < choices.length) this.#leftOut = true
    return { choices: same, preemptions }
  }

  /** Whether the last step turned away from a task that could have gone on. */
  #isPreemption(): boolean {
    const [earlier, last] = this.#frames.slice(-2)
    if (earlier === undefined || last === undefined) return false
    const task = taskAt(earlier)
    return taskAt(last) !== task && last.choices.some(choice => taskOf(choice) === task)
  }

  /** The last choice waits for another task in its store: it is none in this state. */
  #takeBack(steps: readonly Choice[]): void {
    const frame = known(this.#frames.at(-1))
    frame.choices.splice(frame.at, 1)
    frame.at -= 1
    if (frame.choices.length > 0 || frame.wasTaken) return
    this.#frames.pop()
    this.#count(DEADLOCK, steps.slice(0, -1))
  }

  #count(ending: Ending, steps: readonly Choice[]): void {
    if (this.#options.stateText !== undefined) this.#credit(Continuations.of(ending))
    else this.#tally.add(ending, steps)
  }

  #credit(behind: Continuations): void {
    const frame = this.#frames.at(-1)
    if (frame === undefined) this.#root.addAll(behind)
    else known(frame.merged).behind.add(known(frame.choices[frame.at]), behind)
  }

  /** To the last state with a choice left; false when there is none. */
  #goBack(): boolean {
    for (;;) {
      const frame = this.#frames.at(-1)
      if (frame === undefined) return false
      frame.at += 1
      frame.after = undefined
      if (frame.at < frame.choices.length) return true
      this.#leave()
    }
  }

  #leave(): void {
    const { merged } = known(this.#frames.pop())
    if (merged === undefined) return
    const { key, behind } = merged
    if (this.#known.size < STATES_MAX) this.#known.set(key, behind)
    this.#credit(behind)
  }
}

/** How a task came to rest, where what it has lived through cannot be compared. */
function textOfRest({ waiting, outcome }: TaskRun): string {
  const calls = waiting.map(({ method }) => `a call of ${method.label}`)
  return [...calls, ...(outcome === null ? [] : [`it ${outcome.status}`])].join(' and ')
}

function taskAt({ choices, at }: Frame): number {
  return taskOf(known(choices[at]))
}
