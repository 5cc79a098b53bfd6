import { TASKS_MAX } from './choice.ts'
import { InvalidProgram } from './errors.ts'
import { FAULTS } from './faults.ts'
import type { Options } from './options.ts'

interface Shape extends Options {
  readonly tasks: readonly unknown[]
  readonly setup: unknown
  readonly ports: unknown
  readonly invariant: unknown
  readonly state?: unknown
  readonly restart?: unknown
}

/** Throws `InvalidProgram`, which names the field and the rule. */
export function validate({ tasks, random, faults, bounds = {}, ...program }: Shape): void {
  const { setup, ports, invariant, state, restart } = program
  for (const [field, value] of Object.entries({ setup, ports, invariant })) callable(field, value)
  for (const [field, value] of Object.entries({ state, restart }))
    if (value !== undefined) callable(field, value)
  if (!Array.isArray(tasks)) throw new InvalidProgram('tasks: it has to be an array of functions')
  if (tasks.length < 1 || tasks.length > TASKS_MAX)
    throw new InvalidProgram(
      `tasks: there have to be 1 to ${TASKS_MAX}, and there are ${tasks.length}`,
    )
  tasks.forEach((task, at) => {
    callable(`tasks[${at}]`, task)
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

function callable(field: string, value: unknown): void {
  if (typeof value !== 'function') throw new InvalidProgram(`${field}: it has to be a function`)
}

function whole(field: string, value: number | undefined, least: number): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && value >= least))
    throw new InvalidProgram(`${field}: ${value} is no whole number from ${least} on`)
}
