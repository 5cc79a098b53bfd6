import { describe, expect, test } from 'vitest'
import { ASSET_RULE, currencyOf, fullAssetName, parseAsset, scaleOf } from './asset.ts'

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
    expect(parseAsset(text)).toEqual({ ok: false, why: `is no asset: ${ASSET_RULE}` })
  })
})

describe('fullAssetName', () => {
  test.each([
    ['EUR', 'EUR/2'],
    ['JPY', 'JPY/0'],
    ['KWD', 'KWD/3'],
    ['GBP/6', 'GBP/6'],
    ['COIN/0', 'COIN/0'],
  ])('%s is %s', (text, full) => {
    expect(fullAssetName(text)).toBe(full)
  })

  test.each(['COIN', 'eur', 'EUR/02', ''])('%j is none', text => {
    expect(fullAssetName(text)).toBeNull()
  })
})

describe('scaleOf and currencyOf', () => {
  test.each([
    ['EUR/2', 'EUR', 2],
    ['JPY/0', 'JPY', 0],
    ['GBP/6', 'GBP', 6],
  ])('take %s apart', (asset, code, scale) => {
    expect(currencyOf(asset)).toBe(code)
    expect(scaleOf(asset)).toBe(scale)
  })

  test.each(['EUR', 'EUR/02', ''])('throw for %j', asset => {
    expect(() => currencyOf(asset)).toThrow(RangeError)
    expect(() => scaleOf(asset)).toThrow(new RangeError(`"${asset}" is no asset: ${ASSET_RULE}`))
  })
})
