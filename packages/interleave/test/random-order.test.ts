import { describe, expect, test } from 'vitest'
import { createLock, explore } from '../src/index.ts'
import { lockReadAndWrite, naive, reserve, shop } from './programs.ts'

describe('orders drawn by chance', () => {
  test('are never all, and say how many of them differ', async () => {
    const report = await explore({
      ...shop(naive, naive),
      random: { seed: 1 },
      bounds: { orders: 100 },
    })
    expect(report).toMatchObject({
      orders: 100n,
      exhaustive: false,
      search: 'random',
      bound: 'orders',
    })
    expect(report.distinct).toBeGreaterThan(30)
    expect(report.distinct).toBeLessThan(54)
    expect(report.violations).toBeGreaterThan(0n)
    expect(report.shortest?.wrong).toBe('violation')
  })

  test('are the same for the same seed', async () => {
    const draw = (seed: number) => explore({ ...shop(naive, naive, naive), random: { seed } })
    expect(await draw(7)).toEqual(await draw(7))
    expect((await draw(7)).violations).not.toEqual((await draw(8)).violations)
  })

  test('draw every order in the end, and no other', async () => {
    const report = await explore({
      ...shop(naive, naive),
      random: { seed: 3 },
      bounds: { orders: 3_000 },
    })
    expect(report.distinct).toBe(54)
  })

  test('find nothing where there is nothing, and deadlocks where there are', async () => {
    const random = { seed: 5 }
    expect(await explore({ ...shop(reserve, reserve, reserve), random })).toMatchObject({
      holds: true,
    })
    expect(await explore({ ...shop(lockReadAndWrite, lockReadAndWrite), random })).toMatchObject({
      holds: true,
    })
    const stuck = await explore({
      setup: () => ({ lock: createLock() }),
      ports: ({ lock }) => lock,
      tasks: [
        async ({ lock }) => {
          await lock()
          await lock()
        },
      ],
      invariant: () => true,
      random,
    })
    expect(stuck).toMatchObject({ deadlocks: 1_000n, orders: 1_000n })
  })

  test('by priorities find a fault that needs few turns among many tasks', async () => {
    // Only the order in which the last task reads after the first has set finds it.
    const program = {
      setup: () => ({ armed: false, fired: false }),
      ports: (world: { armed: boolean; fired: boolean }) => ({
        idle: () => undefined,
        arm: () => {
          world.armed = true
        },
        disarm: () => {
          world.armed = false
        },
        look: () => {
          if (world.armed) world.fired = true
        },
      }),
      tasks: [
        async (ports: Record<'idle' | 'arm' | 'disarm' | 'look', () => Promise<void>>) => {
          for (let at = 0; at < 10; at += 1) await ports.idle()
          await ports.arm()
          await ports.disarm()
        },
        async (ports: Record<'idle' | 'arm' | 'disarm' | 'look', () => Promise<void>>) => {
          for (let at = 0; at < 10; at += 1) await ports.idle()
          await ports.look()
        },
      ],
      invariant: ({ fired }: { fired: boolean }) => !fired,
    }
    const found = await explore({ ...program, random: { seed: 1, changes: 2 } })
    expect(found.violations).toBeGreaterThan(0n)
  })
})

describe('bounds', () => {
  test('stop a search, which is then not exhaustive', async () => {
    const program = shop(naive, naive, naive)
    expect(await explore({ ...program, bounds: { orders: 100 } })).toMatchObject({
      orders: 100n,
      exhaustive: false,
      bound: 'orders',
    })
    const timed = await explore({ ...shop(naive, naive, naive, naive), bounds: { timeMs: 50 } })
    expect(timed).toMatchObject({ exhaustive: false, bound: 'timeMs' })
    expect(timed.orders).toBeGreaterThan(0n)
  })

  test('that are not reached leave it exhaustive', async () => {
    const report = await explore({ ...shop(naive, naive), bounds: { orders: 54, preemptions: 8 } })
    expect(report).toMatchObject({ orders: 54n, exhaustive: true, bound: null })
  })

  test('of preemptions leave out what turns away from a task more often', async () => {
    const count = async (preemptions: number) => {
      const report = await explore({ ...shop(naive, naive), bounds: { preemptions } })
      return [report.orders, report.violations, report.exhaustive, report.bound]
    }
    // None: one task whole, then the other. One: the second comes in once, and goes to its end.
    expect(await count(0)).toEqual([2n, 0n, false, 'preemptions'])
    expect(await count(1)).toEqual([8n, 2n, false, 'preemptions'])
    expect(await count(7)).toEqual([54n, 36n, true, null])
  })
})
