import { startChild } from '#testing/child.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Command } from '../../src/ledger/command.ts'
import { decide } from '../../src/ledger/decide.ts'
import { Draft, type LedgerState } from '../../src/ledger/draft.ts'
import type { Movement } from '../../src/ledger/movement.ts'
import { bigintAsText, decodeCommand } from '../../src/ledger/wire.ts'
import { AMOUNT_MAX } from '../../src/money/amount.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { NEVER } from '../support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { RANDOM_SETTING } from '../support/random-commands.ts'
import { rounds } from '#testing/rounds.ts'
import { newBook } from '../support/subject.ts'

const SCRIPT = new URL('../support/history-process.ts', import.meta.url)
const PROCESSES = 4
const CALLERS = 5
const COMMANDS_EACH = 100
/** So many calls of a history must have moved money for it to prove anything. */
const WRITERS_MIN = 40

let server: PostgresDatabase
beforeAll(async () => {
  server = await migratedDatabase()
})
afterAll(() => server.close())

/** A command, what it was answered, and when it was sent and answered. */
interface Call {
  readonly command: Command
  /** As JSON, without what only the store's clock decides. */
  readonly answer: string
  /** The key and part of the movement that it wrote; null where it wrote none. */
  readonly wrote: string | null
  readonly start: bigint
  readonly end: bigint
}

it('every answer to several processes follows from one order that respects real time', async () => {
  for (let round = 0; round < rounds({ usual: 2, long: 30 }); round += 1) {
    const book = newBook()
    const store = new PostgresStore(server.database)
    await store.apply(book, RANDOM_SETTING, NEVER)
    const calls = await history(book, round)
    const { movements } = await store.feed(book, null, 1_000)
    explain(calls, movements)
  }
}, 600_000)

async function history(book: string, round: number): Promise<Call[]> {
  const children = Array.from({ length: PROCESSES }, (_, index) => {
    const seed = String(round * PROCESSES + index + 1)
    return startChild(SCRIPT, [server.url, book, seed, String(COMMANDS_EACH), String(CALLERS)])
  })
  await Promise.all(children.map(child => child.until(/ready\n/)))
  for (const child of children) child.process.stdin?.write('go\n')
  const endings = await Promise.all(children.map(child => child.ended))
  for (const ending of endings) expect(ending).toMatchObject({ code: 0, errors: '' })
  return endings.flatMap(({ output }) => output.trim().split('\n').slice(1).map(readCall))
}

function readCall(line: string): Call {
  const { command, outcome, start, end } = JSON.parse(line) as {
    command: unknown
    outcome: { ok: boolean; replayed?: boolean; movement?: Movement }
    start: string
    end: string
  }
  const { movement } = outcome
  const wrote = movement && outcome.replayed === false ? placeOf(movement) : null
  return {
    command: decodeCommand(command),
    answer: answerOf(outcome),
    wrote,
    start: BigInt(start),
    end: BigInt(end),
  }
}

function placeOf({ key, part }: Movement): string {
  return `${part} ${key}`
}

/** An outcome as text: without times and the name of the book, fields by name. */
function answerOf(outcome: unknown): string {
  return JSON.stringify(outcome, (name, value: unknown) => {
    if (name === 'recorded' || name === 'book') return undefined
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return bigintAsText(name, value)
    return Object.fromEntries(Object.entries(value).sort(([one], [two]) => (one < two ? -1 : 1)))
  })
}

/**
 * The order of the movements is the order of those calls that wrote one: each must be answered as
 * `decide` does it in that order, no call may stand before one that had been answered when it was
 * sent, and there must be a place among them, within its own time, for each of the other calls.
 */
function explain(calls: readonly Call[], movements: readonly Movement[]): void {
  const places = new Map(movements.map((movement, index) => [placeOf(movement), index]))
  const rank = ({ wrote }: Call) => places.get(wrote ?? '') ?? NaN
  const writers = calls.filter(call => call.wrote !== null).sort((a, b) => rank(a) - rank(b))
  const others = calls.filter(call => call.wrote === null)
  expect(writers.every(call => Number.isInteger(rank(call)))).toBe(true)
  expect(writers.length).toBeGreaterThan(WRITERS_MIN)

  for (const [index, call] of writers.entries())
    expect(writers.slice(index + 1).every(later => later.end > call.start)).toBe(true)
  const windows = others.map(call => ({
    call,
    from: 1 + writers.findLastIndex(writer => writer.end < call.start),
    to: indexOrEnd(writers, writer => writer.start > call.end),
    explained: false,
  }))

  const state = new Draft(EMPTY, NEVER, AMOUNT_MAX)
  merge(state, RANDOM_SETTING)
  for (let place = 0; place <= writers.length; place += 1) {
    for (const window of windows)
      if (!window.explained && window.from <= place && place <= window.to)
        window.explained = answer(state, window.call.command) === window.call.answer
    const writer = writers[place]
    if (writer) expect(merge(state, [writer.command])).toBe(writer.answer)
  }
  expect(windows.filter(each => !each.explained).map(each => each.call)).toStrictEqual([])
}

function indexOrEnd(calls: readonly Call[], is: (call: Call) => boolean): number {
  const index = calls.findIndex(is)
  return index < 0 ? calls.length : index
}

const EMPTY: LedgerState = {
  book: 'model',
  account: () => undefined,
  movement: () => undefined,
  reversals: () => [],
}

function answer(state: LedgerState, command: Command): string {
  return answerOf(decide(state, [command], NEVER).outcomes[0])
}

/** Carries commands out on the model; gives the last answer. */
function merge(state: Draft, commands: readonly Command[]): string {
  const { outcomes, changes } = decide(state, commands, NEVER)
  for (const [id, account] of changes.accounts) state.accounts.set(id, account)
  for (const movement of changes.movements) state.add(movement)
  return answerOf(outcomes.at(-1))
}
