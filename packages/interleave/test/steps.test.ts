import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { explore, formatReport, replay, type Program, type View } from '../src/index.ts'

interface Log {
  readonly said: string[]
}

interface Ports {
  readonly say: (what: string) => string
}

/** Tasks that only say things; nothing can go wrong. */
function talk(...tasks: Program<Log, Ports>['tasks']): Program<Log, Ports> {
  return {
    setup: () => ({ said: [] }),
    ports: ({ said }) => ({
      say: what => {
        said.push(what)
        return what
      },
    }),
    tasks,
    invariant: () => true,
  }
}

const nothing = async (): Promise<void> => {
  // Awaits nothing that lasts.
}

describe('what is a step', () => {
  test('only a call on a port: two tasks of two calls have six orders', async () => {
    const two = async ({ say }: { say: (what: string) => Promise<string> }) => {
      await say('1')
      await say('2')
    }
    expect(await explore(talk(two, two))).toMatchObject({ orders: 6n, runs: 6 })
  })

  test('awaits between calls change nothing, however many they are', async () => {
    const deep = async (depth: number): Promise<void> => {
      await nothing()
      if (depth > 0) await deep(depth - 1)
    }
    const slow = async ({ say }: { say: (what: string) => Promise<string> }) => {
      await deep(8)
      await say('1')
      await deep(8)
      await say('2')
      await deep(8)
    }
    expect(await explore(talk(slow, slow))).toMatchObject({ orders: 6n, runs: 6 })
  })

  test('calls that wait at once are enabled at once', async () => {
    const both = async ({ say }: { say: (what: string) => Promise<string> }) => {
      await Promise.all([say('1'), say('2')])
    }
    // Two calls in either order, then 4 steps of two tasks: 2 * 2 * 6.
    expect(await explore(talk(both))).toMatchObject({ orders: 2n })
    expect(await explore(talk(both, both))).toMatchObject({ orders: 24n })
  })

  test('a branch that makes its first call late is enabled with the others', async () => {
    const branches = async ({ say }: { say: (what: string) => Promise<string> }) => {
      const late = async () => {
        for (let hop = 0; hop < 5; hop += 1) await nothing()
        return say('late')
      }
      await Promise.all([say('early'), late()])
    }
    expect(await explore(talk(branches))).toMatchObject({ orders: 2n })
  })

  test('the first reply counts in a race, and the other call is still made', async () => {
    const race = async ({ say }: { say: (what: string) => Promise<string> }) => {
      const first = await Promise.race([say('1'), say('2')])
      await say(`${first} won`)
    }
    // The winner first; then its announcement and the loser in either order.
    expect(await explore(talk(race))).toMatchObject({ orders: 4n })
  })

  test('a branch that makes no call has its say before the next step, in every run', async () => {
    const ports = (world: { value: number }) => ({
      say: (what: string) => what,
      set: (value: number) => {
        world.value = value
      },
    })
    type Ports = View<ReturnType<typeof ports>>
    const report = await explore({
      setup: () => ({ value: 0 }),
      ports,
      tasks: [
        async ({ say, set }: Ports) => {
          let value = 0
          const first = say('first')
          const calls = first.then(async () => {
            await say('second')
            await set(value)
          })
          const counts = first.then(async () => {
            for (let hop = 0; hop < 50; hop += 1) await nothing()
            value = 1
          })
          await Promise.all([calls, counts])
        },
        async ({ say }: Ports) => {
          await say('1')
          await say('2')
        },
      ],
      invariant: ({ value }) => value === 1,
    })
    expect(report).toMatchObject({ orders: 10n, violations: 0n })
  })

  test('a task need not give a promise', async () => {
    const report = await explore({
      ...talk(),
      // As it may come from JavaScript, or from `() => void`.
      tasks: [(({ say }: Ports) => void say('1')) as never, () => 2 as never],
      invariant: (_, outcomes) => outcomes.every(({ status }) => status === 'returned'),
    })
    expect(report).toMatchObject({ orders: 1n, holds: true })
  })

  test('what a task does before it awaits is done before the next step', async () => {
    const program: Program<Log, { readonly step: () => void }> = {
      setup: () => ({ said: [] }),
      ports: ({ said }) => ({ step: () => said.push('step') }),
      tasks: [
        async ({ step }) => {
          const done = step()
          seen.at(-1)?.push('called')
          await done
        },
      ],
      invariant: ({ said }) => {
        seen.at(-1)?.push(...said)
        return true
      },
    }
    const seen: string[][] = [[]]
    await explore({
      ...program,
      setup: () => {
        seen.push([])
        return { said: [] }
      },
      tasks: [...program.tasks, ...program.tasks],
    })
    for (const each of seen.slice(1)) expect(each).toEqual(['called', 'called', 'step', 'step'])
  })

  test('methods keep their object, and namespaces and plain values are passed on', async () => {
    class Counter {
      #count = 0
      readonly step = 3
      add(amount: number): number {
        this.#count += amount
        return this.#count
      }
    }
    const report = await explore({
      setup: () => ({ inner: { counter: new Counter() }, name: 'x' }),
      ports: world => world,
      tasks: [
        async ({ inner, name }) => {
          const { counter } = inner
          await counter.add(counter.step)
          return `${name} ${await counter.add(1)}`
        },
      ],
      invariant: (_, [outcome]) => outcome?.status === 'returned' && outcome.value === 'x 4',
    })
    expect(report).toMatchObject({ orders: 1n, holds: true })
    expect(report.exhaustive).toBe(true)
  })

  test('a port whose methods are asynchronous is waited for', async () => {
    const ports = (world: { balance: number }) => ({
      read: async () => {
        await nothing()
        return world.balance
      },
      write: async (to: number) => {
        await sleep(1)
        world.balance = to
      },
    })
    const double = async ({ read, write }: View<ReturnType<typeof ports>>) => {
      await write((await read()) * 2)
    }
    const report = await explore({
      setup: () => ({ balance: 1 }),
      ports,
      tasks: [double, double],
      invariant: ({ balance }) => balance === 4,
    })
    expect(report).toMatchObject({ orders: 6n, violations: 4n, exhaustive: true })
  })
})

