import { describe, expect, it } from 'vitest'
import { ManualClock } from '../../../test/support/clock.ts'
import { hold, leg, NEVER, open, settle, transfer } from '../../../test/support/commands.ts'
import { movementOf } from '../../../test/support/subject.ts'
import { MemoryStore } from './memory-store.ts'

// The contract is tested by the conformance suite; here stands what only this store can show.

it('answers later, and with a rejection where it throws', async () => {
  const store = new MemoryStore(new ManualClock())
  let thrown: unknown = null
  let late: Promise<unknown> = Promise.resolve()
  try {
    late = store.apply('book', [open('a')], '2000-01-01T00:00:00.000Z')
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeNull()
  await expect(late).rejects.toMatchObject({ reason: 'deadline' })
})

describe('the times of an account', () => {
  it('never go back, also where the clock does', async () => {
    const clock = new ManualClock()
    const store = new MemoryStore(clock)
    const outcomes = await store.apply(
      'book',
      [open('w', null), open('a'), transfer('t1', leg('w', 'a', 1n))],
      NEVER,
    )
    clock.pass(-60_000)
    outcomes.push(...(await store.apply('book', [transfer('t2', leg('w', 'a', 1n))], NEVER)))
    clock.pass(120_000)
    outcomes.push(...(await store.apply('book', [transfer('t3', leg('w', 'a', 1n))], NEVER)))
    const times = outcomes.slice(2).map(outcome => movementOf(outcome).recorded)
    expect(times).toStrictEqual([...times].sort())
    expect(times[0]).toBe(times[1])
    expect(await store.account('book', 'a', times[1])).toMatchObject({ posted: 2n, version: 2n })
  })
})

it('keeps nothing that the caller can still change', async () => {
  const store = new MemoryStore(new ManualClock())
  const from = ['w']
  const amounts = [3n]
  const meta = { tags: ['first'] }
  await store.apply(
    'book',
    [
      open('w', null),
      open('a'),
      hold('h', { from, to: 'a', asset: 'EUR/2', amount: 5n }, { meta }),
      { do: 'settle', hold: 'h', amounts },
    ],
    NEVER,
  )
  from.push('x')
  amounts[0] = 4n
  meta.tags.push('second')
  expect(await store.movements('book', 'h')).toMatchObject([
    { legs: [{ from: ['w'] }], meta: { tags: ['first'] } },
    { amounts: [3n], moved: [[3n]] },
  ])
  expect(await store.apply('book', [settle('h', 3n)], NEVER)).toMatchObject([{ replayed: true }])
})
