import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { differencesOf, named, UnguardedDatabase, type Damage } from './check-book.ts'

const ACCOUNTS: readonly Damage[] = [
  {
    what: 'posted of an account',
    sql: `update account set posted = posted + 1 where book = $1 and id = 'bob'`,
    finds: ['ACCOUNT_POSTED_DIFFERS bob v11 575 -> 576', 'BOOK_UNBALANCED EUR/2 0 -> 1'],
  },
  {
    what: 'held of an account',
    sql: `update account set held = 24 where book = $1 and id = 'bob'`,
    finds: ['ACCOUNT_HELD_DIFFERS bob v11 25 -> 24', 'HELD_DIFFERS_FROM_HOLDS bob v11 25 -> 24'],
  },
  {
    what: 'version of an account, lower',
    sql: `update account set version = 10 where book = $1 and id = 'bob'`,
    finds: [
      'ACCOUNT_POSTED_DIFFERS bob v10 570 -> 575',
      'ACCOUNT_VERSION_DIFFERS bob v11 11 -> 10',
    ],
  },
  {
    what: 'version of an account, higher',
    sql: `update account set version = 12 where book = $1 and id = 'bob'`,
    finds: ['ACCOUNT_VERSION_DIFFERS bob v11 11 -> 12'],
  },
  {
    what: 'posted of an account without entries',
    sql: `update account set posted = 3 where book = $1 and id = 'idle'`,
    finds: ['ACCOUNT_POSTED_DIFFERS idle v0 0 -> 3', 'BOOK_UNBALANCED EUR/2 0 -> 3'],
  },
  {
    what: 'asset of an account',
    sql: `update account set asset = 'USD/2' where book = $1 and id = 'bob'`,
    finds: [
      'ASSET_DIFFERS bob fund USD/2 -> EUR/2',
      'BOOK_UNBALANCED EUR/2 0 -> -575',
      'BOOK_UNBALANCED USD/2 0 -> 575',
    ],
  },
  {
    what: 'floor of an account',
    sql: `update account set floor = 10 where book = $1 and id = 'carol'`,
    finds: ['FLOOR_CROSSED carol v2 two 10 -> 0'],
  },
  {
    what: 'floor of an account, and a later entry',
    sql: `with changed as (
        update entry set held = 1 where book = $1 and account = 'carol' and version = 5)
      update account set floor = 10 where book = $1 and id = 'carol'`,
    finds: ['FLOOR_CROSSED carol v2 two 10 -> 0', 'ENTRY_HELD_DIFFERS carol v5 spend 0 -> 1'],
  },
  {
    what: 'floor of an account, and an earlier entry, which puts the floor in doubt',
    sql: `with changed as (
        update entry set held = 1 where book = $1 and account = 'carol' and version = 1)
      update account set floor = 10 where book = $1 and id = 'carol'`,
    finds: ['ENTRY_HELD_DIFFERS carol v1 tip 0 -> 1'],
  },
  {
    what: 'an account deleted',
    sql: `delete from account where book = $1 and id = 'carol'`,
    finds: ['ACCOUNT_MISSING carol tip', 'BOOK_UNBALANCED EUR/2 0 -> 3'],
  },
  {
    what: 'an account added, with money',
    sql: `insert into account (book, id, asset, posted, recorded)
      values ($1, 'thief', 'EUR/2', 5, now())`,
    finds: ['ACCOUNT_POSTED_DIFFERS thief v0 0 -> 5', 'BOOK_UNBALANCED EUR/2 0 -> 5'],
  },
]

