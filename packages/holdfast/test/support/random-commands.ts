import fc from 'fast-check'
import type { Command, Leg } from '../../src/ledger/command.ts'
import { COIN, EUR, MAX } from './commands.ts'

/** One of `usual`, and now and then one of `odd`: few names, so that commands meet each other. */
function mostly<T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...usual) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  )
}

/** Absent twice as often as there. */
function option<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: arbitrary },
  )
}

const accounts = mostly(['world', 'a', 'b', 'c'], ['coin', 'none'])
const assets = mostly([EUR], [COIN, 'EUR/3', 'eur'])
const [holds, transfers, reversals] = [
  ['h1', 'h2', "h'3\\"],
  ['in', 't1', 't2'],
  ['r1', 'r2', 'r3'],
]
const holdKeys = mostly(holds, [...transfers, ...reversals])
const transferKeys = mostly(transfers, [...holds, ...reversals])
const reversalKeys = mostly(reversals, [...holds, ...transfers])
const originals = mostly([...holds, ...transfers], reversals)

/** The limit of a store whose numbers are doubles. */
const SAFE = BigInt(Number.MAX_SAFE_INTEGER)

const amounts = fc.oneof(
  { weight: 30, arbitrary: fc.bigInt(1n, 12n) },
  { weight: 3, arbitrary: fc.constantFrom(50n, 100n) },
  { weight: 3, arbitrary: fc.constantFrom(MAX, MAX - 1n, MAX - 5n, MAX / 2n, MAX / 2n + 1n) },
  { weight: 3, arbitrary: fc.constantFrom(SAFE, SAFE - 1n, SAFE - 5n, SAFE / 2n, SAFE / 2n + 1n) },
  { weight: 1, arbitrary: fc.constantFrom(0n, -1n, SAFE + 1n, MAX + 1n) },
)
const floors = mostly([null, 0n, -5n], [3n, MAX, -MAX, SAFE, -SAFE])
const parts = fc.oneof(
  { weight: 9, arbitrary: fc.bigInt(0n, 4n) },
  { weight: 1, arbitrary: amounts },
)
const askedAmounts = fc.oneof(
  { weight: 3, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: parts.map(part => [part]) },
  { weight: 1, arbitrary: fc.array(parts, { minLength: 2, maxLength: 3 }) },
)

const legs: fc.Arbitrary<Leg> = fc
  .record({
    from: fc.oneof(
      { weight: 10, arbitrary: accounts },
      { weight: 5, arbitrary: fc.uniqueArray(accounts, { minLength: 1, maxLength: 3 }) },
      { weight: 1, arbitrary: fc.array(accounts, { maxLength: 2 }) },
    ),
    to: accounts,
    asset: assets,
    amount: amounts,
    least: option(mostly([1n, 2n, 3n], [0n, 4n])),
    /** Whether the leg may stay as it is where it goes from an account to itself. */
    toItself: fc.integer({ min: 0, max: 20 }).map(drawn => drawn === 0),
  })
  .map(({ least, toItself, ...leg }) => {
    const sources = [leg.from].flat()
    const others = ['a', 'b', 'c', 'world'].filter(account => !sources.includes(account))
    const to = toItself || !sources.includes(leg.to) ? leg.to : (others[0] ?? leg.to)
    const command = { ...leg, to }
    return least === undefined ? command : { ...command, atLeast: least }
  })

const manyLegs = fc.oneof(
  { weight: 6, arbitrary: legs.map(leg => [leg]) },
  { weight: 4, arbitrary: fc.array(legs, { minLength: 2, maxLength: 3 }) },
)

/** Drops the fields that were drawn as absent. */
function present(command: object): Command {
  const fields = Object.entries(command).filter(([, value]) => value !== undefined)
  return Object.fromEntries(fields) as unknown as Command
}

const open = fc.record({
  do: fc.constant('open'),
  account: accounts,
  asset: assets,
  floor: floors,
})
const close = fc.record({ do: fc.constant('close'), account: mostly(['c', 'none'], ['a', 'b']) })
const transfer = fc.record({
  do: fc.constant('transfer'),
  key: transferKeys,
  legs: manyLegs,
  effective: option(mostly(['2026-11-01T00:00:00Z', '2026-11-01T01:00:00+01:00'], ['now'])),
  meta: option(fc.constantFrom({ note: 'x' }, { note: 'y' })),
})
const settle = fc.record({ do: fc.constant('settle'), hold: holdKeys, amounts: askedAmounts })
const release = fc.record({
  do: fc.constant('release'),
  hold: holdKeys,
  ifExpired: option(fc.constant(true)),
  reason: option(fc.constant('why')),
})
const reverse = fc.record({
  do: fc.constant('reverse'),
  key: reversalKeys,
  of: originals,
  amounts: askedAmounts,
  mayOwe: option(fc.constant(true)),
})

