import { expect, test } from 'vitest'
import { explore, type Options } from '../src/index.ts'
import { naive, shop, shopState } from './programs.ts'

const program = shop(naive, naive)

test.each<[string, object, string]>([
  ['no task', { tasks: [] }, 'tasks: there have to be 1 to 26, and there are 0'],
  ['too many', { tasks: Array.from({ length: 27 }, () => naive) }, 'there are 27'],
  ['what is no task', { tasks: [naive, 1] }, 'tasks[1]: it has to be a function'],
  ['tasks that are no list', { tasks: naive }, 'tasks: it has to be an array of functions'],
  ['no invariant', { invariant: undefined }, 'invariant: it has to be a function'],
  ['a state that is none', { state: 3 }, 'state: it has to be a function'],
  ['no order', { bounds: { orders: 0 } }, 'bounds.orders: 0 is no whole number from 1 on'],
  ['half a preemption', { bounds: { preemptions: 0.5 } }, 'bounds.preemptions: 0.5'],
  ['no time', { bounds: { timeMs: -1 } }, 'bounds.timeMs: -1'],
  ['a seed that is none', { random: { seed: NaN } }, 'random.seed: NaN'],
  ['changes that are none', { random: { seed: 1, changes: -1 } }, 'random.changes: -1'],
  ['faults that are none', { faults: { most: Infinity } }, 'faults.most: Infinity'],
  ['an unknown fault', { faults: { most: 1, kinds: ['flood'] } }, 'faults.kinds: flood is none of'],
  [
    'preemptions of merged states',
    { bounds: { preemptions: 1 }, state: shopState },
    'bounds.preemptions: it goes neither with state nor with random',
  ],
  ['a state with a function', { state: () => ({ f: () => 1 }) }, 'state: it has to be plain data'],
])('%s is refused', async (_, changed, message) => {
  const exploring = explore({ ...program, ...(changed as Options) })
  await expect(exploring).rejects.toMatchObject({ name: 'InvalidProgram' })
  await expect(exploring).rejects.toThrow(message)
})

test('states are not merged over replies that cannot be compared', async () => {
  const merged = explore({
    setup: () => null,
    ports: () => ({ open: () => () => 1, close: () => undefined }),
    tasks: [
      async ({ open, close }) => {
        await open()
        await close()
      },
    ],
    invariant: () => true,
    state: () => '',
  })
  await expect(merged).rejects.toThrow('gave what cannot be compared')
})
