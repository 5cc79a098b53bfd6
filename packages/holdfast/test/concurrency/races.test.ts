import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../src/ledger/command.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Outcome } from '../../src/ledger/outcome.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { hold, leg, open, release, reverse, settle, transfer } from '../support/commands.ts'
import { openPools, type Pools } from '../support/pools.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { rounds } from '#testing/rounds.ts'
import { expectSound } from '../support/sound.ts'
import { newBook } from '../support/subject.ts'

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

/** A fresh book, seen from eight pools. */
async function ledgers(...given: Command[]): Promise<Ledger[]> {
  const all = pools.ledgers(newBook())
  const outcomes = await first(all).apply(given)
  expect(outcomes.every(outcome => outcome.ok)).toBe(true)
  return all
}

function first<T>(of: readonly T[]): T {
  const [one] = of
  if (one === undefined) throw new Error('there is none')
  return one
}

/** Sends each command at once, over all pools in turn. */
function atOnce(all: readonly Ledger[], commands: readonly Command[]): Promise<Outcome[]> {
  return Promise.all(
    commands.map((command, index) => (all[index % all.length] ?? first(all)).submit(command)),
  )
}

function codes(outcomes: readonly Outcome[]): string[] {
  return outcomes
    .map(outcome => (outcome.ok ? (outcome.replayed ? 'replayed' : 'ok') : outcome.refusal.code))
    .sort()
}

describe('20 withdrawals of 80 at once on 100', () => {
  it('pay exactly one', async () => {
    for (let round = 0; round < 10; round += 1) {
      const all = await ledgers(open('w', null), open('a'), transfer('in', leg('w', 'a', 100n)))
      const withdrawals = Array.from({ length: 20 }, (_, index) =>
        transfer(`out${index}`, leg('a', 'w', 80n)),
      )
      const outcomes = await atOnce(all, withdrawals)
      expect(codes(outcomes).filter(code => code !== 'INSUFFICIENT_FUNDS')).toStrictEqual(['ok'])
      expect(await first(all).account('a')).toMatchObject({ posted: 20n, version: 2n })
    }
  })

  it('hold exactly one, and elastic ones share what there is', async () => {
    const all = await ledgers(open('w', null), open('a'), transfer('in', leg('w', 'a', 100n)))
    const holds = Array.from({ length: 20 }, (_, index) => hold(`h${index}`, leg('a', 'w', 80n)))
    expect(codes(await atOnce(all, holds)).filter(code => code === 'ok')).toHaveLength(1)
    const elastic = Array.from({ length: 20 }, (_, index) =>
      transfer(`e${index}`, leg('a', 'w', 3n, { atLeast: 1n })),
    )
    // 20 are left: six of 3, and one of 2.
    expect(codes(await atOnce(all, elastic)).filter(code => code === 'ok')).toHaveLength(7)
    expect(await first(all).account('a')).toMatchObject({ posted: 80n, held: 80n })
    await expectSound(new PostgresStore(server.database), first(all).book)
  })
})

describe('one key at once', () => {
  it('with the same content moves once, and everyone gets the stored answer', async () => {
    for (let round = 0; round < 10; round += 1) {
      const all = await ledgers(open('w', null), open('a'))
      const same = Array.from({ length: 16 }, () => transfer('k', leg('w', 'a', 5n)))
      const outcomes = await atOnce(all, same)
      expect(codes(outcomes)).toStrictEqual(['ok', ...same.slice(1).map(() => 'replayed')])
      const movements = outcomes.map(outcome => outcome.ok && outcome.movement)
      expect(
        new Set(movements.map(movement => JSON.stringify(movement && movement.recorded))).size,
      ).toBe(1)
      expect(await first(all).account('a')).toMatchObject({ posted: 5n, version: 1n })
    }
  })

  it('with other content on accounts that nobody shares: one wins, the others are refused', async () => {
    for (let round = 0; round < 30; round += 1) {
      const accounts = Array.from({ length: 8 }, (_, index) => [
        open(`w${index}`, null),
        open(`a${index}`),
      ])
      const all = await ledgers(...accounts.flat())
      const commands = all.map((_, index) => transfer('k', leg(`w${index}`, `a${index}`, 5n)))
      const outcomes = await atOnce(all, commands)
      expect(codes(outcomes)).toStrictEqual([...commands.slice(1).map(() => 'KEY_REUSED'), 'ok'])
      for (const outcome of outcomes)
        if (!outcome.ok)
          expect(outcome.refusal).toMatchObject({
            fields: ['legs[0].from', 'legs[0].to'],
            key: 'k',
          })
      const { movements } = await first(all).feed(null)
      expect(movements).toHaveLength(1)
    }
  })

  it('of different kinds of command', async () => {
    for (let round = 0; round < 10; round += 1) {
      const all = await ledgers(
        open('w', null),
        ...['a', 'b', 'c', 'd'].map(id => open(id)),
        transfer('in', leg('w', 'd', 5n)),
      )
      const outcomes = await atOnce(all, [
        transfer('k', leg('w', 'a', 5n)),
        hold('k', leg('w', 'b', 5n)),
        transfer('k', leg('w', 'c', 5n)),
        reverse('k', 'in'),
      ])
      expect(codes(outcomes).filter(code => code === 'ok')).toHaveLength(1)
      expect(codes(outcomes).filter(code => code === 'KEY_REUSED')).toHaveLength(3)
      expect(await first(all).movements('k')).toHaveLength(1)
    }
  })
})

