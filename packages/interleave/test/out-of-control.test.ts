import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { explore, replay, type Program } from '../src/index.ts'
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
