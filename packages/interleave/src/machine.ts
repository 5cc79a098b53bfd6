import { choiceOf, howOf, letterOf, positionOf, scheduleOf, taskOf, type Choice } from './choice.ts'
import { WAITING_MAX } from './choice.ts'
import { guardOf } from './enabled.ts'
import { InvalidProgram, Nondeterminism, UncontrolledAwait } from './errors.ts'
import { nextTurn, nowMs, soon, whenDrained } from './event-loop.ts'
import { HOW, isInjected, ReplyLost, type How } from './faults.ts'
import { History } from './history.ts'
import type { Program, TaskOutcome, View } from './program.ts'
import { DEADLOCK } from './tally.ts'
import { TaskRun, type Call } from './task-run.ts'
import { ownerOf, viewOf, type Method } from './view.ts'
import { known } from './known.ts'

/** How one run ended. */
export interface Ending {
  readonly how: 'finished' | 'deadlock' | 'abandoned' | 'blocked'
  /** Whether the invariant holds; asked only when every task has ended. */
  readonly holds: boolean
  /** Whether a task threw what was not injected. */
  readonly threw: boolean
}

/** What a port gave. */
export interface Reply {
  readonly ok: boolean
  readonly value: unknown
}

/** One step as it was taken. */
export interface TakenStep {
  readonly choice: Choice
  readonly call: Call
  /** Null where the port was not called. */
  readonly reply: Reply | null
}

export const END = -1
export const ABANDON = -2

/** Where a run stands: every task waits or has ended. */
export interface Position {
  /** The steps that were taken. */
  readonly steps: readonly Choice[]
  readonly tasks: readonly TaskRun[]
  readonly world: unknown
  /** What can happen next. */
  choices(): Choice[]
}

/** Decides which runs are made. */
export interface Driver {
  /** The next step, one of `run.choices()`; `END` when there is none; `ABANDON` gives the run up. */
  choose(run: Position): Choice
  /** A run has ended; false when no other is wanted. */
  ended(ending: Ending, run: Position): boolean
  taken?(step: TakenStep): void
}

/** So long the event loop is kept waiting. */
const SLICE_MS = 40
const RUNS_A_LOOK = 32

/** Runs a program again and again, each time in the order that its driver chooses. */
export class Machine<World, Ports extends object> implements Position {
  readonly steps: Choice[] = []
  tasks: TaskRun[] = []
  /** How many runs have ended. */
  runs: number = 0
  readonly #program: Program<World, Ports>
  readonly #driver: Driver
  readonly #faults: readonly How[]
  readonly #faultsMost: number
  readonly #views: View<Ports>[]
  readonly #roots: History[]
  readonly #nextId: () => number
  readonly #isReplay: boolean
  #world: World | undefined
  #ports: Ports[] = []
  #faultsLeft = 0
  #phase: 'idle' | 'settling' | 'executing' = 'idle'
  /** Which task goes on now; null at the start, when all do. */
  #running: TaskRun | null = null
  #events = 0
  /** So many events are known to come; -1 where that is to be measured. */
  #expected = -1
  #isWatching = false
  #sliceEndMs = 0
  #done: { resolve: () => void; reject: (error: unknown) => void } | undefined

  /** A replay notes where calls were made, and does not trust that a step can be taken. */
  constructor(
    program: Program<World, Ports>,
    driver: Driver,
    faults: { readonly most: number; readonly hows: readonly How[] },
    isReplay: boolean,
  ) {
    this.#program = program
    this.#driver = driver
    this.#faults = faults.hows
    this.#faultsMost = faults.most
    this.#isReplay = isReplay
    const { roots, next } = History.roots(program.tasks.length)
    this.#roots = roots
    this.#nextId = next
    const park = (method: Method, args: unknown[]) => this.#park(method, args)
    this.#views = roots.map((_, task) => viewOf(task, () => known(this.#ports[task]), park))
  }

  get world(): World {
    return this.#world as World
  }

