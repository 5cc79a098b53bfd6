import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, type FreshDatabase } from '#testing/database.ts'
import { startChild, type Child } from '#testing/child.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/stores/postgres/database.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { line, payment } from './fixtures.ts'
import { movedBy, statementText } from './statement-file.ts'
import { FUNDS, SCHEMA, World } from './world.ts'

const CHILD = new URL('./reconcile-child.ts', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'holdfast-reconciliation-'))

let fresh: FreshDatabase
let database: Database
beforeAll(async () => {
  fresh = await freshDatabase()
  database = await openPostgres(fresh.url)
  await migrate(database, SCHEMA)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.close()
  await fresh.drop()
})

const today = new Date().toISOString().slice(0, 10)

/** A book with payouts of every kind, and a statement of several pages about them. */
async function payday() {
  const world = await new World(database).open()
  const amounts = Array.from({ length: 90 }, (_, index) => BigInt(1_000 + index))
  const statuses = ['success', 'unknown', 'failed'] as const
  const payouts = await world.pay(
    ...amounts.map((amount, index) => ({ amount, status: statuses[index % 3] ?? 'success' })),
  )
  const paid = payouts.map(payout => payment({ ...payout, released: false }, { booked: today }))
  const returned = paid.slice(0, 9).map(each => ({ ...each, direction: 'credit' as const }))
  const foreign = Array.from({ length: 2_500 }, (_, index) => line({ amount: BigInt(index + 1) }))
  const lines = [...returned, ...paid, ...foreign, ...paid.slice(0, 5)]
  const path = join(folder, `${world.book}.jsonl`)
  writeFileSync(path, statementText({ id: 'S1', opening: FUNDS, lines }))
  return { world, path, lines, payouts }
}

async function ready(world: World, path: string): Promise<Child> {
  const child = startChild(CHILD, [fresh.url, world.book, path])
  await child.until(/ready/)
  return child
}

/** Lets a child go to its end. */
async function finish(child: Child): Promise<{ taken: string; report: string }> {
  child.process.stdin?.write('go\n')
  const { code, output, errors } = await child.ended
  expect(errors).toBe('')
  expect(code).toBe(0)
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as { taken: string; report: string }
}

/** What must be true of the book once its statement is reconciled, however it came to that. */
async function expectReconciled({ world, lines, payouts }: Awaited<ReturnType<typeof payday>>) {
  const closing = FUNDS + movedBy(lines)
  expect(await world.posted('bank:testbank')).toBe(-closing)
  expect(await world.posted('clearing:test')).toBe(0n)
  const { movements } = await world.ledger.feed(null)
  expect(movements.filter(({ key }) => key.startsWith('statement:'))).toHaveLength(1)
  const sql = `select count(distinct line)::integer as lines, sum(books)::text as books,
    sum(bank)::text as bank from "${SCHEMA}".statement_allocation where book = $1`
  const { rows } = await database.query(sql, [world.book])
  const moved = String(movedBy(lines))
  expect(rows[0]).toMatchObject({ lines: lines.length, books: moved, bank: moved })
  const report = await world.reconcile((await world.store.posted()).map(({ intake }) => intake))
  const counts = new Map<string, number>()
  for (const { kind } of report.findings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  expect(Object.fromEntries(counts)).toEqual({
    RETURNED: 9,
    PAID_AFTER_RELEASE: 30,
    PAID_MORE_THAN_ONCE: 5,
    NOT_IN_OUR_BOOKS: 2_500,
  })
  for (const [index, { id }] of payouts.entries())
    expect((await world.payout(id)).status).toBe(index < 9 ? 'reversed' : 'success')
}

test('two processes reconcile the same file at once: it is taken and posted once', async () => {
  const day = await payday()
  const children = await Promise.all([ready(day.world, day.path), ready(day.world, day.path)])
  const outcomes = await Promise.all(children.map(finish))
  expect(outcomes.map(({ taken }) => taken).sort()).toEqual(['before', 'now'])
  expect(new Set(outcomes.map(({ report }) => report)).size).toBe(1)
  await expectReconciled(day)
})

test('a process that is killed at any moment leaves nothing that the next one does not finish', async () => {
  const day = await payday()
  for (const waitMs of [5, 40, 80, 120, 160, 240, 320]) {
    const child = await ready(day.world, day.path)
    child.process.stdin?.write('go\n')
    await new Promise(resolve => setTimeout(resolve, waitMs))
    child.process.kill('SIGKILL')
    await child.ended
  }
  await finish(await ready(day.world, day.path))
  await expectReconciled(day)
})
