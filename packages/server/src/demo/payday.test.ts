import { expect, test } from 'vitest'
import { paydayBook } from './payday.ts'

test('a seed has one book in a database of the run, so that it repeats its faults', () => {
  expect(paydayBook({ seed: 8, databaseUrl: null })).toBe('payday-8')
})

test("a run has a book of its own in the user's database", () => {
  expect(paydayBook({ seed: 8, databaseUrl: 'postgres://h/x' })).toMatch(/^payday-8-\d{13}$/)
})
