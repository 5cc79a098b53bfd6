import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { call, ledger, newBank, newFile, pay, payment, setFault, status, truth } from './support.ts'
import { standingClock } from './support.ts'
import { startBank } from '../src/index.ts'

const start = '2026-11-30T09:00:00.000Z'

describe('a send that is never answered', () => {
  test.each([
    ['time-out-before-paying', 0],
    ['time-out-after-paying', 1],
  ])('%s: the money moved %i times, and the retry has the answer', async (kind, timesPaid) => {
    const bank = await newBank({ hangMs: 100 })
    await setFault(bank, { id: 'A', kind })
    await expect(pay(bank, 'A')).rejects.toThrow('fetch failed')
    expect(await truth(bank, 'A')).toMatchObject({ sends: 1, faults: [kind], timesPaid })
    expect((await status(bank, 'A')).status).toBe(timesPaid === 0 ? 404 : 200)

    const retry = await pay(bank, 'A')
    expect(retry).toMatchObject({ status: 201, body: { status: 'paid', amount: '1250' } })
    expect(await truth(bank, 'A')).toMatchObject({ sends: 2, faults: [kind], timesPaid: 1 })
  })
})

test('answer-late has paid while the answer is still on its way', async () => {
  const bank = await newBank()
  await setFault(bank, { id: 'A', kind: 'answer-late', delayMs: 600_000 })
  let answered = false
  const sent = pay(bank, 'A').then(() => (answered = true))
  await expect.poll(() => truth(bank, 'A'), { timeout: 20_000 }).toMatchObject({ timesPaid: 1 })
  expect(answered).toBe(false)
  await Promise.all([expect(sent).rejects.toThrow('fetch failed'), bank.close()])
})

test('answer-late answers what happened', async () => {
  const bank = await newBank()
  await setFault(bank, { id: 'A', kind: 'answer-late', delayMs: 50 })
  expect(await pay(bank, 'A')).toMatchObject({ status: 201, body: { status: 'paid' } })
})

test('refuse says so, gives its reason and stays refused', async () => {
  const bank = await newBank()
  await setFault(bank, { id: 'A', kind: 'refuse', reason: 'no such account' })
  const refused = { id: 'A', status: 'refused', reason: 'no such account' }
  expect(await pay(bank, 'A')).toMatchObject({ status: 422, body: refused })
  expect(await pay(bank, 'A')).toMatchObject({ status: 422, body: refused })
  expect(await status(bank, 'A')).toMatchObject({ status: 200, body: refused })
  expect(await truth(bank, 'A')).toMatchObject({ sends: 2, timesPaid: 0, paid: '0' })
})

test('cut-connection pays, promises a body and sends half of it', async () => {
  const bank = await newBank()
  await setFault(bank, { id: 'A', kind: 'cut-connection' })
  const raw = await rawPost(bank.url, 'A')
  const [head = '', body = ''] = raw.split('\r\n\r\n')
  const promised = Number(/content-length: (\d+)/i.exec(head)?.[1])
  expect(head).toContain('201 Created')
  expect(body).toContain('"id":"A"')
  expect(body.length).toBe(Math.floor(promised / 2))
  expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 1 })
})

test('error-after-paying answers 500 and has paid', async () => {
  const bank = await newBank()
  await setFault(bank, { id: 'A', kind: 'error-after-paying', sends: 2 })
  expect((await pay(bank, 'A')).status).toBe(500)
  expect((await pay(bank, 'A')).status).toBe(500)
  expect(await pay(bank, 'A')).toMatchObject({ status: 201, body: { status: 'paid' } })
  expect(await truth(bank, 'A')).toMatchObject({ sends: 3, timesPaid: 1 })
})

test('nonsense is no JSON, and has paid', async () => {
  const bank = await newBank()
  await setFault(bank, { id: 'A', kind: 'nonsense' })
  await expect(pay(bank, 'A')).rejects.toThrow(SyntaxError)
  expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 1 })
})

test('conflict answers 409 while the payment is in flight, then the stored answer', async () => {
  const clock = standingClock(start)
  const bank = await newBank({ clock })
  await setFault(bank, { id: 'A', kind: 'conflict', delayMs: 5_000 })
  for (let send = 1; send <= 2; send += 1) {
    expect(await pay(bank, 'A')).toMatchObject({ status: 409, body: { error: 'IN_FLIGHT' } })
  }
  expect((await status(bank, 'A')).body).toMatchObject({ status: 'processing' })
  clock.time = '2026-11-30T09:00:05.000Z'
  expect(await pay(bank, 'A')).toMatchObject({ status: 201, body: { status: 'paid' } })
  expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 1 })
})

