import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hold, leg, open, settle, transfer } from '../../test/support/commands.ts'
import { RANDOM_SETTING, randomLists } from '../../test/support/random-commands.ts'
import type { AccountId, Key } from './command.ts'
import { decide } from './decide.ts'
import type { Changes, LedgerState } from './draft.ts'
import type { Account, Movement } from './movement.ts'

// What is decided is tested by the conformance suite; here stands that it is decided purely.

const AT = '2026-11-30T09:00:00.000Z'

/** A book that nobody can change. */
function frozen(...made: Changes[]): LedgerState {
  const accounts = new Map<AccountId, Account>()
  const movements: Movement[] = []
  for (const changes of made) {
    for (const [id, account] of changes.accounts) accounts.set(id, deepFrozen(account))
    movements.push(...[...changes.movements].map(deepFrozen))
  }
  return deepFrozen({
    book: 'book',
    account: (id: AccountId) => accounts.get(id),
    movement: (key: Key, part: 0 | 1) =>
      movements.find(each => each.key === key && each.part === part),
    reversals: (of: Key) => movements.filter(each => each.of === of),
  })
}

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFrozen)
  return Object.freeze(value)
}

const setting = () => decide(frozen(), RANDOM_SETTING, AT).changes

describe('decide', () => {
  it('changes neither the state nor the commands, and gives the same again', () => {
    fc.assert(
      fc.property(randomLists, ({ first, later }) => {
        const state = frozen(setting())
        const commands = deepFrozen([...first, ...later])
        const [one, two] = [decide(state, commands, AT), decide(state, commands, AT)]
        expect(two.outcomes).toStrictEqual(one.outcomes)
        expect([...two.changes.movements]).toStrictEqual([...one.changes.movements])
        expect(two.changes.entries).toStrictEqual(one.changes.entries)
      }),
      { numRuns: 100 },
    )
  })

  it('gives as changes what took effect, and nothing of what was refused', () => {
    const { outcomes, changes } = decide(
      frozen(setting()),
      [
        open('new'),
        transfer('t', leg('a', 'new', 5n)),
        transfer('refused', [leg('a', 'b', 1n), leg('a', 'b', 1_000n)]),
        hold('h', leg('new', 'a', 5n)),
        settle('h', 2n),
        settle('h', 3n),
      ],
      AT,
    )
    expect(outcomes.map(outcome => outcome.ok)).toStrictEqual([
      true,
      true,
      false,
      true,
      true,
      false,
    ])
    expect([...changes.movements].map(({ key, kind }) => [key, kind])).toStrictEqual([
      ['t', 'transfer'],
      ['h', 'hold'],
      ['h', 'settle'],
    ])
    expect([...changes.accounts.keys()].sort()).toStrictEqual(['a', 'new'])
    expect(
      changes.entries.map(({ account, version, posted, held }) => [account, version, posted, held]),
    ).toStrictEqual([
      ['a', 2n, 55n, 0n],
      ['new', 1n, 5n, 0n],
      ['new', 2n, 5n, 5n],
      ['new', 3n, 3n, 0n],
      ['a', 3n, 57n, 0n],
    ])
  })

  it('takes the time that it is given for the time of all it writes', () => {
    const { changes } = decide(frozen(setting()), [transfer('t', leg('a', 'b', 5n))], AT)
    const times = [...changes.movements, ...changes.entries].map(({ recorded }) => recorded)
    expect(times).toStrictEqual([AT, AT, AT])
  })
})
