import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { explore, replay, type Program, type View } from '../src/index.ts'
import { naive, shop, world } from './programs.ts'

interface Ports {
  readonly step: (name: string) => string
}

function steps(...tasks: Program<null, Ports>['tasks']): Program<null, Ports> {
  return {
    setup: () => null,
    ports: () => ({ step: name => name }),
    tasks,
    invariant: () => true,
  }
}

describe('an await that nobody controls', () => {
  test.each([
    ['a timer', () => sleep(1)],
    ['a turn of the event loop', () => new Promise(resolve => setImmediate(resolve))],
    ['a promise that nobody resolves', () => new Promise(() => undefined)],
  ])('%s is reported, with the place of the last call', async (_, wait) => {
    const waiting = async ({ step }: { step: (name: string) => Promise<string> }) => {
      await step('first')
      await wait()
      await step('second')
    }
    const exploring = explore(steps(waiting, waiting))
    await expect(exploring).rejects.toThrow(
      'Task A waits for something that is no port call, after step (schedule "A")',
    )
    await expect(exploring).rejects.toMatchObject({
      name: 'UncontrolledAwait',
      schedule: 'A',
      stack: expect.stringMatching(/out-of-control\.test\.ts/) as string,
    })
  })

  test('before the first call it is named so', async () => {
    const program = steps(async () => sleep(1))
    await expect(explore(program)).rejects.toThrow('before its first port call')
  })

  test('one task that waits for another outside of ports is one', async () => {
    let other: Promise<unknown> | undefined
    const program = steps(
      ({ step }) => (other = step('1')),
      async () => other,
    )
    await expect(explore(program)).rejects.toMatchObject({ name: 'UncontrolledAwait' })
  })

  test('a call that comes while another task goes on is one', async () => {
    const program = steps(
      async ({ step }) => {
        const late = sleep(1).then(() => step('late'))
        await step('1')
        await late
      },
      async ({ step }) => step('1'),
    )
    await expect(explore(program)).rejects.toMatchObject({ name: 'UncontrolledAwait' })
  })
})

test('a call that nobody waits for, and that comes late, ends the exploration and not the process', async () => {
  const program: Program<null, { step: (name: string) => unknown }> = {
    setup: () => null,
    invariant: () => true,
    ports: () => ({ step: name => (name === 'slow' ? sleep(5) : name) }),
    tasks: [
      async ({ step }) => {
        void sleep(1).then(() => step('late'))
        await step('1')
      },
      async ({ step }) => step('slow'),
    ],
  }
  await expect(explore(program)).rejects.toMatchObject({ name: 'UncontrolledAwait' })
})

describe('what never answers is reported', () => {
  test('a port that waits for another task on its own', { timeout: 30_000 }, async () => {
    const mutex = () => {
      const queue: (() => void)[] = []
      let isHeld = false
      return {
        lock: () =>
          isHeld ? new Promise<void>(resolve => queue.push(resolve)) : void (isHeld = true),
        unlock: () => {
          const next = queue.shift()
          if (next) next()
          else isHeld = false
        },
      }
    }
    const visit = async ({ lock, unlock }: View<ReturnType<typeof mutex>>) => {
      await lock()
      await unlock()
    }
    const exploring = explore({
      setup: mutex,
      ports: world => world,
      tasks: [visit, visit],
      invariant: () => true,
    })
    await expect(exploring).rejects.toThrow("B's call of lock has not answered after 3 seconds")
  })

  test('setup, and an invariant', { timeout: 30_000 }, async () => {
    const never = () => new Promise<never>(() => undefined)
    const program = steps(async ({ step }) => step('1'))
    await Promise.all([
      expect(explore({ ...program, setup: never })).rejects.toThrow('setup has not answered'),
      expect(explore({ ...program, invariant: never })).rejects.toThrow('invariant has not'),
    ])
  })
})

test('a task that goes on for ever is reported', async () => {
  const forever = async ({ step }: { step: (name: string) => Promise<string> }) => {
    while ((await step('again')) !== '') continue
  }
  await expect(explore(steps(forever))).rejects.toThrow('An order has more than 10000 steps')
})

