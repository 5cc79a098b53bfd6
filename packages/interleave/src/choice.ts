import { FAULTS, HOW, type Fault, type How } from './faults.ts'
import { known } from './known.ts'

/**
 * One decision of a schedule, in one number, since millions of them are made: which task goes on,
 * by which of the calls that it waits for, and what goes wrong with that call.
 */
export type Choice = number

export const TASKS_MAX = 26
/** So many calls can one task wait for at once. */
export const WAITING_MAX = 4_096

export function choiceOf(task: number, position: number, how: How): Choice {
  return task * 65_536 + position * 16 + how
}

export function taskOf(choice: Choice): number {
  return choice >>> 16
}

export function positionOf(choice: Choice): number {
  return (choice >>> 4) & (WAITING_MAX - 1)
}

export function howOf(choice: Choice): How {
  return (choice & 15) as How
}

export function letterOf(task: number): string {
  return String.fromCharCode(65 + task)
}

const MARKS: ReadonlyMap<How, string> = new Map(
  Object.values(FAULTS).map(({ how, mark }) => [how, mark]),
)
const HOW_OF_MARK: ReadonlyMap<string, How> = new Map(
  Object.values(FAULTS).map(({ how, mark }) => [mark, how]),
)
const NAMES: ReadonlyMap<How, Fault> = new Map(
  (Object.keys(FAULTS) as Fault[]).map(fault => [FAULTS[fault].how, fault]),
)

/** What went wrong with a step; undefined when nothing did. */
export function faultOf(choice: Choice): Fault | undefined {
  return NAMES.get(howOf(choice))
}

/**
 * A schedule as text: a letter a step. `A` is the first call that task A waits for, `A2` the second;
 * `a` the late copy of a step of A that was delivered twice; a mark behind it is a fault.
 */
export function scheduleOf(choices: readonly Choice[]): string {
  return choices.map(textOfChoice).join('')
}

function textOfChoice(choice: Choice): string {
  const letter = letterOf(taskOf(choice))
  const position = positionOf(choice) === 0 ? '' : String(positionOf(choice) + 1)
  if (howOf(choice) === HOW.copy) return letter.toLowerCase() + position
  return letter + position + (MARKS.get(howOf(choice)) ?? '')
}

/** Reads a schedule; throws a `SyntaxError` that names the place where it is none. */
export function parseSchedule(schedule: string): Choice[] {
  const choices: Choice[] = []
  const step = /([A-Za-z])([1-9]\d{0,3})?([~<>+-])?/y
  while (step.lastIndex < schedule.length) {
    const at = step.lastIndex
    const [found, letter = '', position = '1', mark = ''] = step.exec(schedule) ?? []
    const isCopy = letter >= 'a'
    if (found === undefined || (isCopy && mark !== '') || Number(position) > WAITING_MAX) {
      throw new SyntaxError(
        `schedule: ${JSON.stringify(schedule)} is none from character ${at + 1}`,
      )
    }
    const how = isCopy ? HOW.copy : (HOW_OF_MARK.get(mark) ?? HOW.plain)
    choices.push(choiceOf(letter.toUpperCase().charCodeAt(0) - 65, Number(position) - 1, how))
  }
  return choices
}

/** How often a schedule turns from one task to another. */
export function switchesOf(choices: readonly Choice[]): number {
  let switches = 0
  for (let at = 1; at < choices.length; at += 1) {
    if (taskOf(known(choices[at])) !== taskOf(known(choices[at - 1]))) switches += 1
  }
  return switches
}
