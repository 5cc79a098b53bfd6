import {
  decodeCommand,
  isName,
  MalformedCommand,
  NAME_RULE,
  type AccountId,
  type Book,
} from 'holdfast'
import type { Command, Movement, Outcome } from 'holdfast'
import { BadInput } from './bad-input.ts'
import { parseJson } from './input-file.ts'

/** One line of a file of command lists. */
export interface CommandList {
  readonly book: Book
  readonly commands: readonly Command[]
}

/**
 * Reads a file of command lists whole, `{"book": …, "commands": […]}` a line; a line without a book
 * goes to `defaultBook`. Throws {@link BadInput} that names every bad line. A command that is only
 * ill-formed (a negative amount) is left to the ledger, which refuses it.
 */
export function readLists(file: string, text: string, defaultBook: Book): CommandList[] {
  const lists: CommandList[] = []
  const problems: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      lists.push(readList(line, defaultBook))
    } catch (error) {
      if (!(error instanceof BadInput)) throw error
      problems.push(`${file} line ${index + 1}: ${error.message}`)
    }
  }
  if (problems.length > 0) throw new BadInput(problems)
  return lists
}

function readList(line: string, defaultBook: Book): CommandList {
  const fields = parse(line)
  const unknown = Object.keys(fields).find(field => field !== 'book' && field !== 'commands')
  if (unknown !== undefined) throw new BadInput(`${unknown}: no field of a command list`)
  const { book = defaultBook, commands } = fields
  if (!isName(book)) throw new BadInput(`book: ${NAME_RULE}`)
  if (!Array.isArray(commands)) throw new BadInput('commands: a list of commands')
  return { book, commands: commands.map(readCommand) }
}

function parse(line: string): { readonly book?: unknown; readonly commands?: unknown } {
  const json = parseJson(line)
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new BadInput('a command list is a JSON object')
  return json
}

function readCommand(json: unknown, index: number): Command {
  try {
    return decodeCommand(json)
  } catch (error) {
    if (error instanceof MalformedCommand)
      throw new BadInput(`commands[${index}]: ${error.message}`)
    throw error
  }
}

/** The accounts that commands name or that their movements touched, each once, by id. */
export function accountsOf(
  commands: readonly Command[],
  outcomes: readonly Outcome[],
): AccountId[] {
  const movements = outcomes.flatMap(outcome => (outcome.ok ? (outcome.movement ?? []) : []))
  const named = [...commands.flatMap(namedBy), ...movements.flatMap(touchedBy)]
  return [...new Set(named.filter(isName))].sort()
}

/** What stands where an account should: the shape of the command has not been checked. */
function namedBy(command: Command): unknown[] {
  if (command.do === 'open' || command.do === 'close') return [command.account]
  if (command.do !== 'transfer' && command.do !== 'hold') return []
  const legs: unknown = command.legs
  if (!Array.isArray(legs)) return []
  return legs.flatMap((leg: { from?: unknown; to?: unknown } | null) => [leg?.from, leg?.to].flat())
}

function touchedBy({ legs }: Movement): AccountId[] {
  return legs.flatMap(({ from, to }) => [...from, to])
}