describe('what differs from run to run', () => {
  type Step = (name: string) => Promise<string>

  test('a reply', async () => {
    let runs = 0
    const twice = async ({ step }: { step: Step }) => {
      await step('1')
      await step('2')
    }
    const program: Program<null, Ports> = {
      ...steps(twice, twice),
      ports: () => ({ step: name => `${name} ${(runs += 1)}` }),
    }
    await expect(explore(program)).rejects.toMatchObject({ name: 'Nondeterminism', step: 1 })
  })

  test('which call is made', async () => {
    let runs = 0
    const either = async ({ one, other }: Record<'one' | 'other', () => Promise<string>>) => {
      await one()
      await ((runs += 1) > 3 ? other() : one())
    }
    const exploring = explore({
      setup: () => null,
      ports: () => ({ one: () => 'x', other: () => 'x' }),
      tasks: [either, either],
      invariant: () => true,
    })
    await expect(exploring).rejects.toThrow('differs from run to run: a call of one, then of other')
  })

  test('whether a call is made, or the task ends', async () => {
    let runs = 0
    const early = async ({ step }: { step: Step }) => {
      await step('1')
      if ((runs += 1) === 1) await step('2')
    }
    const exploring = explore(steps(early, async ({ step }) => step('1')))
    await expect(exploring).rejects.toThrow('a call of step, then of none')
  })

  test('what follows a reply that cannot be compared', async () => {
    let runs = 0
    const either = async ({ open, one, other }: Record<string, () => Promise<unknown>>) => {
      await open?.()
      await ((runs += 1) > 1 ? other?.() : one?.())
      await one?.()
    }
    const exploring = explore({
      setup: () => null,
      ports: () => ({ open: () => () => 1, one: () => 1, other: () => 1 }),
      tasks: [either as never, async ({ one }: { one: () => Promise<unknown> }) => one()],
      invariant: () => true,
    })
    await expect(exploring).rejects.toThrow('a call of one, then a call of other')
  })

  const random = (): Parameters<
    typeof explore<{ value: number }, { set(to: number): void }>
  >[0] => {
    let runs = 0
    const set = async (ports: { set: (to: number) => Promise<void> }) => ports.set((runs += 1))
    return {
      setup: () => ({ value: 0 }),
      ports: world => ({
        set: to => {
          world.value = to
        },
      }),
      tasks: [set, async ports => ports.set(0)],
      invariant: () => true,
    }
  }

  test('what a call is given: names that are new in every run do no harm', async () => {
    expect(await explore(random())).toMatchObject({ orders: 2n, holds: true })
  })

  test('what a call is given, where states are merged', async () => {
    const exploring = explore({ ...random(), state: ({ value }) => value })
    await expect(exploring).rejects.toThrow(
      'The start differs from run to run: set(1), then set(2)',
    )
  })

  test('a field that is read, where states are merged', async () => {
    const ports = (world: { value: number }) => ({
      ...steps().ports(null, 0),
      get value() {
        return world.value
      },
      set: (to: number) => {
        world.value = to
      },
    })
    const add = async (port: View<ReturnType<typeof ports>>) => {
      await port.step('before')
      await port.set(port.value + 1)
    }
    const exploring = explore({
      setup: () => ({ value: 0 }),
      ports,
      tasks: [add, add],
      invariant: () => true,
      state: ({ value }) => value,
    })
    await expect(exploring).rejects.toThrow('ports.value is not always the same')
  })

  test.each([
    ['fewer', [2, 1]],
    ['more', [2, 3]],
  ])('how many calls are made: %s', async (_, calls) => {
    let runs = 0
    const some = async ({ step }: { step: Step }) => {
      const all = calls[Math.min((runs += 1), 2) - 1] ?? 0
      await step('1')
      await Promise.all(Array.from({ length: all }, (_each, at) => step(`${at}`)))
    }
    await expect(explore(steps(some))).rejects.toMatchObject({ name: 'Nondeterminism', step: 1 })
  })

  test('an order that is replayed as it was is what it was', async () => {
    const { shortest } = await explore(shop(naive, naive))
    if (shortest === null) throw new Error('nothing was found')
    expect(await replay(shop(naive, naive), shortest)).toEqual(shortest)
    const richer = { ...shop(naive, naive), setup: () => ({ ...world(), balance: 200n }) }
    await expect(replay(richer, shortest)).rejects.toMatchObject({
      name: 'Nondeterminism',
      step: 2,
    })
  })
})
