import { describe, expect, it } from 'vitest'
import { EntryHash } from './check-hash.ts'
import type { Entry } from './movement.ts'

const ENTRY: Omit<Entry, 'book' | 'account'> = {
  version: 1n,
  key: 'fund',
  part: 0,
  posted: 100n,
  held: 0n,
  recorded: '2026-11-30T09:00:00.000Z',
}

function hashOf(entries: readonly (typeof ENTRY)[]): EntryHash {
  const hash = new EntryHash()
  for (const entry of entries) hash.add(entry)
  return hash
}

describe('the hash over entries', () => {
  it('is the same for the same entries', () => {
    expect(hashOf([ENTRY, ENTRY]).equals(hashOf([ENTRY, ENTRY]))).toBe(true)
  })

  it.each<Partial<typeof ENTRY>>([
    { version: 2n },
    { key: 'fuod' },
    { part: 1 },
    { posted: 101n },
    { posted: -100n },
    { held: 1n },
    { recorded: '2026-11-30T09:00:00.001Z' },
  ])('never forgets that an early entry differed in %o', change => {
    const later = Array.from({ length: 1_000 }, () => ENTRY)
    const changed = hashOf([{ ...ENTRY, ...change }, ...later])
    expect(changed.equals(hashOf([ENTRY, ...later]))).toBe(false)
  })

  it('depends on the order of the entries', () => {
    const other = { ...ENTRY, key: 'buy' }
    expect(hashOf([ENTRY, other]).equals(hashOf([other, ENTRY]))).toBe(false)
  })
})
