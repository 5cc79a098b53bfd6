import { letterOf, WAITING_MAX, type Choice } from './choice.ts'
import { ABANDON, END, type Driver, type Ending } from './driver.ts'
import { InvalidProgram } from './errors.ts'
import { nextTurn, nowMs, soon, whenDrained } from './event-loop.ts'
import { isInjected, type How } from './faults.ts'
import { History } from './history.ts'
import { known } from './known.ts'
import { Patience } from './patience.ts'
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
  /** Where states are merged, what a task has lived through has to say all of what it knows. */
  readonly #isMerging: boolean
  readonly #views: View<Ports>[]
  readonly #roots: History[]
  readonly #nextId: () => number
  readonly #settling: Settling
  readonly #patience: Patience
  readonly #steps: Steps
  /** Whether this run lets every step come to rest, and counts no events. */
  #isExact = true
  /** Whether every run has to: because a count was wrong, or cannot be held against what came. */
  #isAlwaysExact: boolean
  /** Whether a task was measured in the run that began last. */
  #foundNew = true
  /** The steps with which a run that was given up is made again. */
  #again: readonly Choice[] = []
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
    this.#isAlwaysExact = isReplay
    this.#program = program
    this.#faultsMost = faults.most
    this.#isMerging = program.state !== undefined
    const { roots, next } = History.roots(program.tasks.length)
    this.#roots = roots
    this.#nextId = next
    this.#settling = new Settling(this.#rested)
    this.#patience = new Patience(message => {
      this.fail(new InvalidProgram(message))
    })
    this.#steps = new Steps(this.position, driver, { blocking: program.blocking, isReplay }, this)
    const park = (method: Method, args: unknown[]) => this.#park(method, args)
    const changed = (message: string) => {
      if (this.#isMerging) this.fail(new InvalidProgram(message))
    }
    this.#views = roots.map((_, task) =>
      viewOf(task, () => known(this.position.ports[task]) as Ports, { park, changed }),
    )
  }

  /** Makes runs until the driver wants no more. Rejects with what makes the program unexplorable. */
  run(): Promise<void> {
    this.#sliceEndMs = nowMs() + SLICE_MS
    return new Promise<void>((resolve, reject) => {
      this.#done = { resolve, reject }
      if (this.#program.blocking === undefined) this.#patience.begin()
      this.#begin()
    }).finally(() => {
      this.#patience.end()
    })
  }

  readonly #begin = (): void => {
    try {
      // What is new seldom comes alone; and what is measured is measured in an exact run.
      this.#isExact = this.#isAlwaysExact || this.#foundNew || this.#again.length > 0
      this.#foundNew = false
      const world = this.#program.setup()
      if (isThenable(world))
        this.#wait('setup', world, ready => {
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
    let expected = this.#isExact ? -1 : 0
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
      const running: unknown = body(known(this.#views[task.index]), task.index)
      if (isThenable(running)) running.then(task.returned, task.threw)
      else task.returned(running)
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
      this.fail(this.position.uncontrolled(task))
      // Rejected, it would end the process where nobody waits for it, before anybody is told.
      return new Promise(() => undefined)
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
      if (!this.#isMeasured()) {
        this.#makeAgain()
        return
      }
      const depth = this.position.steps.length
      const again = this.#again
      const choice = depth < again.length ? known(again[depth]) : this.#driver.choose(this.position)
      if (choice === END) this.#finish()
      else if (choice === ABANDON) this.#end(ABANDONED)
      else this.#steps.take(choice)
    } catch (error) {
      this.fail(error)
    }
  }

  #isMeasured(): boolean {
    const { running } = this.#settling
    if (running !== null) return this.#measure(running)
    for (const task of this.position.tasks) if (!this.#measure(task)) return false
    return true
  }

  /**
   * What a task does is the same whenever it has lived through the same. False where a run that
   * counts cannot vouch for that: when a branch of the task still had microtasks to go after the last
   * event, it may do now what it does not when it comes to rest after each step.
   */
  #measure(task: TaskRun): boolean {
    const { history, outcome, waiting } = task
    const isExact = this.#isExact
    if (history === undefined) {
      if (!isExact) this.#isAlwaysExact = true
      else if (outcome === null && waiting.length === 0) throw this.position.uncontrolled(task)
      return isExact
    }
    if (history.events < 0) {
      if (!isExact) return false
      if (outcome === null && waiting.length === 0) throw this.position.uncontrolled(task)
      this.#foundNew = true
      if (!history.measure(task)) this.#isAlwaysExact = true
      return true
    }
    if (history.isAsMeasured(task)) return true
    this.#isAlwaysExact = true
    if (!isExact) return false
    const { isOfValues, before, now } = history.difference(task)
    if (!isOfValues || this.#isMerging) throw this.position.differs(before, now)
    return true
  }

  /** Makes the run again, up to where it stands, and lets each of its steps come to rest. */
  #makeAgain(): void {
    this.#again = [...this.position.steps]
    this.#settling.isUnderWay = false
    whenDrained(this.#begin)
  }

  executing(step: string): void {
    this.#patience.wait(step)
    this.#settling.isUnderWay = false
  }

  goOn(task: TaskRun, choice: Choice, ok: boolean, value: unknown): void {
    this.#patience.isOver()
    const step = (choice & 65_535) * 2 + (ok ? 1 : 0)
    const history = task.history?.after(step, value, this.#nextId)
    task.history = history
    this.#settling.begin(task, history === undefined || this.#isExact ? -1 : history.events)
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
        'invariant',
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
    this.#again = []
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
  #wait<Value>(name: string, promise: PromiseLike<Value>, then: (value: Value) => void): void {
    this.#settling.isUnderWay = false
    this.#patience.wait(name)
    promise
      .then(value => {
        this.#patience.isOver()
        then(value)
      })
      .then(undefined, (error: unknown) => {
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
