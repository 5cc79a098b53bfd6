import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check, type CheckProgress } from '../src/ledger/check.ts'
import type { Difference } from '../src/ledger/check-codes.ts'
import type { Book, Command, Leg } from '../src/ledger/command.ts'
import type { Entry, Movement } from '../src/ledger/movement.ts'
import type { Store } from '../src/ledger/store.ts'
import { MemoryStore } from '../src/stores/memory/memory-store.ts'
import { PostgresStore } from '../src/stores/postgres/postgres-store.ts'
import { ManualClock } from './support/clock.ts'
import { COIN, EUR, leg, NEVER, open, transfer } from './support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from './support/postgres.ts'

const EUROS = ['a', 'b', 'c', 'd']
const COINS = ['e', 'f', 'g']
const OPENED: readonly Command[] = [
  open('world', null),
  open('mint', null, COIN),
  ...EUROS.map(id => open(id)),
  ...COINS.map(id => open(id, -50n, COIN)),
  transfer(
    'euros',
    EUROS.map(id => leg('world', id, 5_000n)),
  ),
  transfer(
    'coins',
    COINS.map(id => leg('mint', id, 1_000n, { asset: COIN })),
  ),
]

const key = fc.integer({ min: 0, max: 60 }).map(number => `key-${number}`)

/** Null every other time. */
function orNot<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> {
  return fc.option(arbitrary, { freq: 2 })
}

function legOf(asset: string, names: readonly string[]): fc.Arbitrary<Leg> {
  return fc
    .tuple(
      fc.shuffledSubarray([...names], { minLength: 2 }),
      fc.bigInt({ min: 1n, max: 60n }),
      fc.boolean(),
    )
    .map(([[to = '', ...from], amount, elastic]) => ({
      from,
      to,
      asset,
      amount,
      ...(elastic && { atLeast: 1n }),
    }))
}

const funding = fc.constantFrom(...EUROS).map(id => leg('world', id, 100n))
const legs = fc.array(fc.oneof(legOf(EUR, EUROS), legOf(COIN, COINS), funding), {
  minLength: 1,
  maxLength: 3,
})
const amounts = orNot(fc.array(fc.bigInt({ min: 0n, max: 20n }), { minLength: 1, maxLength: 2 }))
const expiry = orNot(fc.constantFrom(1, 60_000))

/** Any command; a good part of them is refused, as it should be. */
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(key, legs).map(([name, of]): Command => ({ do: 'transfer', key: name, legs: of })),
  fc.tuple(key, legs, expiry, orNot(key)).map(([name, of, expiresInMs, replaces]): Command => ({
    do: 'hold',
    key: name,
    legs: of,
    ...(expiresInMs !== null && { expiresInMs }),
    ...(replaces !== null && { replaces }),
  })),
  fc.tuple(key, amounts).map(([hold, asked]): Command => ({
    do: 'settle',
    hold,
    ...(asked !== null && { amounts: asked }),
  })),
  key.map((hold): Command => ({ do: 'release', hold })),
  fc.tuple(key, key, amounts, fc.boolean()).map(([name, of, asked, owing]): Command => ({
    do: 'reverse',
    key: name,
    of,
    ...(asked !== null && { amounts: asked }),
    ...(owing && { mayOwe: true }),
  })),
)
const lists = fc.array(fc.array(command, { minLength: 1, maxLength: 30 }), {
  minLength: 5,
  maxLength: 40,
})

async function all(differences: AsyncIterable<Difference>): Promise<Difference[]> {
  const found: Difference[] = []
  for await (const each of differences) found.push(each)
  return found
}

async function send(store: Store, book: Book, list: readonly Command[]): Promise<Movement[]> {
  const outcomes = await store.apply(book, list, NEVER)
  return outcomes.flatMap(each => (each.ok && !each.replayed ? (each.movement ?? []) : []))
}

const ALL_KINDS = new Set([
  ...['transfer', 'hold', 'settle', 'release', 'reverse'],
  ...['hold that expires', 'hold that replaces', 'settle in part', 'reverse in part'],
  ...['reverse that may owe'],
])

function addKinds(kinds: Set<string>, { kind, expiresInMs, replaces, amounts, mayOwe }: Movement) {
  kinds.add(kind)
  if (expiresInMs !== null) kinds.add(`${kind} that expires`)
  if (replaces !== null) kinds.add(`${kind} that replaces`)
  if (amounts !== null) kinds.add(`${kind} in part`)
  if (mayOwe) kinds.add(`${kind} that may owe`)
}