  /** Makes runs until the driver wants no more. Rejects with what makes the program unexplorable. */
  run(): Promise<void> {
    this.#sliceEndMs = nowMs() + SLICE_MS
    return new Promise((resolve, reject) => {
      this.#done = { resolve, reject }
      this.#begin()
    })
  }

  choices(): Choice[] {
    const choices: Choice[] = []
    for (const task of this.tasks) {
      for (let at = 0; at < task.waiting.length; at += 1) {
        if (!this.#isEnabled(known(task.waiting[at]))) continue
        choices.push(choiceOf(task.index, at, HOW.plain))
        if (this.#faultsLeft > 0)
          for (const how of this.#faults) choices.push(choiceOf(task.index, at, how))
      }
      for (let at = 0; at < task.copies.length; at += 1)
        if (this.#isEnabled(known(task.copies[at])))
          choices.push(choiceOf(task.index, at, HOW.copy))
    }
    return choices
  }

  #callOf(choice: Choice): Call | undefined {
    const task = this.tasks[taskOf(choice)]
    const calls = howOf(choice) === HOW.copy ? task?.copies : task?.waiting
    return calls?.[positionOf(choice)]
  }

  #isEnabled({ method }: Call): boolean {
    const owner = ownerOf(known(this.#ports[method.task]), method)
    const guard = guardOf(owner[method.name] as object)
    return guard === undefined || guard.call(owner)
  }

  readonly #begin = (): void => {
    this.steps.length = 0
    this.#faultsLeft = this.#faultsMost
    try {
      const world = this.#program.setup()
      if (isThenable(world))
        this.#wait(world, ready => {
          this.#start(ready)
        })
      else this.#start(world)
    } catch (error) {
      this.#fail(error)
    }
  }

  #start(world: World): void {
    const { tasks, ports } = this.#program
    this.#world = world
    this.#ports = []
    this.tasks = []
    let expected = 0
    for (let at = 0; at < tasks.length; at += 1) {
      const root = known(this.#roots[at])
      this.#ports.push(ports(world, at))
      this.tasks.push(new TaskRun(at, root))
      expected = root.events < 0 || expected < 0 ? -1 : expected + root.events
    }
    this.#settling(null, expected)
    for (const task of this.tasks) this.#launch(task, known(tasks[task.index]))
    this.#settle()
  }

  #launch(task: TaskRun, body: (ports: View<Ports>, task: number) => Promise<unknown>): void {
    const ended = (outcome: TaskOutcome) => {
      if (this.tasks[task.index] !== task) return
      task.outcome = outcome
      this.#arrived(task)
    }
    try {
      body(known(this.#views[task.index]), task.index).then(
        value => {
          ended({ status: 'returned', value })
        },
        (error: unknown) => {
          ended({ status: 'threw', error })
        },
      )
    } catch (error) {
      ended({ status: 'threw', error })
    }
  }

  #park(method: Method, args: unknown[]): Promise<unknown> {
    const task = known(this.tasks[method.task])
    if (this.#phase !== 'settling' || (this.#running !== null && this.#running !== task)) {
      const stray = this.#uncontrolled(task)
      this.#fail(stray)
      return Promise.reject(stray)
    }
    const stack = this.#isReplay ? new Error(method.label).stack : undefined
    const promise = new Promise(keepFunctions)
    task.waiting.push({ method, args, resolve: resolveKept, reject: rejectKept, stack })
    if (task.waiting.length > WAITING_MAX)
      this.#fail(
        new InvalidProgram(`task ${letterOf(task.index)}: more than ${WAITING_MAX} calls at once`),
      )
    this.#arrived(task)
    return promise
  }

  #arrived(task: TaskRun): void {
    task.events += 1
    this.#events += 1
    if (this.#events === this.#expected) soon(this.#quiet)
  }

  #settling(task: TaskRun | null, expected: number): void {
    this.#phase = 'settling'
    this.#running = task
    this.#events = 0
    this.#expected = expected === 0 ? -1 : expected
    if (task !== null) task.events = 0
  }

  /** Goes on when all that was set going has come to rest: counted where known, else drained. */
  #settle(): void {
    if (this.#expected < 0) whenDrained(this.#quiet)
    else if (!this.#isWatching) {
      this.#isWatching = true
      nextTurn(this.#watch)
    }
  }

  /** No turn of the event loop comes while microtasks are left: what is still expected never comes. */
  readonly #watch = (): void => {
    this.#isWatching = false
    if (this.#phase === 'settling' && this.#expected > this.#events) this.#quiet()
  }

  readonly #quiet = (): void => {
    if (this.#phase !== 'settling') return
    try {
      if (this.#running !== null) this.#rested(this.#running)
      else for (const task of this.tasks) this.#rested(task)
      this.#next()
    } catch (error) {
      this.#fail(error)
    }
  }

  #rested(task: TaskRun): void {
    if (task.outcome === null && task.waiting.length === 0) throw this.#uncontrolled(task)
    const { history, events, waiting } = task
    if (history === undefined) return
    if (history.events < 0) {
      history.events = events
      history.waiting = waiting.map(({ method }) => method)
    } else if (history.events !== events)
      throw this.#differs(`${history.events} calls and ends`, `${events}`)
    for (let at = 0; at < waiting.length; at += 1) {
      const [before, now] = [history.waiting[at], waiting[at]?.method]
      if (before !== now) throw this.#differs(`a call of ${before?.label}`, `of ${now?.label}`)
    }
  }

  #uncontrolled(task: TaskRun): UncontrolledAwait {
    const { index, last } = task
    const seen = last && { label: last.method.label, stack: last.stack }
    return new UncontrolledAwait(letterOf(index), scheduleOf(this.steps), seen)
  }

  #differs(before: string, now: string): Nondeterminism {
    return new Nondeterminism(this.steps.length, scheduleOf(this.steps), before, now)
  }

  #next(): void {
    const choice = this.#driver.choose(this)
    if (choice === END) this.#finish()
    else if (choice === ABANDON) this.#end(ABANDONED)
    else this.#take(choice)
  }

  #take(choice: Choice): void {
    this.steps.push(choice)
    const how = howOf(choice)
    const call = this.#callOf(choice)
    if (call === undefined || (this.#isReplay && !this.#isEnabled(call)))
      throw this.#differs('it could be taken', 'it cannot')
    const task = known(this.tasks[taskOf(choice)])
    const calls = how === HOW.copy ? task.copies : task.waiting
    if (calls.length === 1) calls.pop()
    else calls.splice(positionOf(choice), 1)
    if (how !== HOW.plain && how !== HOW.copy) this.#faultsLeft -= 1
    if (how === HOW.notSent || how === HOW.crashBefore) this.#answered(task, call, choice, null)
    else this.#execute(task, call, choice)
  }

  #execute(task: TaskRun, call: Call, choice: Choice): void {
    const { method, args } = call
    const owner = ownerOf(known(this.#ports[method.task]), method)
    let value: unknown
    try {
      value = (owner[method.name] as (...args: unknown[]) => unknown)(...args)
    } catch (error) {
      this.#answered(task, call, choice, { ok: false, value: error })
      return
    }
    if (isThenable(value)) this.#await(value, task, call, choice)
    else this.#answered(task, call, choice, { ok: true, value })
  }

  #await(promise: PromiseLike<unknown>, task: TaskRun, call: Call, choice: Choice): void {
    this.#phase = 'executing'
    let isOver = false
    const { blocking } = this.#program
    const done = blocking && new AbortController()
    const answered = (ok: boolean) => (value: unknown) => {
      if (isOver) return
      isOver = true
      done?.abort()
      try {
        this.#answered(task, call, choice, { ok, value })
      } catch (error) {
        this.#fail(error)
      }
    }
    promise.then(answered(true), answered(false))
    if (blocking === undefined || done === undefined) return
    blocking.blocked(task.index, done.signal).then(
      isBlocked => {
        if (!isBlocked || isOver) return
        isOver = true
        this.#end(BLOCKED)
      },
      (error: unknown) => {
        this.#fail(error)
      },
    )
  }

  #answered(task: TaskRun, call: Call, choice: Choice, reply: Reply | null): void {
    this.#driver.taken?.({ choice, call, reply })
    task.last = call
    const how = howOf(choice)
    if (how === HOW.crashBefore || how === HOW.crashAfter) this.#crash(task, choice)
    else if (how === HOW.copy) this.#goOn(task, choice, true, undefined)
    else if (how === HOW.notSent || how === HOW.replyLost) {
      this.#goOn(task, choice, false, undefined)
      call.reject(new ReplyLost(call.method.label))
    } else {
      const { ok, value } = known(reply)
      if (how === HOW.twice) task.copies.push(call)
      this.#goOn(task, choice, ok, value)
      if (ok) call.resolve(value)
      else call.reject(value)
    }
    this.#settle()
  }

  /** The task has lived through one more step: what it does next is known, or measured. */
  #goOn(task: TaskRun, choice: Choice, ok: boolean, value: unknown): void {
    const step = (choice & 65_535) * 2 + (ok ? 1 : 0)
    task.history = task.history?.after(step, value, this.#nextId)
    this.#settling(task, task.history?.events ?? -1)
  }

  /** Its process is gone, and so are its calls; what was on its way twice still arrives. */
  #crash(task: TaskRun, choice: Choice): void {
    const { restart } = this.#program
    const again = new TaskRun(task.index, task.history)
    again.copies = task.copies
    this.tasks[task.index] = again
    this.#goOn(again, choice, true, undefined)
    if (restart === undefined) again.outcome = { status: 'crashed' }
    else this.#launch(again, restart)
  }

  #finish(): void {
    const outcomes: TaskOutcome[] = []
    let threw = false
    for (const { outcome } of this.tasks) {
      if (outcome === null) {
        this.#end(DEADLOCK)
        return
      }
      outcomes.push(outcome)
      if (outcome.status === 'threw' && !isInjected(outcome.error)) threw = true
    }
    let holds: unknown
    try {
      holds = this.#program.invariant(this.world, outcomes)
    } catch {
      holds = false
    }
    if (!isThenable(holds)) this.#judge(holds, threw)
    else
      this.#wait(
        Promise.resolve(holds).catch(() => false),
        seen => {
          this.#judge(seen, threw)
        },
      )
  }

  #judge(holds: unknown, threw: boolean): void {
    if (typeof holds !== 'boolean')
      throw new InvalidProgram(`invariant gave ${String(holds)}: it has to give true or false`)
    this.#end({ how: 'finished', holds, threw })
  }

  #end(ending: Ending): void {
    this.#phase = 'idle'
    this.runs += 1
    if (!this.#driver.ended(ending, this)) this.#done?.resolve()
    else if (this.runs % RUNS_A_LOOK !== 0 || nowMs() < this.#sliceEndMs) this.#begin()
    else
      nextTurn(() => {
        this.#sliceEndMs = nowMs() + SLICE_MS
        soon(this.#begin)
      })
  }

  /** Waits for what a real world takes its time for. */
  #wait<Value>(promise: PromiseLike<Value>, then: (value: Value) => void): void {
    this.#phase = 'executing'
    promise.then(then).then(undefined, (error: unknown) => {
      this.#fail(error)
    })
  }

  #fail(error: unknown): void {
    this.#phase = 'idle'
    this.#done?.reject(error)
  }
}

const ABANDONED: Ending = { how: 'abandoned', holds: true, threw: false }
const BLOCKED: Ending = { how: 'blocked', holds: true, threw: false }

// One function for all promises, instead of a new one for each.
let resolveKept: (value: unknown) => void
let rejectKept: (error: unknown) => void
function keepFunctions(resolve: (value: unknown) => void, reject: (error: unknown) => void): void {
  resolveKept = resolve
  rejectKept = reject
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<PromiseLike<unknown>>).then === 'function'
  )
}
