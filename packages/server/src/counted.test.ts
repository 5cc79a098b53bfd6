import { expect, test } from 'vitest'
import { counted } from './counted.ts'

test.each([
  [counted(0, 'row'), '0 rows'],
  [counted(1, 'row'), '1 row'],
  [counted(2, 'row'), '2 rows'],
  [counted(1, 'entry', 'entries'), '1 entry'],
  [counted(2, 'entry', 'entries'), '2 entries'],
])('%s', (text, right) => {
  expect(text).toBe(right)
})
