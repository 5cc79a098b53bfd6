import { describe, expect, test } from 'vitest'
import { explore, replay, ReplyLost, type Fault, type Program, type View } from '../src/index.ts'
import { reserve, shop } from './programs.ts'

interface World {
  balance: bigint
  readonly keys: Set<string>
}

const portsOf = (world: World) => ({
  add: (amount: bigint) => {
    world.balance += amount
  },
  /** Does nothing the second time. */
  addOnce: (key: string, amount: bigint) => {
    if (world.keys.has(key)) return
    world.keys.add(key)
    world.balance += amount
  },
})
type Ports = View<ReturnType<typeof portsOf>>

function adding(
  task: (ports: Ports) => Promise<unknown>,
  isWell: (balance: bigint) => boolean,
): Program<World, ReturnType<typeof portsOf>> {
  return {
    setup: () => ({ balance: 0n, keys: new Set() }),
    ports: portsOf,
    tasks: [task],
    invariant: ({ balance }) => isWell(balance),
  }
}

const three = async ({ add }: Ports) => {
  await add(1n)
  await add(1n)
  await add(1n)
}

describe('one fault in three steps is counted exactly', () => {
  test.each<[Fault, bigint]>([
    // Once without, and once at each step.
    ['reply lost', 4n],
    ['not sent', 4n],
    ['crash before', 4n],
    ['crash after', 4n],
    // The copy of the first step comes after it, after the second, or after the third.
    ['delivered twice', 7n],
  ])('%s', async (fault, orders) => {
    const program = adding(three, () => true)
    const report = await explore({ ...program, faults: { most: 1, kinds: [fault] } })
    expect(report).toMatchObject({ orders, exhaustive: true, holds: true })
  })

  test('none, where none is asked for', async () => {
    expect(await explore(adding(three, () => true))).toMatchObject({ orders: 1n })
    const none = { most: 0, kinds: ['not sent'] as const }
    expect(await explore({ ...adding(three, () => true), faults: none })).toMatchObject({
      orders: 1n,
    })
  })

  test('two of them may come in one order', async () => {
    const again = async ({ add }: Ports) => {
      for (let tries = 0; tries < 3; tries += 1) {
        try {
          await add(1n)
          return
        } catch {
          continue
        }
      }
    }
    const program = adding(again, () => true)
    const kinds = ['not sent'] as const
    // No fault; one and then well; two and then well.
    expect(await explore({ ...program, faults: { most: 2, kinds } })).toMatchObject({ orders: 3n })
    expect(await explore({ ...program, faults: { most: 1, kinds } })).toMatchObject({ orders: 2n })
  })
})

describe('what a fault does', () => {
  test('a lost reply has its effect, and one that was not sent has none', async () => {
    const one = adding(
      ({ add }) => add(1n),
      balance => balance === 1n,
    )
    const lost = await replay(one, 'A~')
    expect(lost).toMatchObject({ wrong: null, outcomes: [{ status: 'threw' }] })
    expect(lost.outcomes[0]).toMatchObject({ error: new ReplyLost('add') })
    expect(lost.steps[0]).toMatchObject({ fault: 'reply lost', reply: { ok: true } })
    const notSent = await replay(one, 'A-')
    expect(notSent).toMatchObject({ wrong: 'violation', outcomes: [{ status: 'threw' }] })
    expect(notSent.steps[0]).toMatchObject({ fault: 'not sent', reply: null })
  })

  test('an error that says it was caused by a lost reply is no error of the task', async () => {
    const wrapping = async ({ add }: Ports) => {
      await add(1n).catch((cause: unknown) => {
        throw new Error('unknown', { cause })
      })
    }
    const faults = { most: 1, kinds: ['reply lost'] as const }
    const report = await explore({ ...adding(wrapping, () => true), faults })
    expect(report).toMatchObject({ orders: 2n, errors: 0n, holds: true })
  })

  test('a retry after a lost reply adds twice, unless a key is kept', async () => {
    const faults = { most: 1, kinds: ['reply lost', 'not sent'] as const }
    const retrying =
      (send: (ports: Ports) => Promise<unknown>) =>
      async (ports: Ports): Promise<void> => {
        await send(ports).catch(() => send(ports))
      }
    const isOnce = (balance: bigint) => balance === 1n
    const naive = await explore({
      ...adding(
        retrying(({ add }) => add(1n)),
        isOnce,
      ),
      faults,
    })
    expect(naive).toMatchObject({ orders: 3n, violations: 1n })
    expect(naive.shortest?.schedule).toBe('A~A')
    const keyed = await explore({
      ...adding(
        retrying(({ addOnce }) => addOnce('k', 1n)),
        isOnce,
      ),
      faults,
    })
    expect(keyed).toMatchObject({ orders: 3n, holds: true })
  })

  test('a lost reply that no task waits for is no error of the process', async () => {
    const floating = async ({ add }: Ports) => {
      void add(1n)
      await add(1n)
    }
    const faults = { most: 1, kinds: ['reply lost', 'not sent'] as const }
    const report = await explore({ ...adding(floating, () => true), faults })
    // Two orders of two calls, and in each a fault at one of them, of two kinds; or none.
    expect(report).toMatchObject({ orders: 10n, holds: true })
  })

  test('a copy of a step comes late, and nobody hears of it', async () => {
    const program = adding(three, balance => balance === 3n)
    const faults = { most: 1, kinds: ['delivered twice'] as const }
    const report = await explore({ ...program, faults })
    expect(report).toMatchObject({ orders: 7n, violations: 6n })
    const late = await replay(program, 'A+AAa')
    expect(late.steps.at(-1)).toMatchObject({ task: 'A', call: 'add', isCopy: true })
    expect(late.outcomes).toEqual([{ status: 'returned', value: undefined }])
  })

  test('after a crash the task is gone, and comes back with restart', async () => {
    const seen: number[] = []
    const program = {
      ...adding(three, balance => balance === 11n),
      restart: async ({ add }: Ports, task: number) => {
        seen.push(task)
        await add(10n)
      },
    }
    expect(await replay(program, 'A>A')).toMatchObject({ wrong: null })
    expect(await replay(program, 'AA<A')).toMatchObject({ wrong: null })
    expect(seen).toEqual([0, 0])
    const { restart, ...gone } = program
    expect(restart).toBeDefined()
    const order = await replay(gone, 'A<')
    expect(order).toMatchObject({ wrong: 'violation', outcomes: [{ status: 'crashed' }] })
  })
})

test('reserve loses money in no order, whatever one fault there is', async () => {
  const report = await explore({
    ...shop(reserve, reserve),
    // A reservation whose payment is not known stays: it is not lost.
    invariant: ({ balance, held, paid }) =>
      balance + held === 100n || balance + held + paid === 100n,
    faults: { most: 1, kinds: ['reply lost', 'not sent', 'crash before', 'crash after'] },
  })
  expect(report).toMatchObject({ exhaustive: true, holds: true })
})
