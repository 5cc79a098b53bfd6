import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { named, UnguardedDatabase, type Damage, type Forgery } from './check-book.ts'
import { COIN, leg } from './support/commands.ts'

const TAKEN = leg('dora', 'mint', 8n, { asset: COIN })
const BUY = leg(['credit', 'alice'], 'bob', 100n)
const OPEN = leg('bob', 'carol', 25n)

function forge(forgery: Omit<Forgery, 'key'> & { key?: string }): Forgery {
  return { key: 'forged', ...forgery }
}

const FORGERIES: readonly Damage[] = [
  {
    what: 'a transfer of more than there is',
    forgery: forge({
      kind: 'transfer',
      leg: TAKEN,
      moved: [8],
      lines: [
        ['dora', -8, 0],
        ['mint', 8, 0],
      ],
    }),
    finds: ['FLOOR_CROSSED dora v2 forged 0 -> -1'],
  },
  {
    what: 'a transfer of more than there is that says mayOwe, as only a reversal can',
    forgery: forge({
      kind: 'transfer',
      leg: TAKEN,
      moved: [8],
      mayOwe: true,
      lines: [
        ['dora', -8, 0],
        ['mint', 8, 0],
      ],
    }),
    finds: ['FLOOR_CROSSED dora v2 forged 0 -> -1'],
  },
  {
    what: 'a hold of more than there is',
    forgery: forge({ kind: 'hold', leg: TAKEN, moved: [8], lines: [['dora', 0, 8]] }),
    finds: ['FLOOR_CROSSED dora v2 forged 0 -> -1'],
  },
  {
    what: 'a transfer of more than its leg asks for',
    forgery: forge({
      kind: 'transfer',
      leg: leg('world', 'idle', 8n),
      moved: [9],
      lines: [
        ['world', -9, 0],
        ['idle', 9, 0],
      ],
    }),
    finds: ['MOVED_OUTSIDE_LEG forged 8 -> 9'],
  },
  {
    what: 'a hold of less than its leg asks for',
    forgery: forge({
      kind: 'hold',
      leg: leg('world', 'idle', 8n),
      moved: [7],
      lines: [['world', 0, 7]],
    }),
    finds: ['MOVED_OUTSIDE_LEG forged 8 -> 7'],
  },
  {
    what: 'a settle without a hold',
    forgery: forge({
      kind: 'settle',
      leg: leg('alice', 'bob', 10n),
      moved: [10],
      lines: [
        ['alice', -10, -10],
        ['bob', 10, 0],
      ],
    }),
    finds: ['HOLD_MISSING forged', 'HELD_DIFFERS_FROM_HOLDS alice v17 80 -> 70'],
  },
  {
    what: 'a settle of more than is held',
    forgery: forge({
      key: 'open',
      kind: 'settle',
      leg: OPEN,
      moved: [26],
      lines: [
        ['bob', -26, -25],
        ['carol', 26, 0],
      ],
    }),
    finds: ['END_DIFFERS_FROM_HOLD open 25 -> 26'],
  },
  {
    what: 'a settle that asks for more than is held',
    forgery: forge({
      key: 'open',
      kind: 'settle',
      leg: OPEN,
      moved: [25],
      amounts: [30],
      lines: [
        ['bob', -25, -25],
        ['carol', 25, 0],
      ],
    }),
    finds: ['END_DIFFERS_FROM_HOLD open 30 -> 25'],
  },
  {
    what: 'a reversal of more than earlier ones have left',
    forgery: forge({
      kind: 'reverse',
      of: 'buy',
      leg: BUY,
      moved: [30, 11],
      lines: [
        ['bob', -41, 0],
        ['alice', 11, 0],
        ['credit', 30, 0],
      ],
    }),
    finds: ['REVERSED_TOO_MUCH forged 40 -> 41'],
  },
  {
    what: 'a reversal that pays back the first source first',
    forgery: forge({
      kind: 'reverse',
      of: 'buy',
      leg: BUY,
      moved: [10, 0],
      amounts: [10],
      lines: [
        ['bob', -10, 0],
        ['credit', 10, 0],
      ],
    }),
    finds: ['REVERSAL_DIFFERS forged 0,10 -> 10,0'],
  },
  {
    what: 'a reversal of a hold that is open',
    forgery: forge({
      kind: 'reverse',
      of: 'new',
      leg: leg('alice', 'bob', 80n),
      moved: [1],
      amounts: [1],
      lines: [
        ['bob', -1, 0],
        ['alice', 1, 0],
      ],
    }),
    finds: ['ORIGINAL_MISSING forged new'],
  },
  {
    what: 'a reversal of a reversal',
    forgery: forge({
      kind: 'reverse',
      of: 'undo',
      leg: leg('alice', 'bob', 200n),
      moved: [1],
      amounts: [1],
      lines: [
        ['bob', -1, 0],
        ['alice', 1, 0],
      ],
    }),
    finds: ['ORIGINAL_MISSING forged undo'],
  },
]

describe('check sees through a movement that was forged with all that belongs to it:', () => {
  let database: UnguardedDatabase
  beforeAll(async () => {
    database = await UnguardedDatabase.open()
  })
  afterAll(() => database.close())

  it.each(named(FORGERIES))('%s', async (_, damage) => {
    expect(await database.findAfter(damage)).toEqual(damage.finds)
  })
})
