import { describe, expect, test } from 'vitest'
import { explore, replay } from '../src/index.ts'
import { parseSchedule, scheduleOf } from '../src/choice.ts'
import { lockReadAndWrite, naive, reserve, shop } from './programs.ts'

describe('a schedule', () => {
  test.each(['', 'AABB', 'A2BA', 'A~B-C<D>E+', 'A+Aa', 'Z12z3'])(
    '%j is read as it is written',
    text => {
      expect(scheduleOf(parseSchedule(text))).toBe(text)
    },
  )

  test.each([
    ['A B', 2],
    ['1A', 1],
    ['AA?', 3],
    ['a+', 1],
    ['A0', 2],
    ['A4097', 1],
    ['Ä', 1],
  ])('%j is none from character %i', (text, at) => {
    expect(() => parseSchedule(text)).toThrow(
      new SyntaxError(`schedule: ${JSON.stringify(text)} is none from character ${at}`),
    )
  })
})

describe('a replay', () => {
  test('runs one order, with its steps and what came back', async () => {
    const order = await replay(shop(naive, naive), 'AABBBBAA')
    expect(order).toMatchObject({ schedule: 'AABBBBAA', wrong: 'violation', switches: 2 })
    expect(order.steps[1]).toEqual({
      task: 'A',
      call: 'account.read',
      args: [],
      reply: { ok: true, value: 100n },
    })
    expect((await replay(shop(naive, naive), 'AAAABB')).wrong).toBeNull()
  })

  test.each([
    ['a step of a task that has ended', 'AAAAA', 5, 'it could be taken'],
    ['a task that is not there', 'C', 1, 'it could be taken'],
    ['a step too few', 'AAAAB', 6, 'B can go on'],
    ['a step that waits for the lock', 'AABB', 4, 'it could be taken'],
  ])('%s is nondeterminism', async (name, schedule, step, message) => {
    const program = name.includes('lock')
      ? shop(lockReadAndWrite, lockReadAndWrite)
      : shop(naive, naive)
    const replayed = replay(program, schedule)
    await expect(replayed).rejects.toMatchObject({ name: 'Nondeterminism', step })
    await expect(replayed).rejects.toThrow(message)
  })

  test('of every order of an exploration gives the same order again', async () => {
    const faults = { most: 1 }
    const { shortest } = await explore({ ...shop(reserve, reserve), faults })
    if (shortest === null) throw new Error('nothing was found')
    expect(await replay(shop(reserve, reserve), shortest)).toEqual(shortest)
  })
})
