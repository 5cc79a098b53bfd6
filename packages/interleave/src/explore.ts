import { scheduleOf } from './choice.ts'
import { DepthFirst } from './depth-first.ts'
import { InvalidProgram, Nondeterminism, UncontrolledAwait } from './errors.ts'
import { nowMs } from './event-loop.ts'
import { FAULTS, type Fault, type Faults, type How } from './faults.ts'
import { Machine } from './machine.ts'
import type { Bounds, Options } from './options.ts'
import type { Program } from './program.ts'
import { RandomOrder } from './random-order.ts'
import { replay } from './replay.ts'
import type { Order, Report } from './report.ts'
import type { Counts } from './tally.ts'
import { textOf } from './text-of.ts'
import { validate } from './validate.ts'

const RANDOM_ORDERS = 1_000

/**
 * Runs a program in every order that its steps can take, and counts those that go wrong.
 *
 * Without `state` each order is run. With it, states that are met again are not gone through again,
 * so that more orders can be counted than could ever be run; the counts are the same.
 *
 * A task that throws, a broken invariant and a deadlock are counted, not thrown. Rejects with
 * `InvalidProgram`, `UncontrolledAwait` or `Nondeterminism` where the program cannot be explored, and
 * with what `setup`, `ports` or `state` throw.
 */
export async function explore<World, Ports extends object>(
  program: Program<World, Ports> & Options,
): Promise<Report> {
  validate(program)
  const { random, state, bounds = {}, faults } = program
  const stop = new Stop(bounds, random !== undefined)
  const driver =
    random === undefined
      ? new DepthFirst({
          ...(state && { stateText: (world: unknown) => stateText(state(world as World)) }),
          preemptions: bounds.preemptions ?? Infinity,
          isOver: () => stop.isOver(),
        })
      : new RandomOrder(random, () => stop.isOver())
  const machine = new Machine(
    program,
    driver,
    { most: faults?.most ?? 0, hows: howsOf(faults) },
    false,
  )
  try {
    await machine.run()
  } catch (error) {
    throw await withStack(program, error)
  }
  const isWhole = driver instanceof DepthFirst && driver.isWhole
  const { shortest, ...counts } = driver.counts()
  return {
    ...counts,
    holds: counts.violations + counts.errors + counts.deadlocks === 0n,
    exhaustive: isWhole,
    search: random ? 'random' : state ? 'merged states' : 'every order',
    bound: isWhole ? null : (stop.reached ?? 'preemptions'),
    distinct: driver instanceof RandomOrder ? driver.distinct : null,
    runs: machine.runs,
    shortest: shortest && (await replayed(program, shortest)),
  }
}

/** The bounds of an exploration, asked after every run. */
class Stop {
  reached: 'orders' | 'timeMs' | null = null
  readonly #endMs: number
  readonly #runsMost: number
  #runs = 0

  constructor({ orders, timeMs }: Bounds, isRandom: boolean) {
    this.#endMs = timeMs === undefined ? Infinity : nowMs() + timeMs
    this.#runsMost = orders ?? (isRandom && timeMs === undefined ? RANDOM_ORDERS : Infinity)
  }

  isOver(): boolean {
    this.#runs += 1
    if (this.#runs >= this.#runsMost) this.reached = 'orders'
    else if (this.#endMs !== Infinity && nowMs() >= this.#endMs) this.reached = 'timeMs'
    return this.reached !== null
  }
}

function stateText(state: unknown): string {
  if (typeof state === 'string') return state
  const text = textOf(state)
  if (text === undefined)
    throw new InvalidProgram(
      'state: it has to be plain data, without functions, cycles and instances of classes',
    )
  return text
}

function howsOf(faults: Faults | undefined): How[] {
  return (faults?.kinds ?? (Object.keys(FAULTS) as Fault[])).map(fault => FAULTS[fault].how)
}

/** The steps of the shortest order; what it did before it must do again. */
async function replayed<World, Ports extends object>(
  program: Program<World, Ports>,
  { wrong, choices }: NonNullable<Counts['shortest']>,
): Promise<Order> {
  const order = await replay(program, scheduleOf(choices))
  if (order.wrong === wrong) return order
  throw new Nondeterminism(choices.length, order.schedule, wrong, order.wrong ?? 'all was well')
}

/** To note where each call was made would slow every run down: so it is done in one more. */
async function withStack<World, Ports extends object>(
  program: Program<World, Ports>,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof UncontrolledAwait)) return error
  return replay(program, error.schedule).then(
    () => error,
    (again: unknown) => (again instanceof UncontrolledAwait ? again : error),
  )
}
