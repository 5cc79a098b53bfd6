import { expect, test } from 'vitest'
import { calendarDay, isoDay } from './dates.ts'

test.each([
  ['2026-11-30', '2026-11-30'],
  ['2026-11-30Z', '2026-11-30'],
  ['2026-11-30+02:00', '2026-11-30'],
  ['2026-11-30T23:59:59-12:00', '2026-11-30'],
  ['2026-11-30T00:30:00.123456789+14:00', '2026-11-30'],
  ['2026-11-30T09:00', '2026-11-30'],
  ['2026-11-30T24:00:00', '2026-11-30'],
  ['2028-02-29', '2028-02-29'],
])('%s is printed on %s, whatever the zone', (text, day) => {
  expect(isoDay(text)).toBe(day)
})

test.each([
  '2026-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '0000-01-01',
  '2026-1-5',
  '20260105',
  '05.01.2026',
  '2026-11-30T25:00:00',
  '2026-11-30 09:00',
  ' 2026-11-30',
  '2026-11-30x',
  '',
])('%j is no day', text => {
  expect(isoDay(text)).toBeNull()
})

test('digits are a day where the calendar has it', () => {
  expect(calendarDay('2026', '1', '5')).toBe('2026-01-05')
  expect(calendarDay('2026', '2', '30')).toBeNull()
  expect(calendarDay('2026', undefined, '1')).toBeNull()
})
