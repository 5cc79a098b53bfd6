import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshDatabase, type FreshDatabase } from '#testing/database.ts'
import { startChild, type Child } from '#testing/child.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Seen } from '../../src/reconciliation/matching.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { openPostgres } from '../../src/stores/postgres/pg-database.ts'
import { line, payment } from './fixtures.ts'
import { fileOfBytes, movedBy, statementText } from './statement-file.ts'
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

/** Each starts two processes or more, which may have to share the machine with other tests. */
const SLOW = { timeout: 240_000 }

/** So often is looked whether something has come about. */
const LOOKS_MAX = 20_000

const today = new Date().toISOString().slice(0, 10)

/** A book with payouts of every kind, and a statement of several pages about them. */
async function payday() {
  const world = await new World(database).open()
  const amounts = Array.from({ length: 30 }, (_, index) => BigInt(1_000 + index))
  const statuses = ['success', 'unknown', 'failed'] as const
  const payouts = await world.pay(
    ...amounts.map((amount, index) => ({ amount, status: statuses[index % 3] ?? 'success' })),
  )
  const paid = payouts.map(payout => payment({ ...payout, released: false }, { booked: today }))
  const returned = paid.slice(0, 9).map(each => ({ ...each, direction: 'credit' as const }))
  const foreign = Array.from({ length: 1_100 }, (_, index) => line({ amount: BigInt(index + 1) }))
  const lines = [...returned, ...paid, ...foreign, ...paid.slice(10, 15)]
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
    PAID_AFTER_RELEASE: 10,
    PAID_MORE_THAN_ONCE: 5,
    NOT_IN_OUR_BOOKS: 1_100,
  })
  for (const [index, { id }] of payouts.entries())
    expect((await world.payout(id)).status).toBe(index < 9 ? 'reversed' : 'success')
}

test(
  'two processes reconcile the same file at once: it is taken and posted once',
  SLOW,
  async () => {
    const day = await payday()
    const children = await Promise.all([ready(day.world, day.path), ready(day.world, day.path)])
    const outcomes = await Promise.all(children.map(finish))
    expect(outcomes.map(({ taken }) => taken).sort()).toEqual(['before', 'now'])
    expect(new Set(outcomes.map(({ report }) => report)).size).toBe(1)
    await expectReconciled(day)
  },
)

test('statements of one bank are matched one after another, each on what the one before has matched', async () => {
  const world = await new World(database).open()
  const [paid] = await world.pay({ amount: 1_000n, status: 'success' })
  const id = paid?.id ?? ''
  const lines = [line({ booked: today, refs: { endToEndId: id } })]
  await world.take(fileOfBytes(statementText({ id: 'S1', opening: FUNDS, lines })))
  const second = statementText({ id: 'S2', opening: FUNDS - 1_000n, lines })
  await world.take(fileOfBytes(second))
  const [one, two] = await world.store.unposted()
  const page = two && (await world.store.nextLines(two))
  if (!one || !page) throw new Error('there are no two statements')
  let seen: Seen | undefined
  let recorded: Promise<void> | undefined
  await database.transaction(async tx => {
    await tx.query(
      `insert into "${SCHEMA}".statement_bank values ($1, $2)
       on conflict (book, bank) do update set bank = excluded.bank`,
      [world.book, world.bank.name],
    )
    recorded = world.store.recordPage(two, page, [id], known => {
      seen = known
      return { allocations: [], findings: [], clues: [] }
    })
    await untilOneWaits()
    await tx.query(
      `insert into "${SCHEMA}".statement_allocation
       values ($1, $2, 1, 1, 0, 0, 'clearing', $3, 'pays', -1000, -1000)`,
      [world.book, one.intake, id],
    )
  })
  await recorded
  expect(seen?.paid).toEqual(new Set([id]))
})

/** Returns when a session waits for a lock of another one. */
async function untilOneWaits(): Promise<void> {
  const sql = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  for (let looks = 0; looks < LOOKS_MAX; looks += 1)
    if ((await database.query(sql)).rows.length > 0) return
  throw new Error('nobody waits')
}

/** How far a reconciliation can have come, as a question to the database; $1 is the book. */
const MOMENTS: readonly (readonly [name: string, sql: string])[] = [
  ['some lines are staged', `select from "${SCHEMA}".statement_line where book = $1`],
  [
    'the file is accepted',
    `select from "${SCHEMA}".statement_intake where book = $1 and accepted is not null`,
  ],
  ['a page is matched', `select from "${SCHEMA}".statement_allocation where book = $1`],
  [
    'all lines are matched',
    `select from "${SCHEMA}".statement where book = $1 and matched is not null`,
  ],
  [
    'some payouts are settled',
    `select from "${SCHEMA}".payout where book = $1 and status = 'success' and hold_end = 'release'`,
  ],
  [
    'the statement is posted, and that is not written down yet',
    `select from "${SCHEMA}".movement where book = $1 and key like 'statement:%'`,
  ],
]
test.each(MOMENTS)(
  'a process that is killed as soon as %s leaves nothing that the next one does not finish',
  SLOW,
  async (_, sql) => {
    const day = await payday()
    const child = await ready(day.world, day.path)
    child.process.stdin?.write('go\n')
    let looks = 0
    while ((await database.query(sql, [day.world.book])).rows.length === 0)
      if ((looks += 1) > LOOKS_MAX) throw new Error('it does not come to that')
    child.process.kill('SIGKILL')
    await child.ended
    await finish(await ready(day.world, day.path))
    await expectReconciled(day)
  },
)
