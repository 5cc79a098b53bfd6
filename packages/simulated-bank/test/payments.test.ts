import { appendFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defaultAccount, startBank } from '../src/index.ts'
import { call, ledger, newBank, newFile, pay, payment, setFault, standingClock } from './support.ts'
import { status, truth } from './support.ts'

test('a payment is paid once, and everyone who asks is told', async () => {
  const bank = await newBank()
  const paid = {
    id: 'A',
    status: 'paid',
    amount: '1250',
    currency: 'EUR',
    reference: 'SB0000000002',
    returned: '0',
  }
  expect(await pay(bank, 'A')).toMatchObject({ status: 201, body: paid })
  expect(await status(bank, 'A')).toMatchObject({ status: 200, body: paid })
  expect(await status(bank, 'B')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
  expect(await call(bank, 'GET', '/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
  expect(await ledger(bank)).toMatchObject({
    opening: '100000000',
    balance: String(100_000_000 + 1_234 - 1_250 - 20),
    totals: { payments: 1, paid: '1250', returned: '0', fees: '20', foreign: '1234' },
    payments: [{ id: 'A', sends: 1, timesPaid: 1, paid: '1250', status: 'paid', faults: [] }],
  })
})

describe('a key', () => {
  test('gets the stored answer, and says so', async () => {
    const bank = await newBank()
    const first = await pay(bank, 'A')
    const again = await pay(bank, 'A')
    expect(again.body).toEqual(first.body)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await truth(bank, 'A')).toMatchObject({ sends: 2, timesPaid: 1 })
  })

  test('pays once for 40 sends at the same moment', async () => {
    const bank = await newBank()
    const replies = await Promise.all(Array.from({ length: 40 }, () => pay(bank, 'A')))
    expect(new Set(replies.map(reply => JSON.stringify(reply.body))).size).toBe(1)
    expect(await truth(bank, 'A')).toMatchObject({ sends: 40, timesPaid: 1 })
  })

  test.each([
    [{ amount: '1251' }],
    [{ payeeName: 'Bob' }],
    [{ destination: 'NL41PAYE0000000042' }],
    [{ endToEndId: 'B' }],
    [{ currency: 'GBP' }],
    [{ scale: 2 }],
  ])('with another body is 422, which is no refusal of the payment: %j', async over => {
    const bank = await newBank()
    await pay(bank, 'A')
    const reused = await pay(bank, 'A', over)
    expect(reused).toMatchObject({ status: 422, body: { error: 'KEY_REUSED', id: 'A' } })
    expect(reused.body).not.toHaveProperty('status')
    expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 1, paid: '1250' })
  })

  test('is forgotten when its time is over, and then pays again', async () => {
    const clock = standingClock('2026-11-30T09:00:00.000Z')
    const bank = await newBank({ clock, keyRetentionMs: 60_000 })
    await pay(bank, 'A')
    clock.time = '2026-11-30T09:00:59.999Z'
    await pay(bank, 'A')
    expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 1 })
    clock.time = '2026-11-30T09:01:00.000Z'
    await pay(bank, 'A')
    expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 2, paid: '2500' })
  })

  test('means nothing to a bank without idempotency: a retry pays twice, and that is seen', async () => {
    const bank = await newBank({ idempotency: false })
    await setFault(bank, { id: 'A', kind: 'error-after-paying' })
    expect((await pay(bank, 'A')).status).toBe(500)
    expect((await pay(bank, 'A')).body).toMatchObject({ status: 'paid', reference: 'SB0000000004' })
    expect(await truth(bank, 'A')).toMatchObject({ sends: 2, timesPaid: 2, paid: '2500' })
    expect((await ledger(bank)).totals).toMatchObject({ payments: 2, paid: '2500' })
  })

  test('must be there and be the id', async () => {
    const bank = await newBank()
    expect((await call(bank, 'POST', '/payments', payment('A'))).status).toBe(400)
    const other = await call(bank, 'POST', '/payments', payment('A'), { 'idempotency-key': 'B' })
    expect(other).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } })
    expect(await truth(bank, 'A')).toBeUndefined()
  })
})

test.each([
  [{ currency: 'GBP' }],
  [{ currency: 'COIN' }],
  [{ scale: 3 }],
  [{ amount: '1'.repeat(19) }],
  [{ payeeName: '' }],
  [{ payeeName: 'x'.repeat(141) }],
  [{ payeeName: 'Ada\n' }],
  [{ payeeName: 'Ada\uD800' }],
  [{ destination: 'x'.repeat(35) }],
  [{ endToEndId: 'x'.repeat(36) }],
])('what the bank cannot pay is refused, and no money moved: %j', async over => {
  const bank = await newBank()
  expect(await pay(bank, 'A', over)).toMatchObject({
    status: 422,
    body: { id: 'A', status: 'refused', reason: expect.any(String) as string },
  })
  expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 0, status: 'refused' })
  expect((await pay(bank, 'A', over)).status).toBe(422)
})

