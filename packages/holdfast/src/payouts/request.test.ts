import { expect, test } from 'vitest'
import { PAYOUT_REFUSAL_CODES } from './refusals.ts'
import { checkRequest, newPayout, requestDifferences, type PayoutRequest } from './request.ts'

const GOOD: PayoutRequest = {
  requestKey: 'payday/2026-11/ada',
  account: 'seller:1',
  gateway: 'bank',
  asset: 'EUR/2',
  amount: 1_250n,
  payeeName: 'Ada Example',
  destination: 'DE89370400440532013000',
}
const GATEWAYS = new Set(['bank'])

test('a request that nothing is wrong with is taken', () => {
  expect(checkRequest(GOOD, GATEWAYS)).toBeNull()
  expect(checkRequest({ ...GOOD, batch: 'b', retryOf: 'PDCCMS1GPYY5EIZ' }, GATEWAYS)).toBeNull()
})

const BAD: Readonly<Record<string, readonly [field: keyof PayoutRequest, values: unknown[]]>> = {
  INVALID_REQUEST_KEY: [
    'requestKey',
    ['', 'x'.repeat(129), 'a b', 'a\0b', '\u{1F4B8}', 7, undefined],
  ],
  INVALID_BATCH: ['batch', ['', 'x'.repeat(129), 'a b', null]],
  INVALID_ACCOUNT: ['account', ['', 'seller 1', 'seller#1', 'x'.repeat(129), undefined]],
  ACCOUNT_NOT_PAYABLE: ['account', ['trial:user:42/EUR/2', 'trial:']],
  INVALID_GATEWAY: ['gateway', ['', 'other bank', 'constructor', undefined]],
  INVALID_ASSET: ['asset', ['', 'EUR', 'eur/2', 'EUR/02', 'EUR/19', undefined]],
  INVALID_AMOUNT: [
    'amount',
    [0n, -1n, 2n ** 63n, 2n ** 64n, 10n ** 39n, 10, 0.1, Number.NaN, '10'],
  ],
  INVALID_PAYEE: ['payeeName', ['', '  ', 'x'.repeat(141), 'a\nb', 'a\0b', '\ud800', undefined]],
  INVALID_DESTINATION: ['destination', ['', ' ', 'x'.repeat(141), 'a\tb', 'a\u2028b', 7]],
  INVALID_RETRY_OF: ['retryOf', ['', 'ljefgft05tncl4y', 'LJEFGFT05TNCL4', null]],
}

test.each(
  Object.entries(BAD).flatMap(([code, [field, values]]) =>
    values.map(value => ({ code, field, value })),
  ),
)('$field $value is $code', ({ code, field, value }) => {
  const request = { ...GOOD, [field]: value }
  const refusal = checkRequest(request, GATEWAYS)
  expect(refusal).toMatchObject({ code, field })
  expect(PAYOUT_REFUSAL_CODES).toContain(code)
  expect(refusal?.message).toMatch(new RegExp(`^${field}: `))
})

test.each(['payeeName', 'destination'] as const)('a card number in %s is refused', field => {
  const refusal = checkRequest({ ...GOOD, [field]: '4111 1111 1111 1111' }, GATEWAYS)
  expect(refusal).toMatchObject({ code: 'CARD_NUMBER_REFUSED', field })
  expect(refusal?.message).not.toContain('4111')
})

test('the same request again differs in nothing', () => {
  expect(requestDifferences(newPayout('book', GOOD), newPayout('book', { ...GOOD }))).toEqual([])
})

test.each([
  ['batch', { batch: 'other' }],
  ['account', { account: 'seller:2' }],
  ['gateway', { gateway: 'other' }],
  ['asset', { asset: 'EUR/3' }],
  ['amount', { amount: 1_251n }],
  ['payeeName', { payeeName: 'Bob Example' }],
  ['destination', { destination: 'BE71096123456769' }],
  ['retryOf', { retryOf: 'ZJEFGFT05TNCL4Y' }],
] as const)('another %s is named', (field, change) => {
  const again = newPayout('book', { ...GOOD, ...change })
  expect(requestDifferences(newPayout('book', GOOD), again)).toEqual([field])
})

test('a payee that was erased is not compared', () => {
  const erased = { ...newPayout('book', GOOD), payeeName: '', destination: '' }
  expect(requestDifferences(erased, newPayout('book', GOOD))).toEqual([])
})
