import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { named, UnguardedDatabase, type Damage } from './check-book.ts'

/** All columns of a movement but its key and its number in the feed. */
const COPY = `part, kind, legs, moved, of, replaces, amounts, expires_in_ms, effective, may_owe,
  meta, reason, recorded`

const MOVEMENTS: readonly Damage[] = [
  {
    what: 'a transfer deleted',
    sql: `delete from movement where book = $1 and key = 'tip'`,
    finds: [
      'ENTRY_WITHOUT_MOVEMENT bob v3 tip open -> tip',
      'ENTRY_WITHOUT_MOVEMENT carol v1 tip two -> tip',
    ],
  },
  {
    what: 'an open hold deleted',
    sql: `delete from movement where book = $1 and key = 'open'`,
    finds: [
      'HELD_DIFFERS_FROM_HOLDS bob v11 0 -> 25',
      'ENTRY_WITHOUT_MOVEMENT bob v4 open the end of part -> open',
    ],
  },
  {
    what: 'a settled hold deleted, its end not',
    sql: `delete from movement where book = $1 and key = 'part' and part = 0`,
    finds: ['HOLD_MISSING part', 'ENTRY_WITHOUT_MOVEMENT alice v3 part back -> part'],
  },
  {
    what: 'a settle deleted',
    sql: `delete from movement where book = $1 and key = 'part' and part = 1`,
    finds: [
      'ORIGINAL_MISSING undo part',
      'HELD_DIFFERS_FROM_HOLDS alice v16 280 -> 80',
      'ENTRY_WITHOUT_MOVEMENT alice v6 part the end of back -> the end of part',
      'ENTRY_WITHOUT_MOVEMENT bob v5 part two -> the end of part',
    ],
  },
  {
    what: 'the release of a replaced hold deleted',
    sql: `delete from movement where book = $1 and key = 'old' and part = 1`,
    finds: [
      'REPLACED_HOLD_NOT_RELEASED new old',
      'HELD_DIFFERS_FROM_HOLDS alice v16 140 -> 80',
      'ENTRY_WITHOUT_MOVEMENT alice v8 old new -> the end of old',
    ],
  },
  {
    what: 'a hold made to replace one that was released at another time',
    sql: `update movement set replaces = 'back' where book = $1 and key = 'open'`,
    finds: ['REPLACED_HOLD_NOT_RELEASED open back'],
  },
  {
    what: 'a hold made to replace one that was settled',
    sql: `update movement set replaces = 'part' where book = $1 and key = 'two' and part = 0`,
    finds: ['REPLACED_HOLD_NOT_RELEASED two part'],
  },
  {
    what: 'a movement doubled under another key',
    sql: `insert into movement (book, key, ${COPY}, seq, transaction)
      select book, 'again', ${COPY}, nextval('movement_seq'), transaction
      from movement where book = $1 and key = 'tip'`,
    finds: [
      'RECORDED_BACKWARDS bob v12 again earlier',
      'RECORDED_BACKWARDS carol v8 again earlier',
      'MOVEMENT_WITHOUT_ENTRY bob v12 again posted 525, held 25',
      'MOVEMENT_WITHOUT_ENTRY carol v8 again posted 47, held 0',
    ],
  },
  {
    what: 'a movement doubled before all others',
    sql: `insert into movement (book, key, ${COPY}, seq, transaction)
      select book, 'again', ${COPY}, seq - 1, transaction
      from movement where book = $1 and key = 'fund'`,
    finds: [
      'MOVEMENT_WITHOUT_ENTRY world v1 again posted -1000, held 0',
      'MOVEMENT_WITHOUT_ENTRY alice v1 again posted 1000, held 0',
      'MOVEMENT_WITHOUT_ENTRY bob v1 again posted 500, held 0',
    ],
  },
  {
    what: 'moved of a transfer',
    sql: `update movement set moved = '{31,70}' where book = $1 and key = 'buy'`,
    finds: [
      'MOVED_OUTSIDE_LEG buy 100 -> 101',
      'ENTRY_POSTED_DIFFERS credit v2 buy -1 -> 0',
      'ENTRY_POSTED_DIFFERS bob v2 buy 601 -> 600',
    ],
  },
  {
    what: 'moved of an elastic leg, within its bounds',
    sql: `update movement set moved = '{40}' where book = $1 and key = 'tip'`,
    finds: [
      'ENTRY_POSTED_DIFFERS bob v3 tip 560 -> 550',
      'ENTRY_POSTED_DIFFERS carol v1 tip 40 -> 50',
    ],
  },
  {
    what: 'moved of a settle',
    sql: `update movement set moved = '{140}' where book = $1 and key = 'part' and part = 1`,
    finds: [
      'END_DIFFERS_FROM_HOLD part 150 -> 140',
      'ENTRY_POSTED_DIFFERS alice v6 part 790 -> 780',
      'ENTRY_POSTED_DIFFERS bob v5 part 690 -> 700',
    ],
  },
  {
    what: 'moved of a release',
    sql: `update movement set moved = '{30}' where book = $1 and key = 'back' and part = 1`,
    finds: ['END_DIFFERS_FROM_HOLD back 40 -> 30'],
  },
  {
    what: 'moved of a reversal, from another source',
    sql: `update movement set moved = '{10,30}' where book = $1 and key = 'refund-1'`,
    finds: [
      'REVERSAL_DIFFERS refund-1 0,40 -> 10,30',
      'ENTRY_POSTED_DIFFERS alice v11 refund-1 880 -> 890',
      'MOVEMENT_WITHOUT_ENTRY credit v3 refund-1 posted 10, held 0',
    ],
  },
  {
    what: 'moved, to less than nothing',
    sql: `update movement set moved = '{-50}' where book = $1 and key = 'tip'`,
    finds: [
      'MOVEMENT_MALFORMED tip -> bob to carol 10-50 EUR/2, moved -50',
      'ENTRY_POSTED_DIFFERS bob v3 tip 650 -> 550',
      'ENTRY_POSTED_DIFFERS carol v1 tip -50 -> 50',
    ],
  },
  {
    what: 'amount of a leg',
    sql: `update movement set legs = replace(legs::text, '"100"', '"90"')::json
      where book = $1 and key = 'buy'`,
    finds: [
      'MOVED_OUTSIDE_LEG buy 90 -> 100',
      'REVERSAL_DIFFERS refund-1 credit,alice to bob 90 EUR/2 -> credit,alice to bob 100 EUR/2',
      'REVERSAL_DIFFERS refund-2 credit,alice to bob 90 EUR/2 -> credit,alice to bob 100 EUR/2',
    ],
  },
  {
    what: 'atLeast of a leg, above its amount',
    sql: `update movement set legs = replace(legs::text, '"10"', '"51"')::json
      where book = $1 and key = 'tip'`,
    finds: ['MOVEMENT_MALFORMED tip -> bob to carol 51-50 EUR/2, moved 50'],
  },
  {
    what: 'what moved, shortened',
    sql: `update movement set moved = moved[2:] where book = $1 and key = 'buy'`,
    finds: ['MOVEMENT_UNREADABLE buy'],
  },
  {
    what: 'what moved, lengthened',
    sql: `update movement set moved = moved || 0::bigint where book = $1 and key = 'part' and part = 1`,
    finds: ['MOVEMENT_UNREADABLE part'],
  },
  {
    what: 'what moved, with nothing in it',
    sql: `update movement set moved[1] = null where book = $1 and key = 'tip'`,
    finds: ['MOVEMENT_UNREADABLE tip'],
  },
  {
    what: 'legs that are none',
    sql: `update movement set legs = '{"a": 1}' where book = $1 and key = 'tip'`,
    finds: ['MOVEMENT_UNREADABLE tip'],
  },
  {
    what: 'a leg without an amount',
    sql: `update movement set legs = '[{"from": ["bob"], "to": "carol"}]'
      where book = $1 and key = 'tip'`,
    finds: ['MOVEMENT_UNREADABLE tip'],
  },
  {
    what: 'destination of a leg',
    sql: `update movement set legs = replace(legs::text, '"carol"', '"credit"')::json
      where book = $1 and key = 'tip'`,
    finds: [
      'MOVEMENT_WITHOUT_ENTRY credit v3 tip posted 50, held 0',
      'ENTRY_WITHOUT_MOVEMENT carol v1 tip two -> tip',
    ],
  },
  {
    what: 'source of a leg',
    sql: `update movement set legs = replace(legs::text, '"bob"', '"alice"')::json
      where book = $1 and key = 'tip'`,
    finds: [
      'MOVEMENT_WITHOUT_ENTRY alice v3 tip posted 880, held 0',
      'ENTRY_WITHOUT_MOVEMENT bob v3 tip open -> tip',
    ],
  },
  {
    what: 'destination of a leg, to its own source',
    sql: `update movement set legs = replace(legs::text, '"carol"', '"bob"')::json
      where book = $1 and key = 'tip'`,
    finds: [
      'MOVEMENT_MALFORMED tip -> bob to bob 10-50 EUR/2, moved 50',
      'MOVEMENT_WITHOUT_ENTRY bob v4 tip posted 600, held 0',
      'ENTRY_WITHOUT_MOVEMENT carol v1 tip two -> tip',
    ],
  },
  {
    what: 'destination of the leg of a release',
    sql: `update movement set legs = replace(legs::text, '"carol"', '"bob"')::json
      where book = $1 and key = 'back' and part = 1`,
    finds: ['END_DIFFERS_FROM_HOLD back alice to carol 40 EUR/2 -> alice to bob 40 EUR/2'],
  },
  {
    what: 'asset of a leg',
    sql: `update movement set legs = replace(legs::text, 'EUR/2', 'COIN/0')::json
      where book = $1 and key = 'tip'`,
    finds: ['ASSET_DIFFERS bob tip EUR/2 -> COIN/0', 'ASSET_DIFFERS carol tip EUR/2 -> COIN/0'],
  },
  {
    what: 'amounts of a settle',
    sql: `update movement set amounts = '{160}' where book = $1 and key = 'part' and part = 1`,
    finds: ['END_DIFFERS_FROM_HOLD part 160 -> 150'],
  },
  {
    what: 'amounts of a reversal',
    sql: `update movement set amounts = '{30}' where book = $1 and key = 'refund-1'`,
    finds: ['REVERSAL_DIFFERS refund-1 0,30 -> 0,40'],
  },
  {
    what: 'expiry of a settled hold',
    sql: `update movement set expires_in_ms = 1 where book = $1 and key = 'part' and part = 0`,
    finds: ['SETTLED_AFTER_EXPIRY part later'],
  },
  {
    what: 'original of a reversal',
    sql: `update movement set of = 'never' where book = $1 and key = 'refund-1'`,
    finds: ['ORIGINAL_MISSING refund-1 never'],
  },
  {
    what: 'mayOwe of a reversal',
    sql: `update movement set may_owe = false where book = $1 and key = 'debt'`,
    finds: ['FLOOR_CROSSED carol v6 debt 0 -> -5'],
  },
  {
    what: 'time of a movement',
    sql: `update movement set recorded = recorded + interval '1 hour'
      where book = $1 and key = 'gift'`,
    finds: [
      'ENTRY_RECORDED_DIFFERS alice v16 gift earlier',
      'ENTRY_RECORDED_DIFFERS carol v7 gift earlier',
    ],
  },
  {
    what: 'time of a movement and of its entries',
    sql: `with changed as (update entry set recorded = '2001-01-01' where book = $1 and key = 'gift')
      update movement set recorded = '2001-01-01' where book = $1 and key = 'gift'`,
    finds: [
      'RECORDED_BACKWARDS alice v16 gift earlier',
      'RECORDED_BACKWARDS carol v7 gift earlier',
    ],
  },
]

describe('check names what was done by hand to a movement:', () => {
  let database: UnguardedDatabase
  beforeAll(async () => {
    database = await UnguardedDatabase.open()
  })
  afterAll(() => database.close())

  it.each(named(MOVEMENTS))('%s', async (_, damage) => {
    expect(await database.findAfter(damage)).toEqual(damage.finds)
  })
})
