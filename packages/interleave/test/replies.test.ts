import { describe, expect, test } from 'vitest'
import { explore, type View } from '../src/index.ts'

class Accepted {
  readonly id = 1
}
class Refused {
  readonly id = 1
}
class Money {
  readonly currency = 'EUR'
  readonly #amount: number
  constructor(amount: number) {
    this.#amount = amount
  }
  get amount(): number {
    return this.#amount
  }
}
class FirstError extends Error {}
class SecondError extends Error {}
const KEY = Symbol('key')
const list = (isMore: boolean) => Object.assign([1], { isMore })
const caught = (error: unknown) => ({ then: undefined, error })

/** Two replies that look alike, and how a task tells them apart. */
const CASES: [string, (isMore: boolean) => unknown, (reply: never) => boolean][] = [
  [
    'class',
    isMore => (isMore ? new Accepted() : new Refused()),
    (reply: object) => reply instanceof Accepted,
  ],
  [
    'private field',
    isMore => new Money(isMore ? 1 : 0),
    ({ amount }: { amount: number }) => amount > 0,
  ],
  ['symbol', isMore => ({ [KEY]: isMore }), (reply: { [KEY]: boolean }) => reply[KEY]],
  ['field of a list', list, (reply: { isMore: boolean }) => reply.isMore],
  [
    'order in a map',
    isMore => new Map(isMore ? [['a', 1] as const, ['b', 1]] : [['b', 1] as const, ['a', 1]]),
    (reply: Map<string, number>) => [...reply.keys()][0] === 'a',
  ],
  [
    'order of keys',
    isMore => (isMore ? { a: 1, b: 1 } : { b: 1, a: 1 }),
    (reply: object) => Object.keys(reply)[0] === 'a',
  ],
  [
    "error's cause",
    isMore => caught(new Error('no', { cause: isMore })),
    (reply: { error: Error }) => reply.error.cause === true,
  ],
  [
    "error's class",
    isMore => caught(isMore ? new FirstError('no') : new SecondError('no')),
    (reply: { error: Error }) => reply.error instanceof FirstError,
  ],
]

describe('replies that differ only in this are not taken for the same', () => {
  test.each(CASES)('%s', async (_, replyOf, tells) => {
    const ports = (world: { isMore: boolean }) => ({
      more: () => {
        world.isMore = true
      },
      get: () => replyOf(world.isMore),
      step: () => null,
    })
    type Ports = View<ReturnType<typeof ports>>
    const report = await explore({
      setup: () => ({ isMore: false }),
      ports,
      tasks: [
        async ({ get, step }: Ports) => {
          if (!tells((await get()) as never)) return
          await step()
          await step()
        },
        async ({ more, step }: Ports) => {
          await more()
          await step()
        },
      ],
      invariant: () => true,
    })
    // Read first: BB behind it. Read between, or last: two steps more.
    expect(report).toMatchObject({ orders: 5n, exhaustive: true })
  })
})
