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

/** A payout of 1,000 that was paid, and lines about it; `reconcile` gives the kinds of findings. */
async function paid() {
  const world = await new World(database).open()
  const [payout] = await world.pay({ amount: 1_000n, status: 'success' })
  const id = payout?.id ?? ''
  const about = (booked: string, amount: bigint, fields: Partial<StatementLine> = {}) =>
    line({ booked, amount, refs: { endToEndId: id }, ...fields })
  const back = (booked: string, amount: bigint) => about(booked, amount, { direction: 'credit' })
  const reconcile = async (opening: bigint | null, ...lines: StatementLine[]) => {
    const file = statementFile({ ...(opening === null ? {} : { id: 'S' }), opening, lines })
    const { findings } = await world.reconcile([await world.take(file)])
    return findings.map(({ kind }) => kind)
  }
  const stands = async () => ({
    owner: (await world.posted('user:1')) - FUNDS,
    returned: (await world.payout(id)).returned,
    suspense: await world.posted('suspense:testbank'),
  })
  return { about, back, reconcile, stands }
}

const ONCE = { owner: -1_000n, returned: 0n, suspense: 0n }

test('a bank that pays twice and takes one back has paid once', async () => {
  const { about, back, reconcile, stands } = await paid()
  const days = [about('2026-11-02', 1_000n), about('2026-11-02', 1_000n)]
  expect(await reconcile(FUNDS, ...days)).toEqual(['PAID_MORE_THAN_ONCE'])
  expect(await stands()).toEqual({ ...ONCE, suspense: -1_000n })
  expect(await reconcile(FUNDS - 2_000n, back('2026-11-03', 1_000n))).toEqual(['AMBIGUOUS'])
  expect(await stands()).toEqual(ONCE)
  expect(await reconcile(FUNDS - 1_000n, back('2026-11-04', 1_000n))).toEqual(['RETURNED'])
  expect(await stands()).toEqual({ owner: 0n, returned: 1_000n, suspense: 0n })
})

test('a bank that pays too much and takes the rest back, and then more', async () => {
  const { about, back, reconcile, stands } = await paid()
  const lines = [about('2026-11-02', 1_500n), back('2026-11-02', 500n)]
  expect(await reconcile(FUNDS, ...lines)).toEqual(['AMOUNT_DIFFERS', 'AMBIGUOUS'])
  expect(await stands()).toEqual(ONCE)
})

test('what comes back beyond what was paid too much goes to the owner', async () => {
  const { about, back, reconcile, stands } = await paid()
  const lines = [about('2026-11-02', 1_500n), back('2026-11-03', 900n)]
  expect(await reconcile(FUNDS, ...lines)).toEqual(['AMOUNT_DIFFERS', 'AMBIGUOUS', 'RETURNED'])
  expect(await stands()).toEqual({ owner: -600n, returned: 400n, suspense: 0n })
})

test('a bank that pays too little and then the rest has paid once, and all of it comes back', async () => {
  const { about, back, reconcile, stands } = await paid()
  const lines = [about('2026-11-02', 400n), about('2026-11-03', 600n)]
  expect(await reconcile(FUNDS, ...lines)).toEqual(['AMOUNT_DIFFERS', 'PAID_MORE_THAN_ONCE'])
  expect(await stands()).toEqual(ONCE)
  expect(await reconcile(FUNDS - 1_000n, back('2026-11-04', 1_000n))).toEqual(['RETURNED'])
  expect(await stands()).toEqual({ owner: 0n, returned: 1_000n, suspense: 0n })
})

test('exports of days that overlap pay once, and give back once', async () => {
  const { about, back, reconcile, stands } = await paid()
  const pays = about('2026-11-02', 1_000n)
  const returns = back('2026-11-03', 400n)
  expect(await reconcile(null, pays, returns)).toEqual(['RETURNED'])
  const after = { owner: -600n, returned: 400n }
  expect(await reconcile(null, returns, line({ booked: '2026-11-04', amount: 5n }))).toEqual([
    'AMBIGUOUS',
    'NOT_IN_OUR_BOOKS',
  ])
  expect(await stands()).toMatchObject(after)
  // The payment that comes again is no second one, which a return could be set against.
  expect(await reconcile(null, pays, back('2026-11-05', 600n))).toEqual([
    'PAID_MORE_THAN_ONCE',
    'RETURNED',
  ])
  expect(await stands()).toMatchObject({ owner: 0n, returned: 1_000n })
})
