import { describe, expect, it } from 'vitest'
import { ManualClock, ManualTimer } from '../../test/support/clock.ts'
import { MemoryStore } from '../stores/memory/memory-store.ts'
import { addMs, msBetween } from '../instant.ts'
import { StoreClock } from './store-clock.ts'

/** A store whose clock is an hour ahead of ours, and which is slow to tell. */
function setting(answerTakesMs = 0) {
  const server = new ManualClock('2026-11-30T10:00:00.000Z')
  const timer = new ManualTimer(server)
  const store = new MemoryStore(server)
  let questions = 0
  const now = store.now.bind(store)
  store.now = async () => {
    questions += 1
    const instant = await now()
    await timer.sleep(answerTakesMs)
    return instant
  }
  return { server, timer, clock: new StoreClock(store, 'book', timer), questions: () => questions }
}

it('reads the clock of the store once and counts on from there', async () => {
  const { server, timer, clock, questions } = setting()
  expect(await clock.now()).toBe(server.now())
  await timer.sleep(1_234)
  expect(await clock.now()).toBe(server.now())
  expect(questions()).toBe(1)
})

it('is late by at most what the reading took, and never early', async () => {
  const { server, timer, clock } = setting(40)
  for (let turn = 0; turn < 5; turn += 1) {
    const late = msBetween(await clock.now(), server.now())
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThanOrEqual(40)
    await timer.sleep(7_000)
  }
})

it('reads again what is old, and what it was told to forget', async () => {
  const { server, timer, clock, questions } = setting()
  await clock.now()
  await timer.sleep(60_000)
  await clock.now()
  expect(questions()).toBe(2)
  server.pass(3_600_000)
  expect(await clock.now()).not.toBe(server.now())
  clock.forget()
  expect(await clock.now()).toBe(server.now())
})

describe('waiting until an instant', () => {
  it('ends when the store itself says that it has passed', async () => {
    const { server, clock, questions } = setting()
    const instant = addMs(server.now(), 1_000)
    expect(await clock.waitUntil(instant, 250, 60)).toBe(true)
    expect(server.now()).toBe(instant)
    expect(questions()).toBe(5)
  })

  it('gives up after so many questions', async () => {
    const { server, clock, questions } = setting()
    expect(await clock.waitUntil(addMs(server.now(), 3_600_000), 250, 60)).toBe(false)
    expect(questions()).toBe(60)
  })
})