test.each([
  ['no JSON', '{"id":'],
  ['a list', []],
  ['an amount that is a number', { ...payment('A'), amount: 1250 }],
  ['an amount of nothing', payment('A', { amount: '0' })],
  ['a negative amount', payment('A', { amount: '-1' })],
  ['an exponent', payment('A', { amount: '1e3' })],
  ['a decimal', payment('A', { amount: '10.00' })],
  ['41 digits', payment('A', { amount: '1'.repeat(41) })],
  ['no payee', { ...payment('A'), payeeName: undefined }],
  ['a scale that is text', { ...payment('A'), scale: '2' }],
])('a request that is not understood leaves no trace: %s', async (_, body) => {
  const bank = await newBank()
  const reply = await call(bank, 'POST', '/payments', body, { 'idempotency-key': 'A' })
  expect(reply).toMatchObject({ status: 400, body: { error: 'INVALID_REQUEST' } })
  expect((await ledger(bank)).payments).toEqual([])
})

test.each(['', 'x'.repeat(36), 'a/b', 'a b', 'Ö'])(
  'an id of the wrong form is 400: %j',
  async id => {
    const bank = await newBank()
    const reply = await call(bank, 'POST', '/payments', payment(id), { 'idempotency-key': 'A' })
    expect(reply.status).toBe(400)
  },
)

test('a body of more than 64 KiB is 413, and a route that is not there is 404', async () => {
  const bank = await newBank()
  const large = await call(bank, 'POST', '/payments', `"${'x'.repeat(3_000_000)}"`)
  expect(large).toMatchObject({ status: 413, body: { error: 'TOO_LARGE' } })
  expect(await call(bank, 'GET', '/nothing')).toMatchObject({
    status: 404,
    body: { error: 'NO_SUCH_ROUTE' },
  })
})

test('connection 1,001 is dropped, and the others are served', async () => {
  const bank = await newBank()
  const { port } = new URL(bank.url)
  const open = new Set<Socket>()
  for (let n = 1; n <= 1_001; n += 1) {
    const socket = connect(Number(port), '127.0.0.1').resume()
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
  }
  onTestFinished(() => {
    for (const socket of open) socket.destroy()
  })
  // The kernel lets 511 wait and asks the rest to knock again after a second.
  await expect.poll(() => open.size, { timeout: 20_000 }).toBe(1_000)
  const [first] = open
  first?.destroy()
  const served = async (): Promise<unknown> => (await pay(bank, 'A').catch(() => null))?.status
  await expect.poll(served, { timeout: 20_000 }).toBe(201)
  expect(open.size).toBe(999)
})

describe('a restart', () => {
  test('keeps payments, keys, sends, waiting work and faults', async () => {
    const file = await newFile()
    const clock = standingClock('2026-11-30T09:00:00.000Z')
    const first = await startBank({ file, clock })
    await pay(first, 'PAID')
    await setFault(first, { id: 'LATE', kind: 'pay-late', delayMs: 60_000 })
    await pay(first, 'LATE')
    await setFault(first, { id: 'BACK', kind: 'return', delayMs: 60_000 })
    await pay(first, 'BACK')
    await setFault(first, { id: 'NEXT', kind: 'refuse' })
    const before = await ledger(first)
    await first.close()

    const second = await newBank({ file, clock })
    expect(await ledger(second)).toEqual(before)
    expect((await pay(second, 'PAID')).headers.get('idempotent-replayed')).toBe('true')
    expect((await pay(second, 'NEXT')).status).toBe(422)
    clock.time = '2026-11-30T09:01:00.000Z'
    expect((await status(second, 'LATE')).body).toMatchObject({ status: 'paid' })
    expect((await status(second, 'BACK')).body).toMatchObject({ status: 'returned' })
  })

  test('with another account than the file holds is refused', async () => {
    const file = await newFile()
    await (await startBank({ file })).close()
    await (await startBank({ file, account: defaultAccount })).close()
    const account = { ...defaultAccount, currency: 'JPY', scale: 0 }
    await expect(startBank({ file, account })).rejects.toMatchObject({
      code: 'ACCOUNT_DIFFERS',
      message: 'The file holds an account whose currency is EUR, not JPY',
    })
  })
})

test.each([
  ['an event of no kind that it knows', 'stolen'],
  ['a payment without the one before', 'paid'],
])('a file with %s is refused', async (_, event) => {
  const file = await newFile()
  await (await startBank({ file })).close()
  const at = '2026-11-30T09:00:00.000Z'
  await appendFile(file, `${JSON.stringify({ event, at, payment: 0 })}\n`)
  await expect(startBank({ file })).rejects.toMatchObject({
    code: 'FILE_DAMAGED',
    message: expect.stringMatching(/^Line 2 of the file does not fit/) as string,
  })
})

test.each([
  [{ iban: 'NL94 SIMB' }],
  [{ owner: '' }],
  [{ currency: 'eur' }],
  [{ scale: 6 }],
  [{ scale: 1.5 }],
  [{ fee: -1n }],
])('an account that no statement can print is refused: %o', async over => {
  const options = { file: await newFile(), account: { ...defaultAccount, ...over } }
  await expect(startBank(options)).rejects.toMatchObject({ code: 'INVALID_OPTION' })
})

test('a bank whose file fails answers 500 and never says paid', async () => {
  const file = await newFile()
  const bank = await newBank({ file })
  await pay(bank, 'A')
  await appendFile(file, '{"event":"')
  expect(await pay(bank, 'B')).toMatchObject({ status: 500, body: { error: 'INTERNAL_ERROR' } })
  expect(await status(bank, 'B')).toMatchObject({ status: 500 })
})