test('pay-late says processing and pays when its time has come', async () => {
  const clock = standingClock(start)
  const bank = await newBank({ clock })
  await setFault(bank, { id: 'A', kind: 'pay-late', delayMs: 5_000 })
  expect(await pay(bank, 'A')).toMatchObject({ status: 201, body: { status: 'processing' } })
  clock.time = '2026-11-30T09:00:04.999Z'
  expect((await status(bank, 'A')).body).toMatchObject({ status: 'processing', reference: null })
  expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 0 })
  clock.time = '2026-11-30T09:00:05.000Z'
  expect((await status(bank, 'A')).body).toMatchObject({ status: 'paid' })
  expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 1 })
})

test('not-found denies the payment while it works on it, then it is paid', async () => {
  const bank = await newBank()
  await setFault(bank, { id: 'A', kind: 'not-found', delayMs: null })
  expect((await pay(bank, 'A')).body).toMatchObject({ status: 'processing' })
  expect(await status(bank, 'A')).toMatchObject({
    status: 404,
    body: { error: 'NOT_FOUND', id: 'A' },
  })
  await call(bank, 'POST', '/advance')
  expect((await status(bank, 'A')).body).toMatchObject({ status: 'paid' })
  expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 1 })
})

test.each([
  [{ kind: 'return' }, '1250'],
  [{ kind: 'return-part' }, '625'],
  [{ kind: 'return-part', amount: '100' }, '100'],
])('%j says paid, then gives %s back', async (fault, returned) => {
  const clock = standingClock(start)
  const bank = await newBank({ clock })
  await setFault(bank, { id: 'A', delayMs: 5_000, ...fault })
  expect((await pay(bank, 'A')).body).toMatchObject({ status: 'paid', returned: '0' })
  clock.time = '2026-11-30T09:00:05.000Z'
  expect((await status(bank, 'A')).body).toMatchObject({ status: 'returned', returned })
  expect((await status(bank, 'A')).body).toMatchObject({ status: 'returned', returned })
  expect(await truth(bank, 'A')).toMatchObject({ timesPaid: 1, paid: '1250', returned })
})

test('advance does what waits, of one id or of all', async () => {
  const bank = await newBank()
  for (const id of ['A', 'B', 'C']) {
    await setFault(bank, { id, kind: id === 'C' ? 'return' : 'pay-late', delayMs: null })
    await pay(bank, id)
  }
  await call(bank, 'POST', '/advance', { id: 'B' })
  const states = async (): Promise<string[]> => (await ledger(bank)).payments.map(one => one.status)
  expect(await states()).toEqual(['processing', 'paid', 'paid'])
  await call(bank, 'POST', '/advance')
  expect(await states()).toEqual(['paid', 'paid', 'returned'])
})

test('a seed gives the same faults to the same ids after a restart, and only to the first send', async () => {
  const file = await newFile()
  const ids = Array.from({ length: 20 }, (_, n) => `PAY${n}`)
  const statuses = async (bank: { url: string }, some: readonly string[]): Promise<number[]> =>
    Promise.all(some.map(async id => (await pay(bank, id)).status))
  const options = { seed: 7, rates: { 'error-after-paying': 0.5 } }

  const unbroken = await newBank(options)
  const expected = await statuses(unbroken, ids)
  expect(new Set(expected)).toEqual(new Set([201, 500]))

  const first = await startBank({ file, ...options })
  const before = await statuses(first, ids.slice(0, 10))
  await first.close()
  const second = await newBank({ file })
  const after = await statuses(second, ids.slice(10))
  expect([...before, ...after]).toEqual(expected)
  expect(new Set(await statuses(second, ids))).toEqual(new Set([201]))
})

test('a fault by id goes before the seed, and DELETE /faults ends both', async () => {
  const bank = await newBank({ seed: 1, rates: { refuse: 1 } })
  await setFault(bank, { id: 'A', kind: 'error-after-paying' })
  expect((await pay(bank, 'A')).status).toBe(500)
  expect((await pay(bank, 'B')).status).toBe(422)
  await setFault(bank, { id: 'C', kind: 'error-after-paying' })
  await call(bank, 'DELETE', '/faults')
  expect((await pay(bank, 'C')).status).toBe(201)
  expect((await pay(bank, 'D')).status).toBe(201)
  await setFault(bank, { seed: 1, rates: { refuse: 1 } })
  expect((await pay(bank, 'E')).status).toBe(422)
  expect((await setFault(bank, { id: 'F', kind: 'rob' })).status).toBe(400)
})

/** What comes back on the wire, to the end of the connection. */
function rawPost(url: string, id: string): Promise<string> {
  const body = JSON.stringify(payment(id))
  const { port, host } = new URL(url)
  const head = `POST /payments HTTP/1.1\r\nHost: ${host}\r\nIdempotency-Key: ${id}\r\n`
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    })
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => (text += chunk))
    socket.on('close', () => {
      resolve(text)
    })
    socket.on('error', reject)
  })
}
