import { expect } from 'vitest'
import {
  explore,
  formatReport,
  type Options,
  type Program,
  type Task,
  type View,
} from '../../../interleave/src/index.ts'
import type { PayoutResult } from '../../src/payouts/context.ts'
import { aRequest, idOf } from './process.ts'
import { World, type Ports, type WorldOptions } from './world.ts'

/** Tasks that run at once, and how the world stands when they begin. */
export interface Scenario extends WorldOptions, Options {
  readonly tasks: readonly Task<Ports>[]
  /** What has happened before; nothing when left out. */
  readonly begin?: (world: World) => Promise<void>
  /** What is wrong beside books and bank that differ. */
  readonly alsoWrong?: (world: World) => boolean | Promise<boolean>
  /** What is done once more at the end, by somebody whom nobody comes in between. */
  readonly endsWith?: Task<Ports>
  /** Whether what the tasks returned is right. */
  readonly outcomesAre?: (results: readonly PayoutResult[]) => boolean
}

/** Payout `one` stands at `approved`. */
export async function approveOne(world: World): Promise<void> {
  const payouts = world.alone()
  const requested = await payouts.request(aRequest('one'))
  const [approved] = await payouts.approve([idOf('one')])
  if (!requested.ok || approved?.ok !== true) throw new Error('it was to be approved')
}

export function programOf(scenario: Scenario): Program<World, Ports> & Options {
  const { tasks, begin, alsoWrong, outcomesAre, endsWith, ...more } = scenario
  const { declares, behave, without, floor, ...options } = more
  return {
    ...options,
    tasks,
    setup: async () => {
      const world = await World.open({
        ...(declares && { declares }),
        ...(behave && { behave }),
        ...(without && { without }),
        ...(floor !== undefined && { floor }),
      })
      await begin?.(world)
      return world
    },
    ports: world => world.ports(),
    state: world => world.state(),
    invariant: async (world, outcomes) => {
      await world.finish()
      await endsWith?.(world.ports() as unknown as View<Ports>)
      const results = outcomes.flatMap(each =>
        each.status === 'returned' ? [each.value as PayoutResult] : [],
      )
      const wrongs = await world.wrongs()
      if (wrongs.length > 0 || (await alsoWrong?.(world)) === true) return false
      return outcomesAre?.(results) ?? true
    },
  }
}

/** Runs it in every order, and expects that none goes wrong. */
export async function expectSafe(scenario: Scenario): Promise<void> {
  const report = await explore(programOf(scenario))
  expect(report.holds, formatReport(report)).toBe(true)
  expect(report.exhaustive, formatReport(report)).toBe(true)
  expect(report.orders).toBeGreaterThan(1n)
}

/** So many orders are drawn by chance, and then so many more, until one goes wrong. */
const ORDERS_AT_ONCE = 20
const DRAWS_MAX = 40

/** Expects that the same, with a defence taken out, goes wrong in an order. */
export async function expectCaught(scenario: Scenario): Promise<void> {
  const program = { ...programOf(scenario), bounds: { orders: ORDERS_AT_ONCE } }
  let violations = 0n
  for (let seed = 1; seed <= DRAWS_MAX && violations === 0n; seed += 1)
    violations = (await explore({ ...program, random: { seed } })).violations
  expect(violations).toBeGreaterThan(0n)
}
