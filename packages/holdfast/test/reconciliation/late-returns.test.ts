import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StatementLine } from '../../src/statements/statement.ts'
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

/** A book with a payout without a final answer, and files about it: its return and its payment. */
async function early(fields: Partial<StatementLine> = {}) {
  const world = await new World(database).open()
  const [payout] = await world.pay({ amount: 1_000n, status: 'unknown' })
  const id = payout?.id ?? ''
  const refs = { endToEndId: id }
  const back = line({ booked: '2026-11-04', direction: 'credit', refs, ...fields })
  const away = line({ booked: '2026-11-03', refs })
  const returning = statementFile({ id: 'S2', opening: FUNDS - 1_000n, lines: [back] })
  const paying = statementFile({ id: 'S1', opening: FUNDS, lines: [away] })
  return { world, id, returning, paying }
}

/** All that a person sees of a world in the end, and what our books say. */
async function outcome(world: World, id: string, intakes: readonly string[]) {
  const { statements, ...report } = await world.reconcile(intakes)
  const { status, returned } = await world.payout(id)
  const posted = []
  for (const account of ['user:1', 'bank:testbank', 'clearing:test', 'suspense:testbank'])
    posted.push(await world.posted(account))
  const balances = statements.map(({ books, closing }) => [books, closing])
  const findings = report.findings.map(({ kind, books, bank }) => ({ kind, books, bank }))
  return { ...report, book: null, findings, balances, status, returned, posted }
}

/** The outcome where both files come at once, or the return in a run of its own before. */
async function inEitherOrder(fields: Partial<StatementLine> = {}) {
  const one = await early(fields)
  const both = [await one.world.take(one.paying), await one.world.take(one.returning)]
  const atOnce = await outcome(one.world, one.id, both)
  const two = await early(fields)
  const first = await two.world.take(two.returning)
  await two.world.reconcile([first])
  expect(await two.world.posted('suspense:testbank')).toBe(fields.amount ?? 1_000n)
  const intakes = [await two.world.take(two.paying), first]
  const apart = await outcome(two.world, two.id, intakes)
  return { atOnce, apart, intakes, ...two }
}

test('a return that comes before its payment ends as one that comes after it', async () => {
  for (const fields of [
    {},
    { amount: 400n },
    { amount: 1_300n },
    {
      amount: 974n,
      txAmount: { amount: 1_000n, currency: 'EUR' },
      charges: [{ amount: 26n, currency: 'EUR' }],
    },
  ] as const satisfies readonly Partial<StatementLine>[]) {
    const { atOnce, apart } = await inEitherOrder(fields)
    expect(atOnce.findings.map(({ kind }) => kind)).toContain('RETURNED')
    expect(apart).toEqual(atOnce)
  }
})

test('it is taken once, however often it is reconciled', async () => {
  const { world, id, apart, intakes } = await inEitherOrder()
  const before = await world.everything()
  expect(await outcome(world, id, intakes)).toEqual(apart)
  expect(await world.everything()).toBe(before)
})

test('a return is taken too where the gateway says later that its payout was paid', async () => {
  const { world, id, returning } = await early()
  const intake = await world.take(returning)
  await world.reconcile([intake])
  world.gateway.statuses.set(id, { answer: 'paid', reference: null, returned: 0n })
  const report = await world.reconcile([intake])
  expect(report.findings.map(({ kind }) => kind)).toEqual(['RETURNED', 'BALANCE_DIFFERS'])
  expect(await world.payout(id)).toMatchObject({ status: 'reversed', returned: 1_000n })
})

test('what stopped after it was matched again is told to the ledger by the next run', async () => {
  const { world, id, returning, paying } = await early()
  const intake = await world.take(returning)
  await world.reconcile([intake])
  await world.take(paying)
  const stopping = () => Promise.reject(new Error('stopped'))
  const run = world.reconciliation({ recordReturn: stopping }).run([intake], { final: false })
  await expect(run).rejects.toThrow('stopped')
  await world.reconcile([intake])
  expect(await world.payout(id)).toMatchObject({ status: 'reversed', returned: 1_000n })
  expect(await world.posted('clearing:test')).toBe(0n)
  expect(await world.posted('suspense:testbank')).toBe(0n)
})

test('a return whose text was erased stays where it lies', async () => {
  const { world, id, returning, paying } = await early()
  const intake = await world.take(returning)
  await world.reconcile([intake])
  await world.store.eraseTexts('2026-11-30')
  const report = await world.reconcile([intake, await world.take(paying)])
  expect(report.findings.map(({ kind }) => kind)).toEqual(['STATUS_DIFFERS'])
  expect(await world.payout(id)).toMatchObject({ status: 'success', returned: 0n })
  expect(await world.posted('suspense:testbank')).toBe(1_000n)
})
