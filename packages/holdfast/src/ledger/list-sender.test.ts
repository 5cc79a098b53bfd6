import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ManualClock, ManualTimer } from '../../test/support/clock.ts'
import { leg, NEVER, open, transfer } from '../../test/support/commands.ts'
import { ConnectionLost, ScriptedStore, type Fate } from '../../test/support/scripted-store.ts'
import { addMs } from '../instant.ts'
import type { Command } from './command.ts'
import {
  LIST_DEADLINE_MS,
  ListSender,
  OutcomeUnknown,
  SENDS_MAX,
  type Sent,
} from './list-sender.ts'
import { ListNotApplied } from './store.ts'

const BOOK = 'book'
const fund = transfer('fund', leg('w', 'a', 10n))
const pay = transfer('pay', leg('a', 'b', 10n))

interface Setting {
  readonly store: ScriptedStore
  readonly clock: ManualClock
  readonly timer: ManualTimer
  /** One command, through the sender under test. */
  readonly send: (command: Command) => Promise<Sent | undefined>
  readonly sendAll: (...commands: Command[]) => Promise<Sent[]>
  /** What someone else does meanwhile. */
  readonly elsewhere: (...commands: Command[]) => Promise<void>
}

async function setting(...fates: Fate[]): Promise<Setting> {
  const clock = new ManualClock()
  const store = new ScriptedStore(clock)
  const timer = new ManualTimer(clock)
  const sender = new ListSender(store, BOOK, timer)
  await store.apply(BOOK, [open('w', null), open('a'), open('b')], NEVER)
  store.sent.length = 0
  store.deadlines.length = 0
  store.fates.push(...fates)
  return {
    store,
    clock,
    timer,
    send: async command => (await sender.send([command]))[0],
    sendAll: (...commands) => sender.send(commands),
    async elsewhere(...commands) {
      const later = store.fates.splice(0)
      await store.apply(BOOK, commands, NEVER)
      store.fates.push(...later)
    },
  }
}

const failed: Fate = { notApplied: 'failed' }
const moved = (key: string) => ({ ok: true, movement: { key } })

describe('an answer that arrives', () => {
  it('is given at once, also where it is a refusal', async () => {
    const { send, timer, store } = await setting()
    expect(await send(pay)).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } })
    expect(await send(fund)).toMatchObject({ ...moved('fund'), replayed: false })
    expect(timer.slept).toStrictEqual([])
    expect(store.sent).toHaveLength(2)
  })

  it('was sent with a deadline by the clock of the store', async () => {
    const { send, store, clock } = await setting()
    await send(fund)
    expect(store.deadlines).toStrictEqual([addMs(clock.now(), LIST_DEADLINE_MS)])
  })
})

