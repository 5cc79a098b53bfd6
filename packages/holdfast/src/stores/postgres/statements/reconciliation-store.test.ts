import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf, line } from '../../../../test/reconciliation/fixtures.ts'
import { statementFile } from '../../../../test/reconciliation/statement-file.ts'
import { onPglite } from '../../../../test/reconciliation/on-pglite.ts'
import { FUNDS, SCHEMA, World } from '../../../../test/reconciliation/world.ts'
import type { Allocation } from '../../../reconciliation/allocation.ts'
import { sqlState, type Database } from '../database.ts'

let database: Database
beforeAll(async () => {
  database = await onPglite()
})
afterAll(() => database.close())

async function accepted(...lines: ReturnType<typeof line>[]) {
  const world = await new World(database).open()
  await world.take(statementFile({ id: 'S1', opening: FUNDS, lines }))
  const [statement] = await world.store.unposted()
  if (!statement) throw new Error('the statement was not accepted')
  return { world, statement }
}

const pays: Allocation = {
  line: 1,
  part: 0,
  detail: 0,
  place: 'clearing',
  payout: idOf(1),
  role: 'pays',
  books: -1_000n,
  bank: -1_000n,
}

test('debits come before credits, in the order of the file', async () => {
  const { world, statement } = await accepted(line({ direction: 'credit' }), line(), line())
  const pages = []
  for (let page = await world.store.nextLines(statement); page;) {
    pages.push(page.lines.map(({ number }) => number))
    await world.store.recordPage(statement, page, [], () => ({
      allocations: [],
      findings: [],
      clues: [],
    }))
    page = await world.store.nextLines(statement)
  }
  // Nothing was matched with them, so the debits wait.
  expect(pages).toEqual([[2, 3], [2, 3], [1]])
})

test('a page is recorded once, whoever else has it in hand', async () => {
  const { world, statement } = await accepted(line())
  const page = await world.store.nextLines(statement)
  if (!page) throw new Error('there is no page')
  const record = () =>
    world.store.recordPage(statement, page, [], () => ({
      allocations: [pays],
      findings: [],
      clues: [],
    }))
  await record()
  await record()
  expect(await world.store.sums(statement)).toMatchObject([{ books: -1_000n, booksCount: 1 }])
})

test('what the books said first is kept', async () => {
  const { world, statement } = await accepted()
  await world.store.markPosted(statement, null, 5n)
  await world.store.markPosted(statement, null, 6n)
  expect(await world.store.posted()).toMatchObject([{ books: 5n }])
})

test('the database itself lets no payout be paid by two lines', async () => {
  const { world, statement } = await accepted(line(), line())
  const page = await world.store.nextLines(statement)
  if (!page) throw new Error('there is no page')
  const twice = [pays, { ...pays, line: 2 }]
  const recorded = world.store.recordPage(statement, page, [], () => ({
    allocations: twice,
    findings: [],
    clues: [],
  }))
  const error: unknown = await recorded.catch((refused: unknown) => refused)
  expect(sqlState(error)).toBe('23505')
  const sql = `select from "${SCHEMA}".statement_allocation where book = $1`
  expect((await database.query(sql, [world.book])).rows).toEqual([])
})
