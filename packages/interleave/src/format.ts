import type { Order, Report, Step } from './report.ts'
import type { Wrong } from './tally.ts'
import { known } from './known.ts'

const WRONG: Readonly<Record<Wrong, string>> = {
  violation: 'breaks the invariant',
  error: 'ends with an error',
  deadlock: 'ends in a deadlock',
}
const COLUMN_MAX = 60

/** A report for people: what was counted, and the shortest order that goes wrong. */
export function formatReport(report: Report): string {
  const { orders, violations, errors, deadlocks, shortest } = report
  const wrongs = [
    violations > 0n ? `${count(violations)} break the invariant` : '',
    errors > 0n ? `${count(errors)} end with an error` : '',
    deadlocks > 0n ? `${count(deadlocks)} end in a deadlock` : '',
  ].filter(Boolean)
  const said = wrongs.length === 0 ? 'none goes wrong' : wrongs.join(', ')
  const lines = [`${count(orders)} orders, ${scope(report)}: ${said}`]
  if (shortest !== null) lines.push('', formatOrder(shortest))
  return lines.join('\n')
}

function scope({ exhaustive, search, bound, distinct }: Report): string {
  if (exhaustive)
    return search === 'merged states' ? 'which are all, by merged states' : 'which are all'
  if (search === 'random') return `drawn by chance, ${distinct ?? 0} of them different`
  return `not all (bound: ${bound ?? 'none'})`
}

/** An order for people: a column for each task, a line for each step, with what the task saw. */
export function formatOrder(order: Order): string {
  const { schedule, wrong, switches, steps, outcomes, thrown } = order
  const cells = steps.map(textOfStep)
  const widths = outcomes.map((_, task) =>
    Math.min(
      COLUMN_MAX,
      Math.max(
        1,
        ...cells.filter((_cell, at) => columnOf(known(steps[at])) === task).map(c => c.length),
      ),
    ),
  )
  const row = (left: string, columns: readonly string[]) =>
    `${left.padStart(4)}  ${columns.map((cell, task) => cell.padEnd(widths[task] ?? 0)).join('  ')}`.trimEnd()
  const turns = switches === 1 ? '1 switch' : `${switches} switches`
  return [
    `${schedule === '' ? 'No step' : schedule} ${wrong === null ? 'goes well' : WRONG[wrong]} (${turns})`,
    row(
      '',
      outcomes.map((_, task) => letter(task)),
    ),
    ...steps.map((step, at) =>
      row(
        String(at + 1),
        outcomes.map((_, task) => (columnOf(step) === task ? (cells[at] ?? '') : '')),
      ),
    ),
    ...outcomes.flatMap((outcome, task) =>
      outcome.status === 'threw'
        ? [`${letter(task)} threw ${textOfError(outcome.error)}`]
        : outcome.status === 'waiting'
          ? [`${letter(task)} waits for ever`]
          : [],
    ),
    ...(thrown === undefined ? [] : [`The invariant threw ${textOfError(thrown)}`]),
  ].join('\n')
}

/** A report as JSON: counts and every bigint as decimal strings, errors as name and message. */
export function reportToJson(report: Report): string {
  const replaced = (_: string, value: unknown) => {
    if (typeof value === 'bigint') return value.toString()
    if (value instanceof Error) return { name: value.name, message: value.message }
    return value
  }
  try {
    return JSON.stringify(report, replaced)
  } catch {
    // A cycle in what a port was given, say: the counts and the schedule are there all the same.
    return JSON.stringify(report, (name, value: unknown) =>
      VALUES.has(name) ? textsOf(value) : replaced(name, value),
    )
  }
}

function textOfStep({ call, args, fault, isCopy, reply }: Step): string {
  const said = `${call}(${args.map(shown).join(', ')})`
  const came =
    reply === null ? '' : reply.ok ? arrow(reply.value) : ` threw ${textOfError(reply.value)}`
  const note = isCopy ? 'late copy' : fault
  return said + came + (note === undefined ? '' : ` [${note}]`)
}

function arrow(value: unknown): string {
  return value === undefined ? '' : ` -> ${shown(value)}`
}

/** Fields that hold what a program made. */
const VALUES: ReadonlySet<string> = new Set(['args', 'value', 'error', 'thrown'])

function textsOf(value: unknown): unknown {
  return Array.isArray(value) ? value.map(textOfValue) : textOfValue(value)
}

const SHOWN_MAX = 40

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : textOfValue(value)
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX - 1)}…` : text
}

function textOfValue(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'function'
  if (typeof value === 'symbol') return String(value)
  if (value === undefined) return 'undefined'
  try {
    const replaced = (_: string, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)
    const text = JSON.stringify(value, replaced) as string | undefined
    return text ?? 'undefined'
  } catch {
    return Object.prototype.toString.call(value)
  }
}

function textOfError(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : shown(error)
}

function columnOf({ task }: Step): number {
  return task.charCodeAt(0) - 65
}

function letter(task: number): string {
  return String.fromCharCode(65 + task)
}

function count(value: bigint): string {
  return value.toLocaleString('en-US')
}
