import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { simulatedBankGateway } from '../../src/gateways/simulated-bank/index.ts'
import { DATABASES, FUNDS, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }

describe.each(DATABASES)('a status about another payment on %s', (_, openDatabase) => {
  let open: OpenDatabase
  let told = {}
  /** A bank whose answer to a send is lost, and whose status is what the test says. */
  const server = createServer((request, response) => {
    const id = request.url?.split('/').at(-1)
    if (request.method === 'POST') response.writeHead(500).end('{}')
    else
      response.end(JSON.stringify({ id, status: 'paid', returned: '0', reference: 'r', ...told }))
  })
  beforeAll(async () => {
    open = await openDatabase()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    server.close()
    server.closeAllConnections()
    await open.close()
  })

  test.each([
    ['another amount', { amount: '1', currency: 'EUR' }, 'unknown'],
    ['another currency', { amount: '1000', currency: 'JPY' }, 'unknown'],
    ['what was asked', { amount: '1000', currency: 'EUR' }, 'success'],
  ] as const)('that says paid with %s', async (what, says, status) => {
    told = says
    const scene = await new Scene(open.database).open()
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}`
    const bank = simulatedBankGateway({ url, name: 'bank', timeoutMs: 30_000 })
    const payouts = scene.worker({ gateways: [bank] })
    const { id } = await scene.approved()
    await payouts.payBatch(ONE)
    await payouts.resolve(ONE)
    const payout = await scene.payout(id)
    expect(payout.status, what).toBe(status)
    if (status === 'success') return
    expect(payout.reason).toMatch(/another payment/)
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
  })
})
