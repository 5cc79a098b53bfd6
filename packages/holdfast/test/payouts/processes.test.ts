import { startChild } from '#testing/child.ts'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Ledger } from '../../src/ledger/ledger.ts'
import { Payouts } from '../../src/payouts/payouts.ts'
import { PostgresPayouts } from '../../src/stores/postgres/payouts/postgres-payouts.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { aRequest, FUNDS, SCHEMA } from './scene.ts'
import { ModelBank } from './model-bank.ts'

const SCRIPT = new URL('./pay-process.ts', import.meta.url)
const PAYOUTS = 60
const AMOUNT = 100n

let open: PostgresDatabase
let books = 0
/** What the bank was asked to send, and what it paid: a process of its own would know no more. */
let sends: string[] = []
let paid = new Map<string, bigint>()
let answerAfterMs = 0

const server = createServer((request, response) => {
  const [, verb, id = '', amount = '0'] = (request.url ?? '').split('/')
  if (verb === 'send') {
    sends.push(id)
    // A bank with keys: the second send of an id gets the answer of the first.
    if (!paid.has(id)) paid.set(id, BigInt(amount))
  }
  const answer = paid.has(id) ? { answer: 'paid', reference: id } : { answer: 'not-found' }
  setTimeout(() => response.end(JSON.stringify(answer)), answerAfterMs)
})

beforeAll(async () => {
  open = await migratedDatabase(SCHEMA)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server.close()
  server.closeAllConnections()
  await open.close()
})
beforeEach(() => {
  sends = []
  paid = new Map()
  answerAfterMs = 5
})

/** A batch that is approved, and everything to look at it. */
async function payday(): Promise<{
  book: string
  ledger: Ledger
  payouts: Payouts
  args: string[]
}> {
  books += 1
  const book = `payday-${books}`
  const ledger = new Ledger({ store: new PostgresStore(open.database, SCHEMA), book })
  await ledger.apply([
    { do: 'open', account: 'world', asset: 'EUR/2', floor: null },
    { do: 'open', account: 'seller:1', asset: 'EUR/2', floor: 0n },
    { do: 'open', account: 'clearing:bank', asset: 'EUR/2', floor: null },
    {
      do: 'transfer',
      key: 'funds',
      legs: [{ from: 'world', to: 'seller:1', asset: 'EUR/2', amount: FUNDS }],
    },
  ])
  const repository = new PostgresPayouts(open.database, SCHEMA)
  const payouts = new Payouts({ book, repository, ledger, gateways: [new ModelBank()] })
  const requests = Array.from({ length: PAYOUTS }, () =>
    aRequest({ batch: 'payday', amount: AMOUNT }),
  )
  await payouts.requestMany(requests)
  await payouts.approveBatch('payday')
  const { port } = server.address() as AddressInfo
  return { book, ledger, payouts, args: [open.url, book, String(port), SCHEMA] }
}

async function expectAllPaidOnce({ ledger, payouts }: Awaited<ReturnType<typeof payday>>) {
  const { payouts: rows } = await payouts.list()
  expect(rows.filter(each => each.status !== 'success')).toEqual([])
  expect(rows).toHaveLength(PAYOUTS)
  expect([...paid.keys()].toSorted()).toEqual(rows.map(each => each.id).toSorted())
  const total = AMOUNT * BigInt(PAYOUTS)
  expect(await ledger.account('seller:1')).toMatchObject({ posted: FUNDS - total, held: 0n })
  expect(await ledger.account('clearing:bank')).toMatchObject({ posted: total, held: 0n })
}

async function started(args: string[]) {
  const child = startChild(SCRIPT, args)
  await child.until(/ready/)
  return child
}

test('two processes on the same batch at once send each payout once', async () => {
  const day = await payday()
  const children = await Promise.all([started(day.args), started(day.args)])
  for (const child of children) child.process.stdin?.write('go\n')
  for (const child of children) expect(await child.ended).toMatchObject({ code: 0, errors: '' })
  await expectAllPaidOnce(day)
  expect(sends).toHaveLength(PAYOUTS)
  for (const child of children) expect(child.output()).toMatch(/paid [1-9]/)
})

test('a process that is killed in the middle is finished by the next one', async () => {
  answerAfterMs = 30
  const day = await payday()
  const first = await started(day.args)
  first.process.stdin?.write('go\n')
  await first.until(/paid 10\n/)
  first.process.kill('SIGKILL')
  await first.ended
  // Longer than the lease of the process that is gone.
  await new Promise(resolve => setTimeout(resolve, 2_500))
  const second = await started(day.args)
  second.process.stdin?.write('go\n')
  expect(await second.ended).toMatchObject({ code: 0, errors: '' })
  await expectAllPaidOnce(day)
})

test('a process that is stopped, while another one does its work, does no harm when it wakes', async () => {
  answerAfterMs = 30
  const day = await payday()
  const first = await started(day.args)
  first.process.stdin?.write('go\n')
  await first.until(/paid 10\n/)
  first.process.kill('SIGSTOP')
  await new Promise(resolve => setTimeout(resolve, 2_500))
  const second = await started(day.args)
  second.process.stdin?.write('go\n')
  expect(await second.ended).toMatchObject({ code: 0, errors: '' })
  await expectAllPaidOnce(day)
  first.process.kill('SIGCONT')
  expect(await first.ended).toMatchObject({ code: 0 })
  await expectAllPaidOnce(day)
})
