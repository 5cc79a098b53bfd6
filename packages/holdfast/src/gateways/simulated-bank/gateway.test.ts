import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBank } from '@holdfast/simulated-bank'
import type { BankOptions, FaultKind, LedgerPayment, LedgerView } from '@holdfast/simulated-bank'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Gateway, PayoutInstruction, SendAnswer, StatusAnswer } from '../../payouts/gateway.ts'
import { whatNext } from '../../payouts/transitions.ts'
import { simulatedBankGateway } from './index.ts'

const instruction: PayoutInstruction = {
  payout: 'PAYB4K7Q2M9X3ZT',
  amount: 1250n,
  asset: 'EUR/2',
  payeeName: 'Ada Lovelace',
  destination: 'DE03100000000000004242',
}
const { payout } = instruction

interface Setup {
  readonly gateway: Gateway
  readonly truth: () => Promise<LedgerPayment | undefined>
  readonly post: (path: string, body: object) => Promise<void>
}

/** Only where an answer never comes does a test wait for the end of the time. */
const HANGING: readonly FaultKind[] = [
  'answer-late',
  'time-out-before-paying',
  'time-out-after-paying',
]

/** A real bank on a real port, and the gateway to it. Its id's first send meets the fault. */
async function setup(kind: FaultKind | null, options: Partial<BankOptions> = {}): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'))
  const bank = await startBank({ file: join(folder, 'bank.jsonl'), ...options })
  onTestFinished(async () => {
    await bank.close()
    await rm(folder, { recursive: true, force: true })
  })
  const post = async (path: string, body: object): Promise<void> => {
    const sent = { method: 'POST', body: JSON.stringify(body) }
    expect((await fetch(bank.url + path, sent)).status).toBe(200)
  }
  const delayMs = kind === 'answer-late' ? 600_000 : null
  const timeoutMs = kind && HANGING.includes(kind) ? 1_000 : 30_000
  if (kind) await post('/faults', { id: payout, kind, delayMs })
  return {
    gateway: simulatedBankGateway({ url: bank.url, name: 'bank', timeoutMs }),
    post,
    truth: async () => {
      const ledger = (await (await fetch(`${bank.url}/ledger`)).json()) as LedgerView
      return ledger.payments.find(one => one.id === payout)
    },
  }
}

const late: SendAnswer = { answer: 'unknown', reason: 'no whole answer within 1000 ms' }
const unknown = (reason: string): SendAnswer => ({ answer: 'unknown', reason })
const paid: SendAnswer = { answer: 'paid', reference: 'SB0000000002' }
const paidStatus: StatusAnswer = { ...paid, returned: 0n }
const refused = { answer: 'refused', reason: 'account closed' } as const

const absent: StatusAnswer = { answer: 'not-found' }
const working: StatusAnswer = { answer: 'processing' }

/** A send that was given up may still be on its way into the bank. */
const POLL = { timeout: 20_000 }

/** The fault, the answer to the first send, the status after it, the answer to a second send. */
type Row = readonly [FaultKind | 'none', SendAnswer, StatusAnswer, SendAnswer]
const once: readonly Row[] = [
  ['none', paid, paidStatus, paid],
  ['answer-late', late, paidStatus, paid],
  ['time-out-after-paying', late, paidStatus, paid],
  ['cut-connection', unknown('ECONNRESET'), paidStatus, paid],
  ['error-after-paying', unknown('HTTP 500 SIMULATED_FAULT'), paidStatus, paid],
  ['nonsense', unknown('HTTP 201 with a body that is no JSON object'), paidStatus, paid],
]
const notYet: readonly Row[] = [
  ['conflict', unknown('HTTP 409 IN_FLIGHT'), working, unknown('HTTP 409 IN_FLIGHT')],
  ['pay-late', unknown('processing'), working, unknown('processing')],
  ['not-found', unknown('processing'), absent, unknown('processing')],
]
const never: readonly Row[] = [['refuse', refused, refused, refused]]
const atTheRetry: readonly Row[] = [['time-out-before-paying', late, absent, paid]]

describe.each([
  { rows: once, times: [1, 1] },
  { rows: notYet, times: [0, 0] },
  { rows: never, times: [0, 0] },
  { rows: atTheRetry, times: [0, 1] },
])('the money has moved $times times after a send and a retry', ({ rows, times }) => {
  test.each(rows)('with the fault %s', async (kind, first, status, second) => {
    const { gateway, truth } = await setup(kind === 'none' ? null : kind)
    expect(await gateway.send(instruction)).toEqual(first)
    await expect.poll(truth, POLL).toMatchObject({ sends: 1, timesPaid: times[0] })
    expect(await gateway.status(instruction)).toEqual(status)
    expect(await gateway.send(instruction)).toEqual(second)
    expect(await truth()).toMatchObject({ sends: 2, timesPaid: times[1] })
  })
})

