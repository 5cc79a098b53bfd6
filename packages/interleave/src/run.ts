import { choiceOf, howOf, positionOf, scheduleOf, taskOf, letterOf, type Choice } from './choice.ts'
import type { Position } from './driver.ts'
import { guardOf } from './enabled.ts'
import { Nondeterminism, UncontrolledAwait } from './errors.ts'
import { HOW, type How } from './faults.ts'
import { known } from './known.ts'
import type { Call, TaskRun } from './task-run.ts'
import { ownerOf } from './view.ts'

/** Where the run that is under way stands. */
export class Run implements Position {
  readonly steps: Choice[] = []
  readonly tasks: TaskRun[] = []
  /** The ports of each task. */
  readonly ports: object[] = []
  world: unknown
  /** So many faults can still be injected. */
  faultsLeft: number = 0
  readonly #faults: readonly How[]

  constructor(faults: readonly How[]) {
    this.#faults = faults
  }

  choices(): Choice[] {
    const choices: Choice[] = []
    for (const task of this.tasks) {
      for (let at = 0; at < task.waiting.length; at += 1) {
        if (!this.isEnabled(known(task.waiting[at]))) continue
        choices.push(choiceOf(task.index, at, HOW.plain))
        if (this.faultsLeft > 0)
          for (const how of this.#faults) choices.push(choiceOf(task.index, at, how))
      }
      for (let at = 0; at < task.copies.length; at += 1)
        if (this.isEnabled(known(task.copies[at]))) choices.push(choiceOf(task.index, at, HOW.copy))
    }
    return choices
  }

  callOf(choice: Choice): Call | undefined {
    const task = this.tasks[taskOf(choice)]
    const calls = howOf(choice) === HOW.copy ? task?.copies : task?.waiting
    return calls?.[positionOf(choice)]
  }

  isEnabled({ method }: Call): boolean {
    const owner = ownerOf(known(this.ports[method.task]), method)
    const guard = guardOf(owner[method.name] as object)
    return guard === undefined || guard.call(owner)
  }

  uncontrolled({ index, last }: TaskRun): UncontrolledAwait {
    const seen = last && { label: last.method.label, stack: last.madeAt?.stack }
    return new UncontrolledAwait(letterOf(index), scheduleOf(this.steps), seen)
  }

  differs(before: string, now: string): Nondeterminism {
    return new Nondeterminism(this.steps.length, scheduleOf(this.steps), before, now)
  }
}
