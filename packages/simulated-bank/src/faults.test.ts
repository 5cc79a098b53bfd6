import { describe, expect, test } from 'vitest'
import { FAULT_KINDS, readFault, readSeededFaults, returnedBy, seededFault } from './faults.ts'
import type { Fault, FaultKind, SeededFaults } from './faults.ts'

const fault = (kind: FaultKind, amount: string | null = null): Fault => ({
  kind,
  delayMs: 0,
  sends: 1,
  reason: 'closed',
  amount,
})

describe('a fault by seed', () => {
  const seeded: SeededFaults = { seed: '7', rates: { refuse: 0.25, 'pay-late': 0.25 }, delayMs: 5 }
  const kinds = Array.from(
    { length: 4_000 },
    (_, n) => seededFault(seeded, `PAY${n}`)?.kind ?? null,
  )

  test('comes as often as its rate says', () => {
    const count = (kind: FaultKind | null): number => kinds.filter(one => one === kind).length
    expect(count('refuse')).toBeGreaterThan(900)
    expect(count('refuse')).toBeLessThan(1_100)
    expect(count('pay-late')).toBeGreaterThan(900)
    expect(count('pay-late')).toBeLessThan(1_100)
    expect(count('refuse') + count('pay-late') + count(null)).toBe(4_000)
  })

  test('depends on the seed and the id alone, not on the order of the rates', () => {
    const other: SeededFaults = { ...seeded, rates: { 'pay-late': 0.25, refuse: 0.25 } }
    expect(kinds.map((_, n) => seededFault(other, `PAY${n}`)?.kind ?? null)).toEqual(kinds)
    const reseeded = kinds.map((_, n) => seededFault({ ...seeded, seed: '8' }, `PAY${n}`)?.kind)
    expect(reseeded).not.toEqual(kinds)
  })

  test('always comes at a rate of 1, never at none', () => {
    const always: SeededFaults = { seed: '1', rates: { nonsense: 1 }, delayMs: 0 }
    const never: SeededFaults = { seed: '1', rates: {}, delayMs: 0 }
    expect(kinds.every((_, n) => seededFault(always, `PAY${n}`)?.kind === 'nonsense')).toBe(true)
    expect(kinds.some((_, n) => seededFault(never, `PAY${n}`) !== null)).toBe(false)
  })
})

test('a fault is read with its defaults', () => {
  expect(readFault({ id: 'A', kind: 'refuse' })).toEqual({
    id: 'A',
    fault: { kind: 'refuse', delayMs: 1_000, sends: 1, reason: 'account closed', amount: null },
  })
  expect(readSeededFaults({ seed: 7, rates: { refuse: 1 } })).toEqual({
    seed: '7',
    rates: { refuse: 1 },
    delayMs: 1_000,
  })
})

test.each([
  [[], 'the body'],
  [{ kind: 'refuse' }, 'id '],
  [{ id: 'A', kind: 'toString' }, 'kind '],
  [{ id: 'A', kind: 'pay-late', delayMs: 600_001 }, 'delayMs '],
  [{ id: 'A', kind: 'pay-late', delayMs: 1.5 }, 'delayMs '],
  [{ id: 'A', kind: 'answer-late', delayMs: null }, 'delayMs '],
  [{ id: 'A', kind: 'refuse', sends: 0 }, 'sends '],
  [{ id: 'A', kind: 'refuse', reason: '' }, 'reason '],
  [{ id: 'A', kind: 'return-part', amount: 5 }, 'amount '],
  [{ id: 'A', kind: 'return-part', amount: '0' }, 'amount '],
])('a wrong fault is named: %j', (body, start) => {
  expect(readFault(body)).toHaveProperty('problem', expect.stringMatching(new RegExp(`^${start}`)))
})

test.each([
  [{ seed: null, rates: {} }, 'seed '],
  [{ seed: 1 }, 'rates '],
  [{ seed: 1, rates: { typo: 0.1 } }, 'rates.typo '],
  [{ seed: 1, rates: { refuse: -0.1 } }, 'rates.refuse '],
  [{ seed: 1, rates: { refuse: '0.1' } }, 'rates.refuse '],
  [{ seed: 1, rates: { refuse: 0.6, nonsense: 0.6 } }, 'rates add up'],
  [{ seed: 1, rates: { 'answer-late': 0.1 }, delayMs: null }, 'delayMs '],
])('wrong rates are named: %j', (body, start) => {
  const read = readSeededFaults(body)
  expect(read).toHaveProperty('problem', expect.stringMatching(new RegExp(`^${start}`)))
})

test('what comes back is the whole, the amount that was named, or half, and never more than was paid', () => {
  expect(returnedBy(fault('return'), 101n)).toBe(101n)
  expect(returnedBy(fault('return-part'), 101n)).toBe(50n)
  expect(returnedBy(fault('return-part'), 1n)).toBe(1n)
  expect(returnedBy(fault('return-part', '30'), 101n)).toBe(30n)
  expect(returnedBy(fault('return-part', '102'), 101n)).toBe(101n)
  const others = FAULT_KINDS.filter(kind => !kind.startsWith('return'))
  expect(others.map(kind => returnedBy(fault(kind), 101n))).toEqual(others.map(() => null))
})