describe('a lost answer', () => {
  it('to a list that was carried out: the stored answer, moved once', async () => {
    const { send, store } = await setting('reply lost')
    expect(await send(fund)).toMatchObject({ ...moved('fund'), replayed: true })
    expect(await store.account(BOOK, 'a')).toMatchObject({ posted: 10n, version: 1n })
    expect(store.sent).toStrictEqual([[fund], [fund]])
  })

  it('to a list that never arrived: moved once', async () => {
    const { send, store } = await setting('request lost', 'request lost')
    expect(await send(fund)).toMatchObject({ ...moved('fund'), replayed: false })
    expect(await store.account(BOOK, 'a')).toMatchObject({ posted: 10n, version: 1n })
  })

  it('is waited for: the first re-send goes without the deadline having passed', async () => {
    const { send, store, clock } = await setting('reply lost')
    const start = clock.now()
    await send(fund)
    const [first = ''] = store.deadlines
    expect(first).toBe(addMs(start, LIST_DEADLINE_MS))
    expect(clock.now() < first).toBe(true)
  })

  it('makes a refusal wait until no earlier send can act any more', async () => {
    const { send, store, clock } = await setting('request lost')
    expect(await send(pay)).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } })
    const [first = ''] = store.deadlines
    expect(clock.now() >= first).toBe(true)
    expect(store.sent.length).toBeGreaterThanOrEqual(3)
  })

  it('is contradicted by no copy that acts late: what it did is the answer', async () => {
    const { send, store, elsewhere } = await setting({ stuckForMs: 3_000 })
    const answer = send(pay)
    // The re-send is refused. Then the money comes, and then the stuck copy.
    await until(() => store.sent.length === 2)
    await elsewhere(fund)
    expect(await answer).toMatchObject({ ...moved('pay'), replayed: true })
    expect(await store.account(BOOK, 'b')).toMatchObject({ posted: 10n, version: 1n })
  })

  it('lets a copy that comes after its deadline do nothing', async () => {
    const { send, store, elsewhere } = await setting({ stuckForMs: 2 * LIST_DEADLINE_MS })
    expect(await send(pay)).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } })
    await elsewhere(fund)
    await store.letStuckArrive(true)
    expect(await store.movements(BOOK, 'pay')).toStrictEqual([])
  })

  it('waits for the latest deadline, also where the clock of the store steps back', async () => {
    const { send, store, clock } = await setting('request lost', 'request lost')
    const answer = send(pay)
    await until(() => store.sent.length === 1)
    clock.pass(-LIST_DEADLINE_MS)
    expect(await answer).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } })
    const [first = '', second = ''] = store.deadlines
    expect(second < first).toBe(true)
    expect(clock.now() >= first).toBe(true)
  })

  it('of some commands does not hold up what is certain', async () => {
    const { sendAll, store } = await setting('reply lost')
    const [funded, refused] = await sendAll(fund, transfer('more', leg('b', 'a', 1n)))
    expect(funded).toMatchObject(moved('fund'))
    expect(refused).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } })
    // Only what was not certain was sent again.
    expect(store.sent.map(list => list.length)).toStrictEqual([2, 2, 1])
  })

  it('every time: OutcomeUnknown, and the same command again answers it', async () => {
    const { send, store } = await setting(
      ...Array.from({ length: SENDS_MAX }, (): Fate => 'reply lost'),
    )
    const answer = await send(fund)
    expect(answer).toBeInstanceOf(OutcomeUnknown)
    expect((answer as Error).cause).toBeInstanceOf(ConnectionLost)
    expect(store.sent).toHaveLength(SENDS_MAX)
    expect(await send(fund)).toMatchObject({ ...moved('fund'), replayed: true })
    expect(await store.account(BOOK, 'a')).toMatchObject({ posted: 10n, version: 1n })
  })

  it('is unknown where the store goes away after a send', async () => {
    const { send, store } = await setting('reply lost')
    const answer = send(fund)
    await until(() => store.sent.length === 1)
    store.down = true
    expect(await answer).toBeInstanceOf(OutcomeUnknown)
  })
})

describe('a list that certainly did nothing', () => {
  it('for a conflict is sent again', async () => {
    const conflict: Fate = { notApplied: 'conflict' }
    const { send, store, timer } = await setting(conflict, conflict, conflict)
    expect(await send(fund)).toMatchObject({ ...moved('fund'), replayed: false })
    expect(store.sent).toHaveLength(4)
    // A little longer each time, and no waiting for a deadline.
    expect(timer.slept).toStrictEqual([15, 30, 60])
  })

  it('for a conflict makes no refusal wait', async () => {
    const { send, timer } = await setting({ notApplied: 'conflict' })
    expect(await send(pay)).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } })
    expect(timer.slept).toStrictEqual([15])
  })

  it('for its deadline is sent again with one by a fresh reading of the clock', async () => {
    const { send, store, clock } = await setting()
    await send(open('c'))
    // The store's clock jumps: what was read of it before is too early by an hour.
    clock.pass(3_600_000)
    expect(await send(fund)).toMatchObject({ ...moved('fund'), replayed: false })
    const [, stale = '', fresh = ''] = store.deadlines
    expect(stale < clock.now()).toBe(true)
    expect(fresh > clock.now()).toBe(true)
  })

  it('every time gives the error as it is: nobody needs to wonder', async () => {
    const { send, store } = await setting(
      ...Array.from({ length: SENDS_MAX }, (): Fate => ({ notApplied: 'conflict' })),
    )
    const answer = await send(fund)
    expect(answer).toBeInstanceOf(ListNotApplied)
    expect(answer).toMatchObject({ reason: 'conflict' })
    expect(store.sent).toHaveLength(SENDS_MAX)
  })

  it('because the store is away: its error, and no OutcomeUnknown', async () => {
    const { send, store } = await setting()
    store.down = true
    expect(await send(fund)).toBeInstanceOf(ConnectionLost)
    expect(store.sent).toStrictEqual([])
  })
})

