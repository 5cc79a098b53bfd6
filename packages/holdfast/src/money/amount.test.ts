import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AMOUNT_MAX, formatDecimal, parseDecimal } from './amount.ts'

describe('parseDecimal', () => {
  test.each([
    ['10.05', 2, 1005n],
    ['10', 2, 1000n],
    ['10.5', 2, 1050n],
    ['0', 2, 0n],
    ['0.00', 2, 0n],
    ['0.01', 2, 1n],
    ['500', 0, 500n],
    ['500.00', 0, 500n],
    ['10.050', 2, 1005n],
    ['18.15000', 2, 1815n],
    ['010.05', 2, 1005n],
    ['25.501', 3, 25501n],
    ['0.000000000000000001', 18, 1n],
    ['90071992547409.93', 2, 9007199254740993n],
    ['92233720368547758.07', 2, AMOUNT_MAX],
    ['9223372036854775807', 0, AMOUNT_MAX],
  ])('%s at scale %i is %s', (text, scale, amount) => {
    expect(parseDecimal(text, scale)).toEqual({ ok: true, amount })
  })

  test.each([
    ['', 2, 'is empty'],
    ['1e3', 2, 'is not a plain decimal number'],
    ['0x10', 2, 'is not a plain decimal number'],
    ['1,000.00', 2, 'is not a plain decimal number'],
    ['1_000', 2, 'is not a plain decimal number'],
    ['NaN', 2, 'is not a plain decimal number'],
    ['Infinity', 2, 'is not a plain decimal number'],
    ['+10', 2, 'is not a plain decimal number'],
    [' 10', 2, 'is not a plain decimal number'],
    ['10 ', 2, 'is not a plain decimal number'],
    ['10\n', 2, 'is not a plain decimal number'],
    ['1 000', 2, 'is not a plain decimal number'],
    ['.5', 2, 'is not a plain decimal number'],
    ['5.', 2, 'is not a plain decimal number'],
    ['.', 2, 'is not a plain decimal number'],
    ['12..34', 2, 'is not a plain decimal number'],
    ['1.2.3', 2, 'is not a plain decimal number'],
    ['--5', 2, 'is not a plain decimal number'],
    ['−5', 2, 'is not a plain decimal number'],
    ['٣', 2, 'is not a plain decimal number'],
    ['10.005', 2, 'is not exact in 2 decimals'],
    ['10.5', 0, 'is not exact in 0 decimals'],
    ['-10.05', 2, 'is negative'],
    ['92233720368547758.08', 2, 'is over 2^63-1 minor units'],
    ['9223372036854775808', 0, 'is over 2^63-1 minor units'],
    ['18446744073709551616', 0, 'is over 2^63-1 minor units'],
    ['1234567890123456789012345678901234567890', 2, 'is over 2^63-1 minor units'],
    ['0'.repeat(65), 2, 'is longer than 64 characters'],
    [`${'0'.repeat(63)}.`, 2, 'is not a plain decimal number'],
    [10.05, 2, 'is not a text'],
    [Number.NaN, 2, 'is not a text'],
    [null, 2, 'is not a text'],
  ])('%j at scale %i is refused', (text, scale, why) => {
    expect(parseDecimal(text, scale)).toEqual({ ok: false, why })
  })

  test('a minus is read where it is allowed', () => {
    expect(parseDecimal('-10.05', 2, { negative: true })).toEqual({ ok: true, amount: -1005n })
    expect(parseDecimal('-0.00', 2, { negative: true })).toEqual({ ok: true, amount: 0n })
    expect(parseDecimal('-92233720368547758.08', 2, { negative: true }).ok).toBe(false)
  })

  test('what is printed is read back', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -AMOUNT_MAX, max: AMOUNT_MAX }),
        fc.integer({ min: 0, max: 18 }),
        (amount, scale) => {
          const text = formatDecimal(amount, scale)
          expect(parseDecimal(text, scale, { negative: true })).toEqual({ ok: true, amount })
        },
      ),
    )
  })

  test('a text is refused or means what Number means, and never throws', () => {
    const characters = fc.constantFrom(...Array.from('0123456789.-+eExX, '))
    fc.assert(
      fc.property(fc.string({ unit: characters, maxLength: 12 }), text => {
        const parsed = parseDecimal(text, 3, { negative: true })
        if (parsed.ok) expect(Number(formatDecimal(parsed.amount, 3))).toBeCloseTo(Number(text), 3)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('formatDecimal', () => {
  test.each([
    [1005n, 2, '10.05'],
    [-1005n, 2, '-10.05'],
    [5n, 2, '0.05'],
    [-5n, 2, '-0.05'],
    [0n, 2, '0.00'],
    [500n, 0, '500'],
    [-500n, 0, '-500'],
    [1n, 18, '0.000000000000000001'],
    [AMOUNT_MAX, 2, '92233720368547758.07'],
  ])('%s at scale %i is %s', (amount, scale, text) => {
    expect(formatDecimal(amount, scale)).toBe(text)
  })
})
