import { letterOf, WAITING_MAX, type Choice } from './choice.ts'
import { ABANDON, END, type Driver, type Ending } from './driver.ts'
import { InvalidProgram } from './errors.ts'
import { nextTurn, nowMs, soon } from './event-loop.ts'
import { isInjected, type How } from './faults.ts'
import { History } from './history.ts'
import { known } from './known.ts'
import type { Program, TaskOutcome, View } from './program.ts'
import { Run } from './run.ts'
import { Settling } from './settling.ts'
import { Steps, type After } from './steps.ts'
import { DEADLOCK } from './tally.ts'
import { TaskRun } from './task-run.ts'
import { isThenable } from './thenable.ts'
import { viewOf, type Method } from './view.ts'

/** So long the event loop is kept waiting. */
const SLICE_MS = 40
const RUNS_A_LOOK = 32

const ABANDONED: Ending = { how: 'abandoned', holds: true, threw: false }
const BLOCKED: Ending = { how: 'blocked', holds: true, threw: false }

/** Runs a program again and again, each time in the order that its driver chooses. */
export class Machine<World, Ports extends object> implements After {
  /** Where the run stands that is under way, or that ended last. */
  readonly position: Run
  /** How many runs have ended. */
  runs: number = 0
  readonly #driver: Driver
  readonly #isReplay: boolean
  readonly #program: Program<World, Ports>
  readonly #faultsMost: number
  readonly #views: View<Ports>[]
  readonly #roots: History[]
  readonly #nextId: () => number
  readonly #settling: Settling
  readonly #steps: Steps
  #sliceEndMs = 0
  #done: { resolve: () => void; reject: (error: unknown) => void } | undefined