/** Any command; holds expire after one of `expiries`, or never. */
function commands(expiries: readonly number[]): fc.Arbitrary<Command> {
  const hold = fc.record({
    do: fc.constant('hold'),
    key: holdKeys,
    legs: manyLegs,
    expiresInMs: option(fc.constantFrom(...expiries)),
    replaces: option(holdKeys),
    meta: option(fc.constant({ note: 'h' })),
  })
  return fc
    .oneof(
      { weight: 2, arbitrary: open },
      { weight: 1, arbitrary: close },
      { weight: 8, arbitrary: transfer },
      { weight: 8, arbitrary: hold },
      { weight: 6, arbitrary: settle },
      { weight: 4, arbitrary: release },
      { weight: 7, arbitrary: reverse },
    )
    .map(present)
}

/**
 * Commands that move money or are refused, of holds that never expire. Each kind has so many keys,
 * enough that most commands are the first under theirs.
 */
export function movingCommands(keys: number): fc.Arbitrary<Command> {
  const one = (prefix: string) => fc.nat({ max: keys - 1 }).map(n => `${prefix}${n}`)
  const [hold, moved, back] = [one('h'), one('t'), one('r')]
  const of = fc.oneof(hold, moved)
  return fc
    .oneof(
      {
        weight: 8,
        arbitrary: fc.record({ do: fc.constant('transfer'), key: moved, legs: manyLegs }),
      },
      {
        weight: 8,
        arbitrary: fc.record({
          do: fc.constant('hold'),
          key: hold,
          legs: manyLegs,
          replaces: option(hold),
        }),
      },
      {
        weight: 6,
        arbitrary: fc.record({ do: fc.constant('settle'), hold, amounts: askedAmounts }),
      },
      { weight: 4, arbitrary: fc.record({ do: fc.constant('release'), hold }) },
      {
        weight: 7,
        arbitrary: fc.record({
          do: fc.constant('reverse'),
          key: back,
          of,
          amounts: askedAmounts,
          mayOwe: option(fc.constant(true)),
        }),
      },
    )
    .map(present)
}

const LONG_MS = 3_600_000
/** A hold that lives so long has expired when {@link RandomLists.later} is sent. */
export const FLEETING_MS = 2

export interface RandomLists {
  /** Sent in one list: at one instant, so that no hold expires between its commands. */
  readonly first: readonly Command[]
  /** Sent after the fleeting holds of `first` have expired. */
  readonly later: readonly Command[]
  /** How `later` may also be cut into lists: the lengths, over and over. */
  readonly cuts: readonly number[]
}

/** Commands, some of which are sent once more later on. */
function repeating(
  expiries: readonly number[],
  maxLength: number,
): fc.Arbitrary<readonly Command[]> {
  const step = fc.record({ command: commands(expiries), back: option(fc.nat({ max: 12 })) })
  return fc.array(step, { maxLength, size: 'max' }).map(steps => {
    const list: Command[] = []
    for (const { command, back } of steps) {
      const earlier = back === undefined ? undefined : list.at(-1 - back)
      list.push(earlier ?? command)
    }
    return list
  })
}

/** Command lists on one small book, which collide as often as they can. */
export const randomLists: fc.Arbitrary<RandomLists> = fc.record({
  first: repeating([FLEETING_MS, LONG_MS], 40),
  later: repeating([LONG_MS], 40),
  cuts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 }),
})

/** What every random book begins with. */
export const RANDOM_SETTING: readonly Command[] = [
  { do: 'open', account: 'world', asset: EUR, floor: null },
  { do: 'open', account: 'a', asset: EUR, floor: 0n },
  { do: 'open', account: 'b', asset: EUR, floor: -5n },
  { do: 'open', account: 'c', asset: EUR, floor: 0n },
  { do: 'open', account: 'coin', asset: COIN, floor: null },
  {
    do: 'transfer',
    key: 'in',
    legs: [
      { from: 'world', to: 'a', asset: EUR, amount: 60n },
      { from: 'world', to: 'b', asset: EUR, amount: 20n },
    ],
  },
]

/** Cuts commands into lists. */
export function cut(commands: readonly Command[], lengths: readonly number[]): Command[][] {
  const lists: Command[][] = []
  for (let at = 0, list = 0; at < commands.length; list += 1) {
    const length = lengths[list % lengths.length] ?? 1
    lists.push(commands.slice(at, at + length))
    at += length
  }
  return lists
}
