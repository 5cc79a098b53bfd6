import { expect, test } from 'vitest'
import { FeeSchedule, type ScheduleVersion } from './schedule.ts'

const version = (from: string, more: Partial<ScheduleVersion> = {}): ScheduleVersion => ({
  from,
  fees: [{ role: 'platform', rate: { basisPoints: 1_000 } }],
  accounts: { platform: 'platform' },
  ...more,
})

test('the version in force is the last whose day has come, in UTC', () => {
  const schedule = new FeeSchedule('GBP/2', [version('2026-07-01'), version('2026-01-01')])
  const from = (instant: string) => schedule.at(instant)?.from
  expect(from('2025-12-31T23:59:59.999Z')).toBeUndefined()
  expect(from('2026-01-01T00:00:00.000Z')).toBe('2026-01-01')
  expect(from('2026-06-30T23:59:59.999Z')).toBe('2026-01-01')
  expect(from('2026-07-01T00:00:00.000Z')).toBe('2026-07-01')
  expect(schedule.from('2026-07-01')?.from).toBe('2026-07-01')
  expect(schedule.from('2026-07-02')).toBe(null)
})

const fee = (more: object) =>
  version('2026-01-01', { fees: [{ role: 'platform', rate: { basisPoints: 1 }, ...more }] })

test.each([
  ['versions[0].from: a day', [version('2026-02-30')]],
  ['versions: 1 to', []],
  ['versions[1].from: no day twice', [version('2026-01-01'), version('2026-01-01')]],
  ['versions[0].fees[0].role', [fee({ role: 'seller' })]],
  ['versions[0].fees[0].role', [fee({ role: 'Platform' })]],
  ['versions[0].fees[0].rate.basisPoints', [fee({ rate: { basisPoints: 0.5 } })]],
  ['versions[0].fees[0].rate.basisPoints', [fee({ rate: { basisPoints: 10_001 } })]],
  ['versions[0].fees[0].rate: whole', [fee({ rate: { numerator: 2n, denominator: 1n } })]],
  ['versions[0].fees[0].rate: whole', [fee({ rate: { numerator: 0n, denominator: 1n } })]],
  ['versions[0].fees[0].fixed', [fee({ fixed: 0n })]],
  ['versions[0].fees[0].minimum: at most', [fee({ minimum: 2n, maximum: 1n })]],
  ['versions[0].fees[0].of', [fee({ of: 'net' })]],
  ['versions[0].accounts.tax: no fee', [version('2026-01-01', { accounts: { tax: 'tax' } })]],
  ['versions[0].accounts.platform', [version('2026-01-01', { accounts: { platform: 'a b' } })]],
])('a bad schedule is thrown with the field: %s', (message, versions) => {
  expect(() => new FeeSchedule('GBP/2', versions)).toThrow(message)
})

test('a schedule keeps nothing that the caller can still change', () => {
  const fees = [{ role: 'platform', rate: { basisPoints: 1_000 } }]
  const schedule = new FeeSchedule('GBP/2', [version('2026-01-01', { fees })])
  fees.pop()
  expect(schedule.versions[0]?.fees).toHaveLength(1)
})
