import { howOf, letterOf, positionOf, taskOf, type Choice } from './choice.ts'
import type { Driver } from './driver.ts'
import { InvalidProgram } from './errors.ts'
import { HOW, ReplyLost } from './faults.ts'
import { known } from './known.ts'
import type { Blocking } from './program.ts'
import type { Run } from './run.ts'
import type { Call, TaskRun } from './task-run.ts'
import { isThenable } from './thenable.ts'
import { ownerOf } from './view.ts'

/** What comes of a step. */
export interface After {
  /** The reply is still to come. */
  executing(step: string): void
  /** The task has lived through one more step, and goes on. */
  goOn(task: TaskRun, choice: Choice, ok: boolean, value: unknown): void
  /** The task's process is gone, and comes back if it can. */
  crash(task: TaskRun, choice: Choice): void
  /** All that the step sets going is going. */
  settle(): void
  /** The call waits for another task in its store. */
  blocked(): void
  fail(error: unknown): void
}

/** So many steps are in one order. */
const STEPS_MAX = 10_000

/** Takes a step: calls its port, and gives the reply to the task, or what a fault makes of it. */
export class Steps {
  readonly #run: Run
  readonly #driver: Driver
  readonly #blocking: Blocking | undefined
  readonly #isReplay: boolean
  readonly #after: After

  /** A replay does not trust that a step can be taken. */
  constructor(
    run: Run,
    driver: Driver,
    how: { readonly blocking: Blocking | undefined; readonly isReplay: boolean },
    after: After,
  ) {
    this.#run = run
    this.#driver = driver
    this.#blocking = how.blocking
    this.#isReplay = how.isReplay
    this.#after = after
  }

  take(choice: Choice): void {
    const run = this.#run
    if (run.steps.push(choice) > STEPS_MAX)
      throw new InvalidProgram(
        `An order has more than ${STEPS_MAX} steps: does a task go on for ever?`,
      )
    const how = howOf(choice)
    const call = run.callOf(choice)
    if (call === undefined || (this.#isReplay && !run.isEnabled(call)))
      throw run.differs('it could be taken', 'it cannot')
    const task = known(run.tasks[taskOf(choice)])
    const calls = how === HOW.copy ? task.copies : task.waiting
    if (calls.length === 1) calls.pop()
    else calls.splice(positionOf(choice), 1)
    if (how !== HOW.plain && how !== HOW.copy) run.faultsLeft -= 1
    if (how === HOW.notSent || how === HOW.crashBefore) {
      this.#driver.taken?.({ choice, call, reply: null })
      this.#goOn(task, call, choice, true, undefined)
    } else this.#execute(task, call, choice)
  }

  #execute(task: TaskRun, call: Call, choice: Choice): void {
    const { method, args } = call
    const owner = ownerOf(known(this.#run.ports[method.task]), method)
    let ok = true
    let value: unknown
    try {
      value = (owner[method.name] as (...args: unknown[]) => unknown)(...args)
    } catch (error) {
      ok = false
      value = error
    }
    if (ok && isThenable(value)) this.#await(value, task, call, choice)
    else this.#answered(task, call, choice, ok, value)
  }

  #await(promise: PromiseLike<unknown>, task: TaskRun, call: Call, choice: Choice): void {
    const blocking = this.#blocking
    this.#after.executing(`${letterOf(task.index)}'s call of ${call.method.label}`)
    let isOver = false
    const done = blocking && new AbortController()
    const answered = (ok: boolean) => (value: unknown) => {
      if (isOver) return
      isOver = true
      done?.abort()
      try {
        this.#answered(task, call, choice, ok, value)
      } catch (error) {
        this.#after.fail(error)
      }
    }
    promise.then(answered(true), answered(false))
    if (blocking === undefined || done === undefined) return
    blocking.blocked(task.index, done.signal).then(
      isBlocked => {
        if (!isBlocked || isOver) return
        isOver = true
        this.#after.blocked()
      },
      (error: unknown) => {
        this.#after.fail(error)
      },
    )
  }

  #answered(task: TaskRun, call: Call, choice: Choice, ok: boolean, value: unknown): void {
    this.#driver.taken?.({ choice, call, reply: { ok, value } })
    this.#goOn(task, call, choice, ok, value)
  }

  /** The task learns of the reply what the fault lets through. */
  #goOn(task: TaskRun, call: Call, choice: Choice, ok: boolean, value: unknown): void {
    const after = this.#after
    task.last = call
    const how = howOf(choice)
    if (how === HOW.plain || how === HOW.twice) {
      if (how === HOW.twice) task.copies.push(call)
      after.goOn(task, choice, ok, value)
      if (ok) call.resolve(value)
      else call.reject(value)
    } else if (how === HOW.copy) after.goOn(task, choice, true, undefined)
    else if (how === HOW.notSent || how === HOW.replyLost) {
      after.goOn(task, choice, false, undefined)
      // A task may have left the call alone: nobody is to be told then.
      call.promise.catch(ignore)
      call.reject(new ReplyLost(call.method.label))
    } else after.crash(task, choice)
    after.settle()
  }
}

function ignore(): void {
  // It is in the schedule.
}