/** All entries of a book, read in small pages, against those of its accounts, one by one. */
async function comparePages(store: Store, book: Book): Promise<void> {
  const paged: Entry[] = []
  let page: Entry[]
  do {
    page = await store.allEntries(book, paged.at(-1) ?? null, 7)
    paged.push(...page)
  } while (page.length === 7)
  const versions = new Map<string, bigint>()
  for (const { account, version } of paged) {
    expect(version).toBe((versions.get(account) ?? 0n) + 1n)
    versions.set(account, version)
  }
  expect([...versions.keys()]).toEqual([...versions.keys()].sort())
  const accounts = await store.accounts(book, { limit: 1_000 })
  const used = accounts.filter(({ version }) => version > 0n)
  expect(versions).toEqual(new Map(used.map(({ id, version }) => [id, version])))
  expect(versions.get('world')).toBeGreaterThan(10n)
}

describe('check on what random commands have left', () => {
  it('finds nothing in memory', async () => {
    const kinds = new Set<string>()
    await fc.assert(
      fc.asyncProperty(lists, async sent => {
        const clock = new ManualClock()
        const store = new MemoryStore(clock)
        await send(store, 'book', OPENED)
        for (const list of sent) {
          for (const each of await send(store, 'book', list)) addKinds(kinds, each)
          clock.pass(1)
        }
        expect(await all(check(store, 'book'))).toEqual([])
      }),
      { numRuns: 60, seed: 7 },
    )
    expect(kinds).toEqual(ALL_KINDS)
  })
})

describe('check on Postgres', () => {
  let postgres: PostgresDatabase
  let store: PostgresStore
  beforeAll(async () => {
    postgres = await migratedDatabase()
    store = new PostgresStore(postgres.database)
  })
  afterAll(() => postgres.close())

  it('finds nothing after random commands, and says how far it has come', async () => {
    const kinds = new Set<string>()
    await send(store, 'random', OPENED)
    let movements = 2
    const commands = fc.sample(command, { numRuns: 6_000, seed: 11 })
    for (let sent = 0; sent < commands.length; sent += 40) {
      const list = commands.slice(sent, sent + 40).map(afresh(sent / 120))
      const moved = await send(store, 'random', list)
      movements += moved.length + moved.filter(({ replaces }) => replaces !== null).length
      for (const each of moved) addKinds(kinds, each)
    }
    const told: CheckProgress[] = []
    expect(await all(check(store, 'random', each => told.push(each)))).toEqual([])
    expect(kinds).toEqual(ALL_KINDS)
    expect(movements).toBeGreaterThan(1_000)
    expect(told.filter(({ reading }) => reading === 'movements').at(-1)?.count).toBe(movements)
    expect(told.filter(({ reading }) => reading === 'accounts').at(-1)?.count).toBe(9)
  })

  it('reads all entries of a book in pages, by account and version', async () => {
    const memory = new MemoryStore()
    for (const each of [memory, store]) {
      await send(each, 'paged', OPENED)
      for (const list of fc.sample(lists, { numRuns: 1, seed: 3 }).flat())
        await send(each, 'paged', list)
      await comparePages(each, 'paged')
    }
    const all = [null, 1_000] as const
    expect(await store.allEntries('paged', ...all)).toHaveLength(
      (await memory.allEntries('paged', ...all)).length,
    )
  })

  /** So many movements are to be written in between, however fast a check is. */
  const ENOUGH = 100
  const CHECKS_MAX = 1_000

  it('finds nothing while others write', async () => {
    await send(store, 'busy', OPENED)
    let writing = true
    let written = 0
    const writer = async (number: number) => {
      for (let list = 0; writing; list += 1) {
        const commands = fc.sample(command, { numRuns: 50, seed: number * 1_000 + list })
        const fresh = open(`new-${number}-${list}`)
        const moved = await send(store, 'busy', [
          fresh,
          { do: 'transfer', key: `new-${number}-${list}`, legs: [leg('world', fresh.account, 1n)] },
          ...commands.map(afresh(number * 1_000 + list / 3)),
        ]).catch(() => [])
        written += moved.length
      }
    }
    const writers = [1, 2].map(writer)
    try {
      for (let round = 0; round < CHECKS_MAX && (round < 4 || written <= ENOUGH); round += 1)
        expect(await all(check(store, 'busy'))).toEqual([])
    } finally {
      writing = false
    }
    await Promise.all(writers)
    expect(written).toBeGreaterThan(ENOUGH)
    expect(await all(check(store, 'busy'))).toEqual([])
  })
})

/** Renames the keys from time to time, so that they are not soon all used. */
function afresh(number: number): (command: Command) => Command {
  const suffix = `-${Math.floor(number)}`
  return each => {
    const renamed: Record<string, unknown> = { ...each }
    for (const field of ['key', 'hold', 'of', 'replaces'])
      if (typeof renamed[field] === 'string') renamed[field] += suffix
    return renamed as unknown as Command
  }
}