test.each(['conflict', 'pay-late', 'not-found'] as const)(
  'what was late after %s is paid in the end',
  async kind => {
    const { gateway, truth, post } = await setup(kind)
    await gateway.send(instruction)
    await post('/advance', {})
    expect(await gateway.status(instruction)).toEqual(paidStatus)
    expect(await gateway.send(instruction)).toEqual(paid)
    expect(await truth()).toMatchObject({ timesPaid: 1 })
  },
)

test.each([
  ['return', 1250n],
  ['return-part', 625n],
] as const)('after %s the status says what came back', async (kind, returned) => {
  const { gateway, post } = await setup(kind)
  expect(await gateway.send(instruction)).toEqual(paid)
  await post('/advance', {})
  expect(await gateway.status(instruction)).toEqual({ ...paidStatus, returned })
  expect(await gateway.send(instruction)).toEqual(paid)
})

test('an asset with another scale than the account has is refused, not paid a thousandfold', async () => {
  const { gateway, truth } = await setup(null)
  expect(await gateway.send({ ...instruction, asset: 'EUR/6' })).toEqual({
    answer: 'refused',
    reason: 'EUR has 2 digits after the point, not 6',
  })
  expect(await truth()).toMatchObject({ timesPaid: 0 })
})

test('an id that was used for another amount is unknown, because the first was paid', async () => {
  const { gateway, truth } = await setup(null)
  await gateway.send(instruction)
  expect(await gateway.send({ ...instruction, amount: 1251n })).toEqual(
    unknown('HTTP 422 KEY_REUSED'),
  )
  expect(await truth()).toMatchObject({ timesPaid: 1, paid: '1250' })
})

test('a bank without idempotency pays the retry too: the answer hides it, the ledger does not', async () => {
  const { gateway, truth } = await setup('error-after-paying', { idempotency: false })
  expect((await gateway.send(instruction)).answer).toBe('unknown')
  expect((await gateway.send(instruction)).answer).toBe('paid')
  expect(await truth()).toMatchObject({ timesPaid: 2, paid: '2500' })
})

test('the largest amount passes without loss', async () => {
  const { gateway, truth } = await setup(null)
  const amount = 999_999_999_999_999_999n
  expect((await gateway.send({ ...instruction, amount })).answer).toBe('paid')
  expect(await truth()).toMatchObject({ paid: String(amount) })
})

test('it declares what the bank keeps, unless told otherwise', () => {
  const options = { url: 'http://127.0.0.1:1', name: 'north', timeoutMs: 1 }
  expect(simulatedBankGateway(options)).toMatchObject({
    name: 'north',
    declares: {
      idempotency: true,
      keyRetentionMs: 86_400_000,
      finalityMs: 600_000,
      statusIsStrong: true,
    },
  })
  const declares = { finalityMs: null, idempotency: false }
  expect(simulatedBankGateway({ ...options, declares }).declares).toMatchObject({
    finalityMs: null,
    idempotency: false,
    keyRetentionMs: 86_400_000,
  })
})

test('a url that is not http is a mistake of the wiring', () => {
  const options = { url: 'https://bank.example', name: 'bank', timeoutMs: 1 }
  expect(() => simulatedBankGateway(options)).toThrow('http://')
})

test('a refusal is the last word, also where the answer to an earlier send was lost', async () => {
  const { gateway, post, truth } = await setup('time-out-before-paying')
  expect(await gateway.send(instruction)).toEqual(late)
  await post('/faults', { id: payout, kind: 'refuse', sends: 2 })
  const refused = { answer: 'refused', reason: 'account closed' }
  expect(await gateway.send(instruction)).toEqual(refused)
  await post('/faults', { id: payout, kind: 'return' })
  expect(await gateway.send(instruction)).toEqual(refused)
  expect(await truth()).toMatchObject({ timesPaid: 0 })

  const at = '2026-11-30T09:00:00.000Z'
  const attempt = { payout, startedAt: at, sendBy: at, reason: null, reference: null }
  const step = whatNext({
    attempts: [
      { ...attempt, number: 1, answer: null },
      { ...attempt, number: 2, answer: null },
    ],
    originalPaid: false,
    status: await gateway.status(instruction),
    declares: gateway.declares,
    amount: instruction.amount,
    askedAt: at,
    sentBefore: at,
    statementsCoverUntil: null,
  })
  expect(step).toEqual({ step: 'release', reason: 'account closed' })
})
