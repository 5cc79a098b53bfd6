import { letterOf, parseSchedule, scheduleOf, type Choice } from './choice.ts'
import { Nondeterminism } from './errors.ts'
import { ABANDON, END, type Driver, type Ending, type Position, type TakenStep } from './driver.ts'
import { Machine } from './machine.ts'
import type { Program } from './program.ts'
import { orderOf, stepOf, type Order, type Step } from './report.ts'
import { wrongOf } from './tally.ts'
import { validate } from './validate.ts'
import { textOf } from './text-of.ts'
import { known } from './known.ts'

/**
 * Runs a program once, in the order of a schedule (`AABBBBAA`), and says what happened.
 *
 * Given an `Order` of a report, each step has to be what it was then. Rejects with `SyntaxError`
 * where the schedule is none, and with `Nondeterminism` that names the first step which cannot be
 * taken, or is another than before.
 */
export async function replay<World, Ports extends object>(
  program: Program<World, Ports>,
  order: string | Order,
): Promise<Order> {
  validate(program)
  const [schedule, steps] = typeof order === 'string' ? [order] : [order.schedule, order.steps]
  const driver = new Replay(parseSchedule(schedule), steps, program.blocking !== undefined)
  const machine = new Machine(program, driver, { most: Infinity, hows: [] }, true)
  await machine.run()
  return driver.order(machine.position)
}

/** Makes one run; and, to know that an order ends in a deadlock, one for each call that waits there. */
class Replay implements Driver {
  readonly #choices: readonly Choice[]
  readonly #before: readonly Step[] | undefined
  /** A real store says that a call waits only once it is made. */
  readonly #triesCalls: boolean
  #taken: TakenStep[] = []
  readonly #blocked: Choice[] = []
  #ending: Ending | undefined

  constructor(
    choices: readonly Choice[],
    before: readonly Step[] | undefined,
    triesCalls: boolean,
  ) {
    this.#choices = choices
    this.#before = before
    this.#triesCalls = triesCalls
  }

  choose(run: Position): Choice {
    const at = run.steps.length
    const next = this.#choices[at]
    if (next !== undefined) return next
    const [left] = run.choices().filter(choice => !this.#blocked.includes(choice))
    if (left === undefined) return END
    return this.#triesCalls && at === this.#choices.length ? left : ABANDON
  }

  taken(step: TakenStep): void {
    this.#taken.push(step)
    const before = this.#before?.[this.#taken.length - 1]
    if (before === undefined) return
    const [then, now] = [textOfStep(before), textOfStep(stepOf(step))]
    if (then !== now)
      throw new Nondeterminism(this.#taken.length, scheduleOf(this.#choices), then, now)
  }

  ended(ending: Ending, { steps }: Position): boolean {
    this.#ending = ending
    if (ending.how !== 'blocked' || steps.length <= this.#choices.length) return false
    this.#blocked.push(known(steps.at(-1)))
    this.#taken = []
    return true
  }

  order({ tasks }: Position): Order {
    const ending = known(this.#ending)
    const at = Math.min(this.#taken.length, this.#choices.length)
    const schedule = scheduleOf(this.#choices)
    if (ending.how === 'blocked')
      throw new Nondeterminism(at + 1, schedule, 'it could be taken', 'it waits for another task')
    if (this.#taken.length !== this.#choices.length || ending.how === 'abandoned') {
      const left = tasks
        .filter(({ waiting }) => waiting.length > 0)
        .map(task => letterOf(task.index))
      throw new Nondeterminism(
        at + 1,
        schedule,
        'it was the end',
        `${left.join(' and ')} can go on`,
      )
    }
    const outcomes = tasks.map(({ outcome }) => outcome ?? { status: 'waiting' as const })
    return orderOf(this.#taken, wrongOf(ending) ?? null, outcomes, ending.thrown)
  }
}

function textOfStep({ task, call, args, fault, reply }: Step): string {
  return `${task} ${call}(${textOf(args) ?? '?'}) ${fault ?? ''} ${textOf(reply) ?? '?'}`
}
