import { expect, test } from 'vitest'
import { explore, type View } from '../src/index.ts'

interface Ports {
  readonly counter: { add(): number }
}

test('a task may put a proxy of its own around its view', async () => {
  const addTwice = async ({ counter }: View<Ports>) => {
    const logged = new Proxy(counter, {
      get: (target, name: 'add') => () => target[name](),
    })
    await logged.add()
    await logged.add()
  }
  const report = await explore({
    setup: () => ({ count: 0 }),
    ports: world => ({ counter: { add: () => (world.count += 1) } }),
    tasks: [addTwice, addTwice],
    invariant: ({ count }) => count === 4,
  })
  expect(report).toMatchObject({ orders: 6n, holds: true, exhaustive: true })
})
