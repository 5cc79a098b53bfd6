import { describe, expect, test } from 'vitest'
import { asset, parseAsset } from './asset.ts'

describe('parseAsset', () => {
  test.each([
    ['EUR/2', 'EUR', 2],
    ['JPY/0', 'JPY', 0],
    ['GBP/6', 'GBP', 6],
    ['COIN/0', 'COIN', 0],
    ['A/18', 'A', 18],
    ['A123456789012345/10', 'A123456789012345', 10],
  ])('reads %s', (text, code, scale) => {
    expect(parseAsset(text)).toEqual({ ok: true, code, scale })
  })

  test.each([
    'EUR',
    'EUR/',
    '/2',
    'EUR/02',
    'EUR/19',
    'EUR/-1',
    'eur/2',
    '1EUR/2',
    'EUR/2 ',
    ' EUR/2',
    'EUR/2\n',
    'EU-R/2',
    'A1234567890123456/2',
    '',
    null,
    2,
  ])('refuses %j', text => {
    expect(parseAsset(text)).toMatchObject({ ok: false })
  })
})

describe('asset', () => {
  test.each([
    ['EUR', 'EUR/2'],
    ['JPY', 'JPY/0'],
    ['KWD', 'KWD/3'],
    ['GBP/6', 'GBP/6'],
    ['COIN/0', 'COIN/0'],
  ])('%s is %s', (text, full) => {
    expect(asset(text)).toBe(full)
  })

  test.each(['COIN', 'eur', 'EUR/02', ''])('%j is none', text => {
    expect(asset(text)).toBeNull()
  })
})