const ENTRIES: readonly Damage[] = [
  {
    what: 'posted of an entry',
    sql: `update entry set posted = posted + 1 where book = $1 and account = 'bob' and version = 4`,
    finds: ['ENTRY_POSTED_DIFFERS bob v4 open 550 -> 551'],
  },
  {
    what: 'posted of the newest entry',
    sql: `update entry set posted = posted + 1 where book = $1 and account = 'bob' and version = 11`,
    finds: [
      'ACCOUNT_POSTED_DIFFERS bob v11 576 -> 575',
      'ENTRY_POSTED_DIFFERS bob v11 spend 575 -> 576',
    ],
  },
  {
    what: 'posted of the newest entry, and the account made to fit',
    sql: `with changed as (
        update entry set posted = posted + 1 where book = $1 and account = 'bob' and version = 11)
      update account set posted = posted + 1 where book = $1 and id = 'bob'`,
    finds: ['BOOK_UNBALANCED EUR/2 0 -> 1', 'ENTRY_POSTED_DIFFERS bob v11 spend 575 -> 576'],
  },
  {
    what: 'held of an entry',
    sql: `update entry set held = 20 where book = $1 and account = 'bob' and version = 5`,
    finds: ['ENTRY_HELD_DIFFERS bob v5 part 25 -> 20'],
  },
  {
    what: 'version of the newest entry',
    sql: `update entry set version = 21 where book = $1 and account = 'bob' and version = 11`,
    finds: ['ACCOUNT_VERSION_DIFFERS bob v21 21 -> 11', 'VERSION_GAP bob v11 spend 11 -> 21'],
  },
  {
    what: 'key of an entry, to one that does not exist',
    sql: `update entry set key = 'never' where book = $1 and account = 'bob' and version = 3`,
    finds: ['ENTRY_WITHOUT_MOVEMENT bob v3 never tip -> never'],
  },
  {
    what: 'key of an entry, to one of other accounts',
    sql: `update entry set key = 'coins' where book = $1 and account = 'bob' and version = 3`,
    finds: ['ENTRY_WITHOUT_MOVEMENT bob v3 coins tip -> coins'],
  },
  {
    what: 'key of an entry, to another one of the account',
    sql: `update entry set key = 'buy' where book = $1 and account = 'bob' and version = 3`,
    finds: ['MOVEMENT_WITHOUT_ENTRY bob v3 tip posted 550, held 0'],
  },
  {
    what: 'part of an entry',
    sql: `update entry set part = 0 where book = $1 and account = 'bob' and version = 5`,
    finds: ['ENTRY_WITHOUT_MOVEMENT bob v5 part the end of part -> part'],
  },
  {
    what: 'time of an entry',
    sql: `update entry set recorded = recorded + interval '1 hour'
      where book = $1 and account = 'bob' and version = 3`,
    finds: ['ENTRY_RECORDED_DIFFERS bob v3 tip later'],
  },
  {
    what: 'two entries swapped',
    sql: `update entry set key = case version when 8 then 'refund-2' else 'refund-1' end
      where book = $1 and account = 'bob' and version in (8, 9)`,
    finds: ['ENTRY_OUT_OF_ORDER bob v8 refund-1 refund-1 -> refund-2'],
  },
  {
    what: 'an entry deleted',
    sql: `delete from entry where book = $1 and account = 'bob' and version = 3`,
    finds: ['VERSION_GAP bob v3 tip 3 -> 4'],
  },
  {
    what: 'the newest entry deleted',
    sql: `delete from entry where book = $1 and account = 'bob' and version = 11`,
    finds: [
      'ACCOUNT_VERSION_DIFFERS bob v10 10 -> 11',
      'ENTRY_MISSING bob v11 spend posted 575, held 25',
    ],
  },
  {
    what: 'the only entry deleted',
    sql: `delete from entry where book = $1 and account = 'mint'`,
    finds: [
      'ACCOUNT_VERSION_DIFFERS mint v0 0 -> 1',
      'ENTRY_MISSING mint v1 coins posted -7, held 0',
    ],
  },
  {
    what: 'an entry added',
    sql: `insert into entry select book, account, 12, key, part, posted + 5, held, recorded
      from entry where book = $1 and account = 'bob' and version = 11`,
    finds: [
      'ACCOUNT_VERSION_DIFFERS bob v12 12 -> 11',
      'ENTRY_WITHOUT_MOVEMENT bob v12 spend none -> spend',
    ],
  },
  {
    what: 'an entry added, and the account made to fit',
    sql: `with added as (
        insert into entry select book, account, 12, key, part, posted + 5, held, recorded
        from entry where book = $1 and account = 'bob' and version = 11)
      update account set posted = posted + 5, version = 12 where book = $1 and id = 'bob'`,
    finds: ['BOOK_UNBALANCED EUR/2 0 -> 5', 'ENTRY_WITHOUT_MOVEMENT bob v12 spend none -> spend'],
  },
  {
    what: 'an entry added for an account that is not there',
    sql: `insert into entry select book, 'ghost', 1, key, part, 5, 0, recorded
      from entry where book = $1 and account = 'bob' and version = 1`,
    finds: ['ACCOUNT_MISSING ghost fund', 'ENTRY_WITHOUT_MOVEMENT ghost v1 fund none -> fund'],
  },
]

describe('check names what was done by hand', () => {
  let database: UnguardedDatabase
  beforeAll(async () => {
    database = await UnguardedDatabase.open()
  })
  afterAll(() => database.close())

  describe('to an account:', () => {
    it.each(named(ACCOUNTS))('%s', async (_, damage) => {
      expect(await database.findAfter(damage)).toEqual(damage.finds)
    })
  })

  describe('to an entry:', () => {
    it.each(named(ENTRIES))('%s', async (_, damage) => {
      expect(await database.findAfter(damage)).toEqual(damage.finds)
    })
  })

  it('and nothing in the other books', async () => {
    const book = await database.newBook()
    await database.findAfter({ what: '', sql: 'delete from entry where book = $1', finds: [] })
    expect(await differencesOf(database.store, book)).toEqual([])
  })
})
