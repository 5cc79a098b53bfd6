import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/stores/postgres/database.ts'
import { line } from './fixtures.ts'
import { statementFile } from './statement-file.ts'
import { onPglite } from './on-pglite.ts'
import { FUNDS, SCHEMA, World } from './world.ts'

let database: Database
beforeAll(async () => {
  database = await onPglite()
})
afterAll(() => database.close())

/** A payout that was sent on 2 November and has no answer; the gateway does not know it. */
async function unanswered(batch?: string) {
  const world = await new World(database).open()
  const [payout] = await world.pay({ amount: 1_000n, status: 'unknown', ...(batch && { batch }) })
  const id = payout?.id ?? ''
  await database.query(
    `update "${SCHEMA}".payout set created = '2026-11-02T12:00Z' where book = $1`,
    [world.book],
  )
  await database.query(
    `update "${SCHEMA}".payout_attempt set started = '2026-11-02T12:00:01Z',
       send_by = '2026-11-02T12:00:11Z' where book = $1`,
    [world.book],
  )
  world.gateway.statuses.set(id, { answer: 'not-found' })
  return { world, id, pays: line({ booked: '2026-11-02', refs: { endToEndId: id } }) }
}

const small = (booked: string) => line({ booked, amount: 5n })

async function expectPaid(world: World, id: string, kinds: readonly string[]) {
  expect(kinds).toEqual(Array.from(kinds, () => 'NOT_IN_OUR_BOOKS'))
  expect((await world.payout(id)).status).toBe('success')
  expect(await world.posted('user:1')).toBe(FUNDS - 1_000n)
}

test('a file that closes a gap is matched before anything is released on what it closes', async () => {
  const { world, id, pays } = await unanswered()
  const first = [small('2026-11-01'), small('2026-11-02')]
  const third = [small('2026-11-03'), small('2026-11-04')]
  const files = [
    statementFile({ id: 'S1', opening: FUNDS, lines: first }),
    statementFile({ id: 'S3', opening: FUNDS - 1_010n, lines: third }),
  ]
  for (const file of files) await world.reconcile([await world.take(file)], { final: true })
  expect((await world.payout(id)).status).toBe('unknown')
  const missing = statementFile({ id: 'S2', opening: FUNDS - 10n, lines: [pays] })
  const { findings } = await world.reconcile([await world.take(missing)])
  await expectPaid(
    world,
    id,
    findings.map(({ kind }) => kind),
  )
})

test('a file that shows the payment is matched before anything is released on those before it', async () => {
  const { world, id, pays } = await unanswered()
  world.gateway.statuses.delete(id)
  const days = [small('2026-11-02'), small('2026-11-04')]
  const before = statementFile({ id: 'S1', opening: FUNDS, lines: days })
  await world.reconcile([await world.take(before)], { final: true })
  world.gateway.statuses.set(id, { answer: 'not-found' })
  const later = { ...pays, booked: '2026-11-05' }
  const file = statementFile({ id: 'S2', opening: FUNDS - 10n, lines: [later] })
  const { findings } = await world.reconcile([await world.take(file)])
  await expectPaid(
    world,
    id,
    findings.map(({ kind }) => kind),
  )
})

test('the first day is proved only where our books agree that nothing came before on it', async () => {
  const days = [small('2026-11-02'), small('2026-11-04')]
  const unlike = await unanswered()
  const second = statementFile({ id: 'S2', opening: FUNDS - 1_000n, lines: days })
  await unlike.world.reconcile([await unlike.world.take(second)], { final: true })
  expect((await unlike.world.payout(unlike.id)).status).toBe('unknown')
  const alike = await unanswered()
  const first = statementFile({ id: 'S1', opening: FUNDS, lines: days })
  await alike.world.reconcile([await alike.world.take(first)], { final: true })
  expect((await alike.world.payout(alike.id)).status).toBe('failed')
})

test('what earlier final statements prove is used by a later run that is not final', async () => {
  const { world, id } = await unanswered()
  world.gateway.statuses.delete(id)
  const days = [small('2026-11-02'), small('2026-11-04')]
  const final = statementFile({ id: 'S1', opening: FUNDS, lines: days })
  await world.reconcile([await world.take(final)], { final: true })
  world.gateway.statuses.set(id, { answer: 'not-found' })
  const next = statementFile({ id: 'S2', opening: FUNDS - 10n, lines: [small('2026-11-05')] })
  await world.reconcile([await world.take(next)])
  expect((await world.payout(id)).status).toBe('failed')
})

test.each([
  ['its sum and count', {}],
  ['its name', { refs: { text: 'november' } }],
])('a batch line from before the payouts of the batch is none of it by %s', async (_, more) => {
  const { world, id } = await unanswered('november')
  const old = { batch: { count: 1, details: [] }, refs: {}, ...more }
  const before = line({ booked: '2026-10-31', ...old })
  const file = statementFile({ id: 'S1', opening: FUNDS, lines: [before] })
  await world.reconcile([await world.take(file)])
  expect((await world.payout(id)).status).toBe('unknown')
  const on = line({ booked: '2026-11-01', ...old })
  const next = statementFile({ id: 'S2', opening: FUNDS - 1_000n, lines: [on] })
  await world.reconcile([await world.take(next)])
  expect((await world.payout(id)).status, 'a day may last until noon of the next').toBe('success')
})

test('a release that was decided and not finished is finished, and the line that pays is found', async () => {
  const { world, pays } = await unanswered()
  await database.query(
    `update "${SCHEMA}".payout set hold_end = 'release', lease_until = now() + interval '100 s'
     where book = $1`,
    [world.book],
  )
  const file = statementFile({ id: 'S1', opening: FUNDS, lines: [pays] })
  const { findings } = await world.reconcile([await world.take(file)])
  expect(findings.map(({ kind }) => kind)).toEqual(['PAID_AFTER_RELEASE'])
  expect(await world.posted('user:1')).toBe(FUNDS)
})
