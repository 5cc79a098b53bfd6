import { afterAll, beforeAll, expect, test } from 'vitest'
import { PAGE_LINES_MAX } from '../../src/reconciliation/ports.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { line } from './fixtures.ts'
import { statementFile } from './statement-file.ts'
import { onPglite } from './on-pglite.ts'
import { FUNDS, World } from './world.ts'

let database: Database
beforeAll(async () => {
  database = await onPglite()
})
afterAll(() => database.close())

const fee = line({ amount: 1n, refs: { typeCode: 'FEE' } })

/** What is found where two payouts are paid, and so many lines after others that name them. */
async function found(between: number): Promise<string[]> {
  const world = await new World(database).open()
  const wanted = { amount: 1_000n, status: 'success' } as const
  const [one, two] = await world.pay(wanted, wanted)
  const ids = [one?.id ?? '', two?.id ?? '']
  const [first, second] = ids.map(id => line({ refs: { endToEndId: id } }))
  const details = ids.map(id => ({ refs: { endToEndId: id } }))
  const lines = [
    line({ amount: 900n, refs: { endToEndId: ids[0] ?? '' } }),
    line({ amount: 2_000n, batch: { count: 2, details } }),
    ...Array.from({ length: between }, () => fee),
    ...[first ?? [], second ?? []].flat(),
  ]
  const intake = await world.take(statementFile({ id: 'S1', opening: FUNDS, lines }))
  const { findings } = await world.reconcile([intake])
  return findings.map(({ kind, bank, place }) => `${place?.line} ${kind} ${bank}`)
}

test('a line pays its payout by its very amount, however far after others it stands', async () => {
  const expected = ['1 PAID_MORE_THAN_ONCE -900', '2 PAID_MORE_THAN_ONCE -2000']
  expect(await found(10)).toEqual(expected)
  expect(await found(PAGE_LINES_MAX)).toEqual(expected)
})
