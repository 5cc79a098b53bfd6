import { describe, expect, test } from 'vitest'
import { readSend, readStatus } from './reading.ts'

const asked = { id: 'P1', amount: '1250', currency: 'EUR' }
const paid = { ...asked, status: 'paid', reference: 'SB1', returned: '0' }
const answer = (status: number, body: unknown): { status: number; body: string } => ({
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

describe('a send', () => {
  test('is paid where the bank repeats what was asked', () => {
    expect(readSend(answer(201, paid), asked)).toEqual({ answer: 'paid', reference: 'SB1' })
    const returned = { ...paid, status: 'returned', returned: '1250' }
    expect(readSend(answer(201, returned), asked)).toEqual({ answer: 'paid', reference: 'SB1' })
    const bare = { ...paid, reference: null }
    expect(readSend(answer(201, bare), asked)).toEqual({ answer: 'paid', reference: null })
  })

  test('is refused where the bank says so of this id', () => {
    const refused = { id: 'P1', status: 'refused', reason: 'closed' }
    expect(readSend(answer(422, refused), asked)).toEqual({ answer: 'refused', reason: 'closed' })
  })

  test.each([
    ['another id', 201, { ...paid, id: 'P2' }],
    ['another amount', 201, { ...paid, amount: '1251' }],
    ['an amount that is a number', 201, { ...paid, amount: 1250 }],
    ['another currency', 201, { ...paid, currency: 'GBP' }],
    ['an unexpected status', 201, { ...paid, status: 'ok' }],
    ['another status code', 200, paid],
    ['processing', 201, { ...paid, status: 'processing' }],
    ['no JSON', 201, '{"id":"P1","sta'],
    ['no object', 201, 'null'],
    ['nothing', 201, ''],
    ['a refusal of another id', 422, { id: 'P2', status: 'refused', reason: 'closed' }],
    ['a refusal without a reason', 422, { id: 'P1', status: 'refused' }],
    ['a refusal with a success code', 201, { ...paid, status: 'refused', reason: 'closed' }],
    ['a refusal with a server error', 500, { id: 'P1', status: 'refused', reason: 'closed' }],
    ['a key that was used before', 422, { error: 'KEY_REUSED', id: 'P1' }],
    ['a bad request', 400, { error: 'INVALID_REQUEST' }],
    ['no permission', 401, { error: 'UNAUTHORIZED' }],
    ['not found', 404, { error: 'NOT_FOUND', id: 'P1' }],
    ['a conflict', 409, { error: 'IN_FLIGHT', id: 'P1' }],
    ['too many', 429, { error: 'SLOW_DOWN' }],
    ['a server error', 500, { error: 'SIMULATED_FAULT' }],
    ['a gateway error', 502, '<html>Bad Gateway</html>'],
  ])('is unknown with %s', (_, status, body) => {
    expect(readSend(answer(status, body), asked).answer).toBe('unknown')
  })
})

describe('a status', () => {
  test.each([
    [200, paid, { answer: 'paid', reference: 'SB1', returned: 0n }],
    [
      200,
      { ...paid, status: 'returned', returned: '1250' },
      { answer: 'paid', reference: 'SB1', returned: 1250n },
    ],
    [200, { ...paid, status: 'processing' }, { answer: 'processing' }],
    [200, { ...paid, status: 'refused', reason: 'no' }, { answer: 'refused', reason: 'no' }],
    [404, { error: 'NOT_FOUND', id: 'P1' }, { answer: 'not-found' }],
  ])('%i %j', (status, body, expected) => {
    expect(readStatus(answer(status, body), asked)).toEqual(expected)
  })

  test.each([
    ['another id', 200, { ...paid, id: 'P2' }],
    ['another amount', 200, { ...paid, amount: '1' }],
    ['an amount that is a number', 200, { ...paid, amount: 1250 }],
    ['another currency', 200, { ...paid, currency: 'JPY' }],
    ['no amount', 200, { ...paid, amount: undefined }],
    ['a refusal of another amount', 200, { ...paid, amount: '1', status: 'refused', reason: 'no' }],
    ['an unexpected status', 200, { ...paid, status: 'gone' }],
    ['a refusal without a reason', 200, { ...paid, status: 'refused' }],
    ['more returned than paid', 200, { ...paid, status: 'returned', returned: '1251' }],
    ['nothing returned', 200, { ...paid, status: 'returned', returned: '0' }],
    ['something returned and only paid', 200, { ...paid, returned: '1' }],
    ['a negative return', 200, { ...paid, status: 'returned', returned: '-1' }],
    ['a 404 that is not about this id', 404, { error: 'NOT_FOUND', id: 'P2' }],
    ['a 404 of another server', 404, { error: 'Not Found' }],
    ['a 404 without a body', 404, ''],
    ['a server error', 500, { error: 'SIMULATED_FAULT' }],
    ['not found with a success code', 200, { error: 'NOT_FOUND', id: 'P1' }],
  ])('is unknown with %s', (_, status, body) => {
    expect(readStatus(answer(status, body), asked).answer).toBe('unknown')
  })
})
