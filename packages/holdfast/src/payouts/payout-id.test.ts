import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPayoutId, payoutId } from './payout-id.ts'

test('an id is 15 characters of A-Z0-9, whatever the request key', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (book, key) => {
      expect(payoutId(book, key)).toMatch(/^[A-Z0-9]{15}$/)
    }),
  )
})

test('the same request always gets the same id', () => {
  // Computed apart from this code: SHA-256 of ["book-1","request-1"], modulo 36^15, in base 36.
  expect(payoutId('book-1', 'request-1')).toBe('PDCCMS1GPYY5EIZ')
})

test('a small remainder is filled up with zeros', () => {
  expect(payoutId('book-1', 'request-6')).toBe('0V6D6GACJ0XJQTA')
})

test('no two pairs of book and key share an id because they look alike side by side', () => {
  const pairs = [
    ['a', 'b"c'],
    ['a"b', 'c'],
    ['a', 'b,c'],
    ['a,b', 'c'],
    ['ab', 'c'],
    ['a', 'bc'],
    ['a","b', 'c'],
    ['a', 'b","c'],
    ['c', 'ab'],
  ] as const
  expect(new Set(pairs.map(([book, key]) => payoutId(book, key))).size).toBe(pairs.length)
})

test.each(['', 'LJEFGFT05TNCL4', 'LJEFGFT05TNCL4YY', 'ljefgft05tncl4y', 'LJEFGFT05TNCL4\n', 15])(
  '%j is no id',
  text => {
    expect(isPayoutId(text)).toBe(false)
  },
)
