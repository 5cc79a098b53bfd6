import { describe, expect, test } from 'vitest'
import {
  explore,
  formatReport,
  type Fault,
  type Options,
  type Report,
  type Task,
} from '../../../interleave/src/index.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/ledger/store.ts'
import { leg, transfer } from '../support/commands.ts'
import { rounds } from '#testing/rounds.ts'
import { ledgerOf, LedgerWorld, type LedgerPorts } from './ledger-world.ts'
import { checkFirst, freshKeys, mixUp } from './spoilt.ts'
import { FUNDS } from './world.ts'

const AMOUNT = 40n

class Wrong extends Error {}

/** Moves 40 under a key of its own, and holds the ledger to what it answers. */
async function call(ledger: Ledger, key: string): Promise<void> {
  const outcome = await ledger.submit(transfer(key, leg('buyer', 'shop', AMOUNT)))
  if (!outcome.ok) {
    if (outcome.refusal.code !== 'INSUFFICIENT_FUNDS') throw new Wrong(outcome.refusal.code)
    return
  }
  if (outcome.movement?.key !== key) throw new Wrong(`${key} got another one's answer`)
  const account = await ledger.account('shop')
  if ((account?.posted ?? 0n) < AMOUNT) throw new Wrong(`${key} does not see its own effect`)
}

/** Callers of one process, who share one ledger. Each group comes at once, and at any time. */
function callers(
  groups: readonly (readonly string[])[],
  spoilt?: (store: Store) => Store,
): Task<LedgerPorts> {
  return async view => {
    const ledger = ledgerOf(view, spoilt)
    const ends = await Promise.allSettled(
      groups.map(async (keys, caller) => {
        await view.arrival.of(caller)
        await Promise.all(keys.map(key => call(ledger, key)))
      }),
    )
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }
}

/** So many of the keys can be moved. */
function run(
  keys: readonly string[],
  tasks: readonly Task<LedgerPorts>[],
  { floor, ...options }: Options & { floor?: null } = {},
): Promise<Report> {
  return explore({
    ...options,
    setup: () => LedgerWorld.open(floor),
    ports: world => world.ports(),
    state: world => world.state(),
    tasks,
    invariant: async (world, outcomes) => {
      const [left] = await world.balance('buyer')
      const [moved] = await world.balance('shop')
      const kept = (await Promise.all(keys.map(key => world.movements(key)))).flat()
      const isBooked =
        moved === AMOUNT * BigInt(kept.length) && left === FUNDS - moved && left >= 0n
      const isWhole = options.faults !== undefined || kept.length === Math.min(keys.length, 2)
      const isAnswered = outcomes.every(
        each => each.status !== 'threw' || !(each.error instanceof Wrong),
      )
      return isBooked && isWhole && isAnswered
    },
  })
}

describe('callers that share one ledger', () => {
  test('each gets its own answer, and no more is moved than there is', async () => {
    const groups = rounds({ usual: [['a', 'b'], ['c']], long: [['a'], ['b'], ['c']] })
    const report = await run(['a', 'b', 'c'], [callers(groups)])
    expect(report, formatReport(report)).toMatchObject({ holds: true, exhaustive: true })
  })

  test('beside another process, under a key of both', async () => {
    const report = await run(['a', 'b'], [callers([['a', 'b']]), callers([['b']])])
    expect(report, formatReport(report)).toMatchObject({ holds: true, exhaustive: true })
  })

  test('with one fault', async () => {
    const kinds = rounds<readonly Fault[]>({
      usual: ['reply lost', 'crash after'],
      long: ['reply lost', 'not sent', 'crash before', 'crash after', 'delivered twice'],
    })
    const report = await run(['a', 'b'], [callers([['a', 'b']])], { faults: { most: 1, kinds } })
    expect(report, formatReport(report)).toMatchObject({ holds: true, exhaustive: true })
  })

  const drawn = { random: { seed: 1 }, bounds: { orders: 400 } }

  test('move too much where the balance is looked at before', async () => {
    const tasks = [callers([['a', 'b']], checkFirst), callers([['c']], checkFirst)]
    const report = await run(['a', 'b', 'c'], tasks, { ...drawn, floor: null })
    expect(report.violations).toBeGreaterThan(0n)
  })

  test('move twice where a list that is sent again has new keys', async () => {
    const faults = { most: 1, kinds: ['reply lost'] } as const
    const report = await run(['a'], [callers([['a']], freshKeys)], { ...drawn, faults })
    expect(report.violations).toBeGreaterThan(0n)
  })

  test("get each other's answers where these come in another order", async () => {
    const report = await run(['a', 'b'], [callers([['a', 'b']], mixUp)])
    expect(report.violations).toBeGreaterThan(0n)
  })
})
