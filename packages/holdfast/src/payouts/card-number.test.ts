import { expect, test } from 'vitest'
import { holdsCardNumber } from './card-number.ts'

test.each([
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '4111.1111.1111.1111',
  '378282246310005',
  '4222222222222',
  '6304000000000000000',
  'Ada Example 4111 1111 1111 1111',
  'card:4111111111111111;12/29',
])('%s holds a card number', text => {
  expect(holdsCardNumber(text)).toBe(true)
})

test.each([
  ['a wrong check digit', '4111111111111112'],
  ['twelve digits', '411111111117'],
  ['twenty digits', '63040000000000000008'],
  ['an IBAN', 'DE89370400440532013000'],
  ['an IBAN whose digits pass the check of a card', 'BE71096123456769'],
  ['an IBAN in groups, one part of which passes', 'DE75 4111 1111 1111 1111 11'],
  ['an IBAN in small letters', 'de75 4111 1111 1111 1111 11'],
  ['an id that ends in digits', 'acct_A4111111111111111'],
  ['a name', 'Ada Example'],
  ['nothing', ''],
])('%s is none: %s', (_, text) => {
  expect(holdsCardNumber(text)).toBe(false)
})
