import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../src/ledger/command.ts'
import type { Outcome } from '../../src/ledger/outcome.ts'
import {
  cut,
  FLEETING_MS,
  RANDOM_SETTING,
  randomLists,
  type RandomLists,
} from '../support/random-commands.ts'
import { HAS_REDIS } from '#testing/redis.ts'
import { rounds } from '#testing/rounds.ts'
import { MEMORY, MEMORY_OF_DOUBLES, PGLITE, POSTGRES, REDIS } from '../support/stores.ts'
import { Scene, type Subject } from '../support/subject.ts'

/** How many pairs of lists are tried on each store. */
const RUNS = rounds({ usual: 100, long: 10_000 })
const TIMEOUT_MS = 60_000 + RUNS * 1_000

describe('decide, in memory', () => {
  it(
    'answers the same however the commands are cut into lists',
    { timeout: TIMEOUT_MS },
    async () => {
      await fc.assert(
        fc.asyncProperty(randomLists, async lists => {
          const [whole, inParts] = await Promise.all([
            play(await MEMORY.make(), lists, [lists.later]),
            play(await MEMORY.make(), lists, cut(lists.later, lists.cuts)),
          ])
          expect(inParts).toStrictEqual(whole)
        }),
        { numRuns: RUNS },
      )
    },
  )
})

const PAIRS = [
  { ...PGLITE, model: MEMORY },
  { ...POSTGRES, model: MEMORY },
  ...(HAS_REDIS ? [{ ...REDIS, model: MEMORY_OF_DOUBLES }] : []),
]

describe.each(PAIRS)('$name', ({ make, model }) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await make()
  })
  afterAll(() => subject.close())

  it('answers as decide does, in one list and in several', { timeout: TIMEOUT_MS }, async () => {
    await fc.assert(
      fc.asyncProperty(randomLists, async lists => {
        const right = await play(await model.make(), lists, [lists.later])
        expect(await play(subject, lists, [lists.later])).toStrictEqual(right)
        expect(await play(subject, lists, cut(lists.later, lists.cuts))).toStrictEqual(right)
      }),
      { numRuns: RUNS },
    )
  })
})

/** All that can be seen of a book after the lists, without its name and its times. */
async function play(
  subject: Subject,
  { first }: RandomLists,
  later: readonly (readonly Command[])[],
): Promise<unknown> {
  const s = new Scene(subject)
  const outcomes: Outcome[] = await s.send(...RANDOM_SETTING, ...first)
  await subject.passTime(FLEETING_MS)
  const expired = await s.store.expiredHolds(s.book, 100)
  for (const list of later) outcomes.push(...(await s.send(...list)))
  const accounts = await s.store.accounts(s.book, { limit: 100 })
  const { movements } = await s.store.feed(s.book, null, 1000)
  const entries = await s.store.allEntries(s.book, null, 1000)
  return timeless({ outcomes, expired: [...expired].sort(), accounts, movements, entries })
}

function timeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(timeless)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).filter(([name]) => name !== 'recorded' && name !== 'book')
  return Object.fromEntries(fields.map(([name, field]) => [name, timeless(field)]))
}