describe('one account opened at once', () => {
  it('alike: one opens it, the others find it', async () => {
    for (let round = 0; round < 20; round += 1) {
      const all = await ledgers()
      const outcomes = await atOnce(
        all,
        all.map(() => open('a')),
      )
      expect(codes(outcomes)).toStrictEqual(['ok', ...all.slice(1).map(() => 'replayed')])
    }
  })

  it('differently: one opens it, the others are refused', async () => {
    for (let round = 0; round < 20; round += 1) {
      const all = await ledgers()
      const outcomes = await atOnce(
        all,
        all.map((_, index) => open('a', BigInt(-index))),
      )
      expect(codes(outcomes)).toStrictEqual([...all.slice(1).map(() => 'ACCOUNT_DIFFERS'), 'ok'])
      const winner = outcomes.findIndex(outcome => outcome.ok)
      expect(await first(all).account('a')).toMatchObject({ floor: BigInt(-winner) })
    }
  })

  it('many at once, in any order, with money on them in the same list', async () => {
    const all = await ledgers(open('w', null))
    const ids = Array.from({ length: 12 }, (_, index) => `a${index}`)
    const outcomes = await Promise.all(
      all.map((ledger, pool) => {
        const turned = [...ids.slice(pool), ...ids.slice(0, pool)]
        const order = pool % 2 === 0 ? turned : turned.reverse()
        return ledger.apply(
          order.flatMap((id): Command[] => [open(id), transfer(`${pool}-${id}`, leg('w', id, 1n))]),
        )
      }),
    )
    expect(outcomes.flat().every(outcome => outcome.ok)).toBe(true)
    for (const id of ids)
      expect(await first(all).account(id)).toMatchObject({ posted: 8n, version: 8n })
    await expectSound(new PostgresStore(server.database), first(all).book)
  })
})

it('accounts that are opened and closed while transfers to them wait stay sound', async () => {
  const all = await ledgers(open('hot', null))
  for (let round = 0; round < rounds({ usual: 60, long: 2_000 }); round += 1) {
    const id = `n${round}`
    const moves = all
      .slice(2)
      .map((ledger, index) => ledger.submit(transfer(`${id}-${index}`, leg('hot', id, 1n))))
    await new Promise(resolve => setTimeout(resolve, Math.random() * 4))
    await first(all).submit(open(id))
    const closed = all[1]?.submit({ do: 'close', account: id })
    const outcomes = await Promise.all(moves)
    expect(await closed).toMatchObject({ ok: true })
    const refused = codes(outcomes).filter(code => code !== 'ok')
    for (const code of refused) expect(['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED']).toContain(code)
    const posted = BigInt(outcomes.length - refused.length)
    expect(await first(all).account(id)).toMatchObject({ posted, version: posted, closed: true })
  }
  await expectSound(new PostgresStore(server.database), first(all).book)
}, 600_000)

