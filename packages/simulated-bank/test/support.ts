import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startBank } from '../src/index.ts'
import type { BankOptions, Clock, LedgerPayment, LedgerView, RunningBank } from '../src/index.ts'

/** A path for a bank's file in a folder that goes away with the test. */
export async function newFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'simulated-bank-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'bank.jsonl')
}

/** A bank in this process that is closed with the test. */
export async function newBank(options: Partial<BankOptions> = {}): Promise<RunningBank> {
  const bank = await startBank({ file: await newFile(), ...options })
  onTestFinished(() => bank.close())
  return bank
}

/** A clock that stands until it is moved. */
export function standingClock(start: string): Clock & { time: string } {
  return {
    time: start,
    now() {
      return this.time
    },
  }
}

export interface Payment {
  readonly id: string
  readonly amount: string
  readonly currency: string
  readonly payeeName: string
  readonly destination: string
  readonly endToEndId: string
  readonly scale?: number
}

export function payment(id: string, over: Partial<Payment> = {}): Payment {
  const destination = 'DE03100000000000004242'
  return {
    id,
    amount: '1250',
    currency: 'EUR',
    payeeName: 'Ada',
    destination,
    endToEndId: id,
    ...over,
  }
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Readonly<Record<string, unknown>>
}

/** Sends JSON. The answer must be JSON. */
export async function call(
  bank: { url: string },
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(bank.url + path, {
    method,
    headers: { connection: 'close', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const json = (await response.json()) as Record<string, unknown>
  return { status: response.status, headers: response.headers, body: json }
}

export function pay(
  bank: { url: string },
  id: string,
  over: Partial<Payment> = {},
): Promise<Reply> {
  return call(bank, 'POST', '/payments', payment(id, over), { 'idempotency-key': id })
}

export function status(bank: { url: string }, id: string): Promise<Reply> {
  return call(bank, 'GET', `/payments/${id}`)
}

export function setFault(bank: { url: string }, fault: object): Promise<Reply> {
  return call(bank, 'POST', '/faults', fault)
}

export async function ledger(bank: { url: string }): Promise<LedgerView> {
  return (await call(bank, 'GET', '/ledger')).body as unknown as LedgerView
}

/** The bank's truth about one id. */
export async function truth(bank: { url: string }, id: string): Promise<LedgerPayment | undefined> {
  return (await ledger(bank)).payments.find(one => one.id === id)
}
