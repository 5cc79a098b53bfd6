import { describe, expect, test } from 'vitest'
import { createLock, enabledWhen, explore, type View } from '../src/index.ts'

describe('waiting', () => {
  test('a lock that is held is no choice', async () => {
    const setup = () => ({ lock: createLock(), inside: 0, most: 0 })
    const ports = (world: ReturnType<typeof setup>) => ({
      ...world.lock,
      enter: () => {
        world.inside += 1
        world.most = Math.max(world.most, world.inside)
      },
      leave: () => {
        world.inside -= 1
      },
    })
    const visit = async ({ lock, enter, leave, unlock }: View<ReturnType<typeof ports>>) => {
      await lock()
      await enter()
      await leave()
      await unlock()
    }
    const tasks = [visit, visit, visit]
    const report = await explore({ setup, ports, tasks, invariant: ({ most }) => most === 1 })
    expect(report).toMatchObject({ orders: 6n, holds: true, deadlocks: 0n })
  })

  test('two locks in the other order end in a deadlock, which is counted and shown', async () => {
    const report = await explore({
      setup: () => ({ a: createLock(), b: createLock() }),
      ports: world => world,
      tasks: [
        async ({ a, b }) => {
          await a.lock()
          await b.lock()
          await b.unlock()
          await a.unlock()
        },
        async ({ a, b }) => {
          await b.lock()
          await a.lock()
          await a.unlock()
          await b.unlock()
        },
      ],
      invariant: () => true,
    })
    // AB and BA are stuck; else the second begins when the first has let go of one lock, or of both.
    expect(report).toMatchObject({ orders: 6n, deadlocks: 2n, violations: 0n, holds: false })
    expect(report.shortest).toMatchObject({ schedule: 'AB', wrong: 'deadlock', switches: 1 })
    expect(report.shortest?.outcomes.map(({ status }) => status)).toEqual(['waiting', 'waiting'])
  })

  test('a method that waits keeps its object', async () => {
    class Gate {
      held = false
      readonly lock = enabledWhen(
        function (this: Gate) {
          return !this.held
        },
        function (this: Gate) {
          this.held = true
        },
      )
      unlock(): void {
        this.held = false
      }
    }
    const visit = async ({ lock, unlock }: View<Gate>) => {
      await lock()
      await unlock()
    }
    const ports = (gate: Gate) => gate
    const report = await explore({
      setup: () => new Gate(),
      ports,
      tasks: [visit, visit],
      invariant: ({ held }) => !held,
    })
    expect(report).toMatchObject({ orders: 2n, holds: true })
  })

  test('any method can wait until it is enabled', async () => {
    const report = await explore({
      setup: () => ({ queue: [] as number[] }),
      ports: ({ queue }) => ({
        put: (item: number) => queue.push(item),
        take: enabledWhen(
          () => queue.length > 0,
          () => queue.shift(),
        ),
      }),
      tasks: [
        async ({ put }) => {
          await put(1)
          await put(2)
        },
        async ({ take }) => [await take(), await take()],
      ],
      invariant: (_, outcomes) =>
        JSON.stringify(outcomes[1]) === '{"status":"returned","value":[1,2]}',
    })
    expect(report).toMatchObject({ orders: 2n, holds: true })
  })
})
