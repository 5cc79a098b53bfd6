import { describe, expect, test } from 'vitest'
import { minorUnits } from './currency.ts'

describe('minorUnits', () => {
  test.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['MGA', 2],
    ['XCG', 2],
    ['ZWG', 2],
    ['IDR', 2],
    ['UGX', 0],
  ])('%s has %i decimals', (code, decimals) => {
    expect(minorUnits(code)).toBe(decimals)
  })

  test.each(['HRK', 'ANG', 'ZWL', 'SLL', 'BGN'])('%s was withdrawn and is still known', code => {
    expect(minorUnits(code)).toBe(2)
  })

  test.each(['eur', 'EURO', 'XAU', 'XXX', '', 'ABC', 'constructor', '__proto__'])(
    '%j is no currency',
    code => {
      expect(minorUnits(code)).toBeNull()
    },
  )
})
