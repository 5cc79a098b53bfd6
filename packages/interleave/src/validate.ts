import { TASKS_MAX } from './choice.ts'
import { InvalidProgram } from './errors.ts'
import { FAULTS } from './faults.ts'
import type { Options } from './options.ts'

interface Shape extends Options {
  readonly tasks: readonly unknown[]
  readonly state?: unknown
}

/** Throws `InvalidProgram`, which names the field and the rule. */
export function validate({ tasks, state, random, faults, bounds = {} }: Shape): void {
  if (tasks.length < 1 || tasks.length > TASKS_MAX)
    throw new InvalidProgram(
      `tasks: there have to be 1 to ${TASKS_MAX}, and there are ${tasks.length}`,
    )
  tasks.forEach((task, at) => {
    if (typeof task !== 'function')
      throw new InvalidProgram(`tasks[${at}]: it has to be a function`)
  })
  whole('bounds.orders', bounds.orders, 1)
  whole('bounds.preemptions', bounds.preemptions, 0)
  whole('bounds.timeMs', bounds.timeMs, 1)
  whole('random.seed', random?.seed, 0)
  whole('random.changes', random?.changes, 0)
  whole('faults.most', faults?.most, 0)
  for (const kind of faults?.kinds ?? []) {
    if (!Object.hasOwn(FAULTS, kind))
      throw new InvalidProgram(`faults.kinds: ${kind} is none of ${Object.keys(FAULTS).join(', ')}`)
  }
  if (bounds.preemptions !== undefined && (state !== undefined || random !== undefined))
    throw new InvalidProgram(
      'bounds.preemptions: it goes neither with state nor with random; leave that out',
    )
}

function whole(field: string, value: number | undefined, least: number): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
    throw new InvalidProgram(`${field}: ${value} is no whole number from ${least} on`)
}