describe('the end of one hold', () => {
  it('is a settle or a release, 200 times at once, never both', { timeout: 300_000 }, async () => {
    const holds = Array.from({ length: 200 }, (_, index) => `h${index}`)
    const all = await ledgers(
      open('a', null),
      open('b'),
      ...holds.map(key => hold(key, leg('a', 'b', 1n))),
    )
    const wins = { settle: 0, release: 0 }
    for (const [index, key] of holds.entries()) {
      // Who is sent first takes turns.
      const ends = index % 2 === 0 ? [settle(key), release(key)] : [release(key), settle(key)]
      const outcomes = await atOnce(all, ends)
      const winners = ends.filter((_, at) => outcomes[at]?.ok)
      expect(winners).toHaveLength(1)
      const winner = first(winners).do
      const loser = codes(outcomes).find(code => code !== 'ok')
      expect(loser).toBe(winner === 'settle' ? 'HOLD_SETTLED' : 'HOLD_RELEASED')
      wins[winner] += 1
      expect(await first(all).movements(key)).toHaveLength(2)
    }
    const settled = BigInt(wins.settle)
    expect(await first(all).account('b')).toMatchObject({ posted: settled, version: settled })
    expect(await first(all).account('a')).toMatchObject({ posted: -settled, held: 0n })
    await expectSound(new PostgresStore(server.database), first(all).book)
  })

  it('is its settle or its expiry, where both come at the moment it expires', async () => {
    const all = await ledgers(open('a', null), open('b'))
    const wins = { settled: 0, expired: 0 }
    const batch = 50
    for (let round = 0; round < rounds({ usual: 8, long: 100 }); round += 1) {
      const keys = Array.from({ length: batch }, (_, index) => `h${round}-${index}`)
      const held = keys.map(key => hold(key, leg('a', 'b', 1n), { expiresInMs: 2 * batch }))
      expect(codes(await first(all).apply(held))).not.toContain('INSUFFICIENT_FUNDS')
      // They expire all at once, while settles go out one by one and sweeps come from everywhere.
      const sweeping = { done: false }
      const sweeps = all.slice(4).map(async ledger => {
        while (!sweeping.done) await ledger.releaseExpired()
      })
      const settles = keys.map(async (key, index) => {
        await new Promise(resolve => setTimeout(resolve, 4 * index))
        return (all[index % 4] ?? first(all)).submit(settle(key))
      })
      const outcomes = await Promise.all(settles)
      sweeping.done = true
      await Promise.all(sweeps)
      for (const [index, key] of keys.entries()) {
        const outcome = outcomes[index]
        if (outcome?.ok === false)
          expect(['HOLD_EXPIRED', 'HOLD_RELEASED']).toContain(outcome.refusal.code)
        const end = (await first(all).movements(key))[1]?.kind
        expect(end === 'settle').toBe(outcome?.ok)
        wins[outcome?.ok === true ? 'settled' : 'expired'] += 1
      }
    }
    expect(Math.min(wins.settled, wins.expired)).toBeGreaterThan(0)
    await first(all).releaseExpired()
    const settled = BigInt(wins.settled)
    expect(await first(all).account('a')).toMatchObject({ posted: -settled, held: 0n })
    await expectSound(new PostgresStore(server.database), first(all).book)
  }, 600_000)

  it('is one settle of many parts, and one replacement of many', async () => {
    for (let round = 0; round < 10; round += 1) {
      const all = await ledgers(
        open('a', null),
        open('b'),
        hold('h', leg('a', 'b', 100n)),
        hold('old', leg('a', 'b', 100n)),
      )
      const parts = all.map((_, index) => settle('h', BigInt(index + 1)))
      expect(codes(await atOnce(all, parts))).toStrictEqual([
        ...all.slice(1).map(() => 'HOLD_SETTLED'),
        'ok',
      ])
      const heirs = all.map((_, index) =>
        hold(`new${index}`, leg('a', 'b', 1n), { replaces: 'old' }),
      )
      expect(codes(await atOnce(all, heirs))).toStrictEqual([
        ...all.slice(1).map(() => 'HOLD_RELEASED'),
        'ok',
      ])
      expect(await first(all).account('a')).toMatchObject({ held: 1n })
      await expectSound(new PostgresStore(server.database), first(all).book)
    }
  })

  it('reversals of one original at once never come to more than it moved', async () => {
    for (let round = 0; round < 5; round += 1) {
      const all = await ledgers(open('w', null), open('a'), transfer('t', leg('w', 'a', 100n)))
      const backs = Array.from({ length: 20 }, (_, index) => reverse(`r${index}`, 't', 30n))
      const outcomes = codes(await atOnce(all, backs))
      expect(outcomes.filter(code => code === 'ok')).toHaveLength(3)
      expect(outcomes.filter(code => code === 'AMOUNT_EXCEEDS_TRANSFER')).toHaveLength(17)
      expect(await first(all).account('a')).toMatchObject({ posted: 10n })
    }
  })
})
