import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { ListNotApplied } from '../../src/ledger/store.ts'
import { sqlState, type Queryable } from '../../src/stores/postgres/database.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { hold, leg, NEVER, open, settle, transfer } from '../support/commands.ts'
import { openPools, type Pools } from '../support/pools.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { RANDOM_SETTING, randomLists } from '../support/random-commands.ts'
import { rounds } from '#testing/rounds.ts'
import { expectSound } from '../support/sound.ts'
import { newBook } from '../support/subject.ts'
import { openTransaction } from '../support/waiting.ts'

const DEADLOCK = '40P01'
const LISTS_PER_POOL = 15
/** How often a list may meet another one at the same moment. */
const CONFLICTS_MAX = 50

let server: PostgresDatabase
let pools: Pools

beforeAll(async () => {
  server = await migratedDatabase()
  pools = await openPools(server.url, 8)
})
afterAll(async () => {
  await pools.close()
  await server.close()
})

it('random lists over a few accounts from eight pools never deadlock and leave a sound book', async () => {
  for (let round = 0; round < 4; round += 1) {
    const book = newBook()
    const [store] = pools.stores
    if (!store) throw new Error('there is no pool')
    await store.apply(book, RANDOM_SETTING, NEVER)
    const lists = fc
      .sample(randomLists, pools.stores.length * LISTS_PER_POOL)
      .map(each => each.first)
    const applied = await Promise.all(
      pools.stores.map(async (each, pool) => {
        let count = 0
        for (const list of lists.slice(pool * LISTS_PER_POOL, (pool + 1) * LISTS_PER_POOL))
          count += await applyUntilDone(each, book, list)
        return count
      }),
    )
    expect(applied).toHaveLength(pools.stores.length)

    await expectSound(store, book)
    await expectEntriesAddUp(store, book)
  }
}, 300_000)

it('lists that open the same accounts in any order never wait for each other', async () => {
  const ids = Array.from({ length: 30 }, (_, index) => `a${index}`)
  for (let round = 0; round < 10; round += 1) {
    const book = newBook()
    const applied = pools.stores.map((store, pool) => {
      const order = fc.sample(fc.shuffledSubarray(ids, { minLength: ids.length }), 1).flat()
      const moves = order.map((id, index): Command => {
        const to = order[(index + 1) % order.length] ?? id
        return transfer(`${pool}-${id}`, leg(id, to, 1n))
      })
      return applyUntilDone(store, book, [...order.map(id => open(id, null)), ...moves])
    })
    await Promise.all(applied)
    const [store] = pools.stores
    const accounts = (await store?.accounts(book, { limit: 100 })) ?? []
    expect(accounts.map(account => account.posted)).toStrictEqual(ids.map(() => 0n))
    expect(accounts.map(account => account.version)).toStrictEqual(ids.map(() => 16n))
  }
}, 120_000)

/** `npm run test:long` repeats it for minutes. */
const SLOW = { timeout: 600_000 }

describe('the repeat of a hold against its settle', () => {
  it('deadlocks where people lock as they go: one the account first, the other the hold', async () => {
    await server.database.exec(`create table naive_account (id text primary key, held bigint);
      create table naive_hold (key text primary key, settled boolean);
      insert into naive_account values ('a', 5); insert into naive_hold values ('h', false)`)
    const [repeat, settles] = await Promise.all([
      openTransaction(server.database),
      openTransaction(server.database),
    ])
    await repeat.tx.query(`select held from naive_account where id = 'a' for update`)
    await settles.tx.query(`update naive_hold set settled = true where key = 'h'`)
    const ends = await Promise.allSettled([
      repeat.tx.query(`select settled from naive_hold where key = 'h' for update`),
      settles.tx.query(`update naive_account set held = 0 where id = 'a'`),
    ])
    const codes = ends.map(end => (end.status === 'rejected' ? sqlState(end.reason) : 'done'))
    expect(codes.sort()).toStrictEqual([DEADLOCK, 'done'])
    await Promise.all([repeat.rollback(), settles.rollback()])
  })

  it('never deadlocks in ours, and every answer is one of the two', SLOW, async () => {
    const states: (string | null)[] = []
    const book = newBook()
    const [one, other] = pools.databases.map(database => {
      const query: Queryable['query'] = (text, values) =>
        database.query(text, values).catch((error: unknown) => {
          states.push(sqlState(error))
          throw error
        })
      return new Ledger({ store: new PostgresStore({ query }), book })
    })
    if (!one || !other) throw new Error('there are no two pools')
    await one.apply([open('w', null), open('a')])
    for (let round = 0; round < rounds({ usual: 100, long: 2_000 }); round += 1) {
      const payout = hold(`p${round}`, leg('w', 'a', 1n))
      await one.submit(payout)
      const [repeated, settled] = await Promise.all([
        one.submit(payout),
        other.submit(settle(payout.key)),
      ])
      expect([repeated, settled]).toMatchObject([
        { ok: true, replayed: true },
        { ok: true, replayed: false },
      ])
    }
    expect(states).not.toContain(DEADLOCK)
  })
})

/** Sends a list until it is carried out; a deadlock is a fault of the order of locks. */
async function applyUntilDone(
  store: PostgresStore,
  book: string,
  list: readonly Command[],
): Promise<number> {
  for (let conflict = 0; conflict < CONFLICTS_MAX; conflict += 1) {
    try {
      return (await store.apply(book, list, NEVER)).length
    } catch (error) {
      if (!(error instanceof ListNotApplied && error.reason === 'conflict')) throw error
      expect(sqlState(error.cause)).not.toBe(DEADLOCK)
    }
  }
  throw new Error(`a list met another one ${CONFLICTS_MAX} times`)
}

/** What must be so of every book, looked at without the code that is under test elsewhere. */
async function expectEntriesAddUp(store: PostgresStore, book: string): Promise<void> {
  const accounts = await store.accounts(book, { limit: 100 })
  const sums = new Map<string, bigint>()
  for (const account of accounts) {
    sums.set(account.asset, (sums.get(account.asset) ?? 0n) + account.posted)
    const entries = (await store.entries(book, account.id, { limit: 1000 })).reverse()
    expect(entries.map(entry => entry.version)).toStrictEqual(
      entries.map((_, index) => BigInt(index + 1)),
    )
    const times = entries.map(entry => entry.recorded)
    expect(times).toStrictEqual([...times].sort())
    const last = entries.at(-1)
    expect([account.posted, account.held, account.version]).toStrictEqual([
      last?.posted ?? 0n,
      last?.held ?? 0n,
      last?.version ?? 0n,
    ])
  }
  expect([...sums.values()].every(sum => sum === 0n)).toBe(true)
}