describe('how an order goes wrong', () => {
  test('a task that throws is an error, and no violation', async () => {
    const report = await explore({
      ...talk(async ({ say }) => {
        await say('1')
        throw new Error('broken')
      }),
    })
    expect(report).toMatchObject({ orders: 1n, errors: 1n, violations: 0n, holds: false })
    expect(report.shortest).toMatchObject({ wrong: 'error', schedule: 'A' })
  })

  test('an invariant may throw, as assert does; it must not answer nothing', async () => {
    const program = talk(async ({ say }) => say('1'))
    const throwing = () => {
      throw new Error('assert')
    }
    const thrown = await explore({ ...program, invariant: throwing })
    expect(thrown).toMatchObject({ violations: 1n, shortest: { thrown: new Error('assert') } })
    expect(formatReport(thrown)).toContain('\nThe invariant threw Error: assert')
    const rejecting = () => Promise.reject(new Error('late'))
    expect(await explore({ ...program, invariant: rejecting })).toMatchObject({
      violations: 1n,
      shortest: { thrown: new Error('late') },
    })
    const silent = (() => undefined) as unknown as () => boolean
    await expect(explore({ ...program, invariant: silent })).rejects.toThrow(
      'invariant gave undefined: it has to give true or false',
    )
    const late = () => Promise.resolve(false)
    expect(await explore({ ...program, invariant: late })).toMatchObject({ violations: 1n })
  })

  test('what setup and ports throw is thrown', async () => {
    const program = talk(async ({ say }) => say('1'))
    const broken = () => {
      throw new Error('no world')
    }
    await expect(explore({ ...program, setup: broken })).rejects.toThrow('no world')
    await expect(explore({ ...program, ports: broken })).rejects.toThrow('no world')
    const rejected = () => Promise.reject(new Error('no world'))
    await expect(explore({ ...program, setup: rejected })).rejects.toThrow('no world')
  })

  test('a view cannot be written to', async () => {
    const program = talk(async ports => {
      Object.assign(ports, { say: null })
      await nothing()
    })
    const { outcomes } = await replay(program, '')
    expect(outcomes[0]).toMatchObject({
      status: 'threw',
      error: { message: 'A task cannot set say: ports are for calls' },
    })
  })
})

test('what a task does right after a call comes before the next step', async () => {
  interface Log {
    readonly lines: string[]
  }
  const logs = async ({ say }: { say: (what: string) => Promise<void> }) => {
    for (const what of ['1', '2']) {
      const said = say(what)
      // Not a step: but in every order it stands before what the call says.
      lines.push(`before ${what}`)
      await said
    }
  }
  let lines: string[] = []
  const report = await explore({
    setup: (): Log => {
      lines = []
      return { lines }
    },
    ports: log => ({
      say: (what: string) => {
        log.lines.push(`said ${what}`)
      },
    }),
    tasks: [logs],
    invariant: log => log.lines.join() === 'before 1,said 1,before 2,said 2',
    // Runs it again when all is counted and known, too.
    random: { seed: 1 },
    bounds: { orders: 3 },
  })
  expect(report).toMatchObject({ orders: 3n, violations: 0n })
})
