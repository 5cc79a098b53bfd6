import { describe, expect, it } from 'vitest'
import { faultsOf } from './check-rules.ts'
import type { KeptLeg, Movement } from './movement.ts'

const LEG: KeptLeg = { from: ['a', 'b'], to: 'c', asset: 'EUR/2', amount: 9n, atLeast: 2n }

const TRANSFER: Movement = {
  book: 'book',
  key: 'key',
  part: 0,
  kind: 'transfer',
  legs: [LEG],
  moved: [[4n, 0n]],
  of: null,
  replaces: null,
  amounts: null,
  expiresInMs: null,
  effective: null,
  mayOwe: false,
  meta: null,
  reason: null,
  recorded: '2026-11-30T09:00:00.000Z',
}

function codes(change: Partial<Movement>): string[] {
  return faultsOf({ ...TRANSFER, ...change }).map(({ code }) => code)
}

function withLeg(change: Partial<KeptLeg>): Partial<Movement> {
  return { legs: [{ ...LEG, ...change }] }
}

describe('what is wrong with a movement by itself', () => {
  it.each<[string, Partial<Movement>]>([
    ['nothing', {}],
    ['all that was asked for', { moved: [[4n, 5n]] }],
    ['the least', { moved: [[1n, 1n]] }],
    ['a settle of less than the least', { kind: 'settle', part: 1, moved: [[1n, 0n]] }],
    ['a reversal of nothing of a leg', { kind: 'reverse', moved: [[0n, 0n]] }],
  ])('is nothing: %s', (_, change) => {
    expect(codes(change)).toEqual([])
  })

  it.each<[string, Partial<Movement>]>([
    ['no legs', { legs: [], moved: [] }],
    ['no source', { ...withLeg({ from: [] }), moved: [[]] }],
    ['a source twice', withLeg({ from: ['a', 'a'] })],
    ['a destination that is a source', withLeg({ to: 'b' })],
    ['at least nothing', withLeg({ atLeast: 0n })],
    ['at least more than the amount', withLeg({ atLeast: 10n })],
    ['an amount below zero', { moved: [[5n, -1n]] }],
    ['an amount too few', { moved: [[4n]] }],
    ['a leg too many in what moved', { moved: [[4n, 0n], [1n]] }],
  ])('is its form: %s', (_, change) => {
    expect(codes(change)).toEqual(['MOVEMENT_MALFORMED'])
  })

  it.each<[string, Partial<Movement>]>([
    ['a transfer of less', { moved: [[1n, 0n]] }],
    ['a transfer of more', { moved: [[5n, 5n]] }],
    ['a hold of less', { kind: 'hold', moved: [[1n, 0n]] }],
    ['a hold of more', { kind: 'hold', moved: [[9n, 1n]] }],
  ])('is what moved: %s', (_, change) => {
    expect(codes(change)).toEqual(['MOVED_OUTSIDE_LEG'])
  })
})
