import { expect, test } from 'vitest'
import { coverOf, provenUntil } from './cover.ts'

const ACCEPTED = '2026-11-05T08:00:00.000Z'

/** A final statement of one day, after one that closed with `before`. */
function day(name: string, before: bigint | null, opening: bigint | null, closing: bigint | null) {
  return {
    firstDay: name,
    lastDay: name,
    day: name,
    opening,
    closing,
    closingBefore: before,
    books: closing,
    final: true,
    accepted: ACCEPTED,
  }
}

const first = day('2026-11-02', null, 100n, 90n)
const second = day('2026-11-03', 90n, 90n, 80n)
const third = day('2026-11-04', 80n, 80n, 70n)

test('statements cover the days from the first to the last final one', () => {
  const cover = { accepted: ACCEPTED, provenFrom: '2026-11-02' }
  expect(coverOf([])).toBeNull()
  expect(coverOf([first, second, third])).toEqual({ ...cover, through: '2026-11-04' })
  expect(coverOf([first, { ...second, final: false }, third])?.through).toBe('2026-11-04')
  expect(coverOf([first, second, { ...third, final: false }])?.through).toBe('2026-11-03')
  expect(coverOf([{ ...first, final: false }])).toBeNull()
})

test('they cover nothing beyond a gap', () => {
  expect(coverOf([first, { ...third, closingBefore: 90n }])?.through).toBe('2026-11-02')
})

test('without balances there may be a gap, and the proof begins anew', () => {
  const unknown = day('2026-11-03', 90n, null, null)
  const after = { ...third, closingBefore: null }
  expect(coverOf([first, unknown])).toMatchObject({ through: '2026-11-03', provenFrom: null })
  expect(coverOf([first, unknown, after])?.provenFrom).toBe('2026-11-04')
  const opened = { ...second, opening: null }
  expect(coverOf([first, opened, third])?.provenFrom).toBe('2026-11-03')
})

test('where our books know of something else that the bank has moved, the proof begins a day later', () => {
  const unlike = { ...first, books: 95n }
  expect(coverOf([unlike])?.provenFrom).toBe('2026-11-03')
  expect(coverOf([unlike, second])).toMatchObject({
    through: '2026-11-03',
    provenFrom: '2026-11-03',
  })
})

test('without a day there may be a statement that added up to nothing, and the proof begins anew', () => {
  const later = day('2026-11-05', 80n, 80n, 70n)
  expect(coverOf([first, second, later])).toMatchObject({
    through: '2026-11-05',
    provenFrom: '2026-11-05',
  })
  const long = { ...first, lastDay: '2026-11-03', day: '2026-11-03' }
  const within = { ...second, firstDay: '2026-11-02' }
  const empty = { ...within, firstDay: null, lastDay: null }
  expect(coverOf([long, within, empty, third])?.provenFrom).toBe('2026-11-02')
})

test('what is proved ends with the shortest last day, and with what the file can show', () => {
  const since = '2026-11-02T12:00:00.000Z'
  const cover = coverOf([first, second])
  expect(provenUntil(cover, since, 0)).toBe('2026-11-03T10:00:00.000Z')
  expect(provenUntil(cover, since, 2)).toBe('2026-11-01T10:00:00.000Z')
  const early = coverOf([{ ...first, accepted: '2026-11-02T09:00:00.000Z' }])
  expect(provenUntil(early, since, 0)).toBe('2026-11-02T09:00:00.000Z')
})

test('nothing is proved for a payout from before, or by gaps that may be', () => {
  const since = '2026-11-02T12:00:00.000Z'
  const cover = coverOf([first, second])
  expect(provenUntil(null, since, 0)).toBeNull()
  expect(provenUntil(cover, '2026-11-02T11:59:59.999Z', 0)).toBeNull()
  expect(provenUntil(cover && { ...cover, provenFrom: null }, since, 0)).toBeNull()
})