  /** A replay notes where calls were made, and does not trust that a step can be taken. */
  constructor(
    program: Program<World, Ports>,
    driver: Driver,
    faults: { readonly most: number; readonly hows: readonly How[] },
    isReplay: boolean,
  ) {
    this.position = new Run(faults.hows)
    this.#driver = driver
    this.#isReplay = isReplay
    this.#program = program
    this.#faultsMost = faults.most
    const { roots, next } = History.roots(program.tasks.length)
    this.#roots = roots
    this.#nextId = next
    this.#settling = new Settling(this.#rested)
    this.#steps = new Steps(this.position, driver, { blocking: program.blocking, isReplay }, this)
    const park = (method: Method, args: unknown[]) => this.#park(method, args)
    this.#views = roots.map((_, task) =>
      viewOf(task, () => known(this.position.ports[task]) as Ports, park),
    )
  }

  /** Makes runs until the driver wants no more. Rejects with what makes the program unexplorable. */
  run(): Promise<void> {
    this.#sliceEndMs = nowMs() + SLICE_MS
    return new Promise((resolve, reject) => {
      this.#done = { resolve, reject }
      this.#begin()
    })
  }

  readonly #begin = (): void => {
    try {
      const world = this.#program.setup()
      if (isThenable(world))
        this.#wait(world, ready => {
          this.#start(ready)
        })
      else this.#start(world)
    } catch (error) {
      this.fail(error)
    }
  }

  #start(world: World): void {
    const run = this.position
    run.world = world
    run.steps.length = 0
    run.faultsLeft = this.#faultsMost
    let expected = 0
    for (let at = 0; at < this.#roots.length; at += 1) {
      const root = known(this.#roots[at])
      run.ports[at] = this.#program.ports(world, at)
      run.tasks[at] = this.#fresh(at, root)
      expected = root.events < 0 || expected < 0 ? -1 : expected + root.events
    }
    this.#settling.begin(null, expected)
    for (let at = 0; at < this.#roots.length; at += 1)
      this.#launch(known(run.tasks[at]), known(this.#program.tasks[at]))
    this.#settling.wait()
  }

  /** What has ended cannot end again, so it can be taken for another run. */
  #fresh(index: number, history: History | undefined): TaskRun {
    const last = this.position.tasks[index]
    const task = last?.hasEnded === true ? last : new TaskRun(index, this.#ended)
    task.begin(history)
    return task
  }

  #launch(task: TaskRun, body: (ports: View<Ports>, task: number) => Promise<unknown>): void {
    try {
      body(known(this.#views[task.index]), task.index).then(task.returned, task.threw)
    } catch (error) {
      task.threw(error)
    }
  }

  readonly #ended = (task: TaskRun, outcome: TaskOutcome): void => {
    if (this.position.tasks[task.index] !== task) return
    task.outcome = outcome
    this.#settling.arrived(task)
  }

  #park(method: Method, args: unknown[]): Promise<unknown> {
    const settling = this.#settling
    const task = known(this.position.tasks[method.task])
    if (!settling.isUnderWay || (settling.running !== null && settling.running !== task)) {
      const stray = this.position.uncontrolled(task)
      this.fail(stray)
      return Promise.reject(stray)
    }
    const promise = new Promise(keepFunctions)
    const madeAt = this.#isReplay ? new Error(method.label) : undefined
    task.waiting.push({ method, args, promise, resolve: resolveKept, reject: rejectKept, madeAt })
    if (task.waiting.length > WAITING_MAX)
      this.fail(
        new InvalidProgram(`task ${letterOf(task.index)}: more than ${WAITING_MAX} calls at once`),
      )
    settling.arrived(task)
    return promise
  }

  readonly #rested = (): void => {
    const settling = this.#settling
    if (!settling.isUnderWay) return
    try {
      if (settling.running !== null) this.#measure(settling.running)
      else for (const task of this.position.tasks) this.#measure(task)
      const choice = this.#driver.choose(this.position)
      if (choice === END) this.#finish()
      else if (choice === ABANDON) this.#end(ABANDONED)
      else this.#steps.take(choice)
    } catch (error) {
      this.fail(error)
    }
  }

  /** What a task does is the same whenever it has lived through the same. */
  #measure(task: TaskRun): void {
    const { history, events, waiting } = task
    if (task.outcome === null && waiting.length === 0) throw this.position.uncontrolled(task)
    if (history === undefined) return
    if (history.events < 0) {
      history.events = events
      history.waiting = waiting.map(({ method }) => method)
    } else if (history.events !== events)
      throw this.position.differs(`${history.events} calls and ends`, `${events}`)
    for (let at = 0; at < waiting.length; at += 1) {
      const [before, now] = [history.waiting[at], waiting[at]?.method]
      if (before !== now)
        throw this.position.differs(`a call of ${before?.label}`, `of ${now?.label}`)
    }
  }

  executing(): void {
    this.#settling.isUnderWay = false
  }

  goOn(task: TaskRun, choice: Choice, ok: boolean, value: unknown): void {
    const step = (choice & 65_535) * 2 + (ok ? 1 : 0)
    const history = task.history?.after(step, value, this.#nextId)
    task.history = history
    this.#settling.begin(task, history === undefined ? -1 : history.events)
  }

  /** Its calls are gone with it; what was on its way twice still arrives. */
  crash(task: TaskRun, choice: Choice): void {
    const { restart } = this.#program
    const again = new TaskRun(task.index, this.#ended)
    again.begin(task.history)
    again.copies = task.copies
    this.position.tasks[task.index] = again
    this.goOn(again, choice, true, undefined)
    if (restart === undefined) again.outcome = { status: 'crashed' }
    else this.#launch(again, restart)
  }

  settle(): void {
    this.#settling.wait()
  }

  blocked(): void {
    this.#end(BLOCKED)
  }

  #finish(): void {
    const outcomes: TaskOutcome[] = []
    let threw = false
    for (const { outcome } of this.position.tasks) {
      if (outcome === null) {
        this.#end(DEADLOCK)
        return
      }
      outcomes.push(outcome)
      if (outcome.status === 'threw' && !isInjected(outcome.error)) threw = true
    }
    let holds: unknown
    try {
      holds = this.#program.invariant(this.position.world as World, outcomes)
    } catch (thrown) {
      this.#end({ how: 'finished', holds: false, thrown, threw })
      return
    }
    if (!isThenable(holds)) this.#judge(holds, threw)
    else
      this.#wait(
        Promise.resolve(holds).then(
          (seen): (() => void) =>
            () => {
              this.#judge(seen, threw)
            },
          (thrown: unknown) => () => {
            this.#end({ how: 'finished', holds: false, thrown, threw })
          },
        ),
        end => {
          end()
        },
      )
  }

  #judge(holds: unknown, threw: boolean): void {
    if (typeof holds !== 'boolean')
      throw new InvalidProgram(`invariant gave ${String(holds)}: it has to give true or false`)
    this.#end({ how: 'finished', holds, threw })
  }

  #end(ending: Ending): void {
    this.#settling.isUnderWay = false
    this.runs += 1
    if (!this.#driver.ended(ending, this.position)) this.#done?.resolve()
    else if (this.runs % RUNS_A_LOOK !== 0 || nowMs() < this.#sliceEndMs) this.#begin()
    else
      nextTurn(() => {
        this.#sliceEndMs = nowMs() + SLICE_MS
        soon(this.#begin)
      })
  }

  /** Waits for what a real world takes its time for. */
  #wait<Value>(promise: PromiseLike<Value>, then: (value: Value) => void): void {
    this.#settling.isUnderWay = false
    promise.then(then).then(undefined, (error: unknown) => {
      this.fail(error)
    })
  }

  fail(error: unknown): void {
    this.#settling.isUnderWay = false
    this.#done?.reject(error)
  }
}

// One function for all promises, instead of a new one for each.
let resolveKept: (value: unknown) => void
let rejectKept: (error: unknown) => void
function keepFunctions(resolve: (value: unknown) => void, reject: (error: unknown) => void): void {
  resolveKept = resolve
  rejectKept = reject
}
