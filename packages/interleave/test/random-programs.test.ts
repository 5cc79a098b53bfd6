import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rounds } from '#testing/rounds.ts'
import { explore, type Fault } from '../src/index.ts'
import { countLines, programOf, stateOf, type Line, type Lines } from './random-programs.ts'

const RUNS = rounds({ usual: 300, long: 10_000 })

const one = fc.integer({ min: 0, max: 1 })
const line: fc.Arbitrary<Line> = fc.oneof(
  fc.record({ do: fc.constant('add' as const), to: one, amount: fc.integer({ min: 1, max: 2 }) }),
  fc.record({
    do: fc.constant('stop at' as const),
    of: one,
    least: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({ do: fc.constant('read' as const), of: one }),
  fc.record({ do: fc.constant('write' as const), to: one }),
  fc.record({
    do: fc.constantFrom('lock' as const, 'lock' as const, 'unlock' as const),
    lock: one,
  }),
)
const lines = fc.oneof(
  fc.array(fc.array(line, { maxLength: 4 }), { minLength: 1, maxLength: 2 }),
  fc.array(fc.array(line, { maxLength: 3 }), { minLength: 3, maxLength: 3 }),
)

const shortLines = fc.array(fc.array(line, { maxLength: 3 }), { minLength: 1, maxLength: 2 })

const shortestLines = fc.array(fc.array(line, { maxLength: 2 }), { minLength: 1, maxLength: 2 })

const kinds: readonly Fault[] = [
  'reply lost',
  'not sent',
  'crash before',
  'crash after',
  'delivered twice',
]

/** Holds the two ways to explore against the count that runs nothing. */
async function holdTogether(
  all: Lines,
  faults: { readonly kinds: readonly Fault[]; readonly most: number },
): Promise<bigint> {
  const program = { ...programOf(all), faults }
  const expected = {
    ...countLines(all, { ...faults, preemptions: Infinity }),
    exhaustive: true,
  }
  const run = await explore(program)
  const merged = await explore({ ...program, state: stateOf })
  expect(run).toMatchObject(expected)
  expect(merged).toMatchObject(expected)
  expect(merged.shortest?.wrong).toBe(run.shortest?.wrong)
  expect(merged.shortest?.switches).toBe(run.shortest?.switches)
  expect(merged.shortest?.steps.length).toBe(run.shortest?.steps.length)
  return expected.deadlocks
}

describe('every order run, merged states and a count without running agree', () => {
  test('on random programs, deadlocks included', { timeout: 600_000 }, async () => {
    let deadlocks = 0n
    await fc.assert(
      fc.asyncProperty(lines, async all => {
        deadlocks += await holdTogether(all, { kinds: [], most: 0 })
      }),
      { numRuns: RUNS },
    )
    expect(deadlocks).toBeGreaterThan(0n)
  })

  test('with one fault of any kinds', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(shortLines, fc.subarray([...kinds]), async (all, faults) => {
        await holdTogether(all, { kinds: faults, most: 1 })
      }),
      { numRuns: RUNS },
    )
  })

  test('with two faults of any kinds', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(shortestLines, fc.subarray([...kinds]), async (all, faults) => {
        await holdTogether(all, { kinds: faults, most: 2 })
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    )
  })

  test('with few preemptions', { timeout: 600_000 }, async () => {
    const most = fc.integer({ min: 0, max: 3 })
    await fc.assert(
      fc.asyncProperty(lines, most, async (all, preemptions) => {
        const limits = { kinds: [], most: 0, preemptions }
        const program = programOf(all)
        const report = await explore({ ...program, bounds: { preemptions } })
        const expected = countLines(all, limits)
        const { orders } = countLines(all, { ...limits, preemptions: Infinity })
        expect(report).toMatchObject({ ...expected, exhaustive: expected.orders === orders })
      }),
      { numRuns: RUNS },
    )
  })
})