describe('a command that makes the store fail every time', () => {
  const many = Array.from({ length: 9 }, (_, index) => transfer(`t${index}`, leg('w', 'a', 1n)))
  const isPoison = (command: Command) => 'key' in command && ['t2', 't7'].includes(command.key)

  it('is found, and fails no neighbour', async () => {
    const { sendAll, store } = await setting()
    store.poison = isPoison
    const answers = await sendAll(...many)
    for (const [index, answer] of answers.entries()) {
      if (index === 2 || index === 7)
        expect(answer).toMatchObject({ name: 'ListNotApplied', reason: 'failed' })
      else expect(answer).toMatchObject({ ...moved(`t${index}`), replayed: false })
    }
    expect(await store.account(BOOK, 'a')).toMatchObject({ posted: 7n, version: 7n })
    const keys = (await store.feed(BOOK, null, 100)).movements.map(movement => movement.key)
    expect(keys).toStrictEqual(['t0', 't1', 't3', 't4', 't5', 't6', 't8'])
  })

  it('is found with a number of sends that grows with the length of the list only', async () => {
    const { sendAll, store } = await setting()
    store.poison = () => true
    const answers = await sendAll(...many)
    expect(answers.every(answer => answer instanceof ListNotApplied)).toBe(true)
    expect(store.sent.length).toBeLessThan(2 * many.length)
  })

  it('is not said to have done nothing where an earlier send was lost', async () => {
    for (const lost of ['request lost', 'reply lost'] as const) {
      const { send, store } = await setting(lost, ...Array.from({ length: 9 }, (): Fate => failed))
      expect(await send(fund)).toBeInstanceOf(OutcomeUnknown)
      store.fates.length = 0
      expect(await send(fund)).toMatchObject({ ...moved('fund'), replayed: lost === 'reply lost' })
    }
  })
})

describe('whatever becomes of the lists', () => {
  const fates: fc.Arbitrary<Fate> = fc.oneof(
    { weight: 2, arbitrary: fc.constant('delivered' as const) },
    { weight: 2, arbitrary: fc.constantFrom('reply lost', 'request lost') },
    {
      weight: 4,
      arbitrary: fc
        .integer({ min: 0, max: 2 * LIST_DEADLINE_MS })
        .map(stuckForMs => ({ stuckForMs })),
    },
    { weight: 1, arbitrary: fc.constantFrom({ notApplied: 'conflict' }, { notApplied: 'failed' }) },
  )

  it('an answer once given is true for ever, and money moves at most once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fates, { maxLength: SENDS_MAX }),
        fc.nat({ max: SENDS_MAX }),
        async (script, fundedAt) => {
          const { send, store, elsewhere } = await setting(...script)
          const answering = send(pay)
          // The money comes between any two sends, or after the answer.
          let answer: Sent | undefined | null = null
          void answering.then(given => {
            answer = given
          })
          await until(() => answer !== null || store.sent.length >= fundedAt)
          await elsewhere(fund)
          const given = await answering
          await store.letStuckArrive(true)

          const movements = await store.movements(BOOK, 'pay')
          if (given instanceof Error) expect(given).not.toBeInstanceOf(TypeError)
          else if (given?.ok) expect(movements).toStrictEqual([given.movement])
          else expect(movements).toStrictEqual([])
          if (given instanceof ListNotApplied) expect(movements).toStrictEqual([])
          expect(await store.account(BOOK, 'b')).toMatchObject({
            posted: movements.length === 0 ? 0n : 10n,
          })
        },
      ),
      { numRuns: 500 },
    )
  })
})

/** Lets waiting promises run until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 10_000 && !isSo(); turn += 1) await Promise.resolve()
}
