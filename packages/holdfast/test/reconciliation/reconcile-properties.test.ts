import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { StatementLine } from '../../src/statements/statement.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { rounds } from '#testing/rounds.ts'
import { anyPlan, findingsOf, type Plan } from './plan.ts'
import { movedBy, statementFile } from './statement-file.ts'
import { onPglite } from './on-pglite.ts'
import { FUNDS, World, type Wanted } from './world.ts'

let database: Database
beforeAll(async () => {
  database = await onPglite()
})
afterAll(() => database.close())

const today = new Date().toISOString().slice(0, 10)

/** Makes the payouts of a plan, and gives its lines and findings with their real ids. */
async function carryOut(world: World, plan: Plan) {
  const wanted = plan.planted.map(({ payout }): Wanted => {
    const { amount, payeeName, destination, status } = payout
    if (status !== 'pending' && status !== 'unknown' && status !== 'failed')
      return { amount, payeeName, destination, status: 'success' }
    return { amount, payeeName, destination, status }
  })
  const real = await world.pay(...wanted)
  const rename = (text: string): string =>
    plan.planted.reduce(
      (renamed, { payout }, index) => renamed.replace(payout.id, real[index]?.id ?? ''),
      text,
    )
  const renamed = ({ refs }: { refs: StatementLine['refs'] }) =>
    Object.fromEntries(
      Object.entries(refs).map(([name, text]) => [
        name,
        typeof text === 'string' ? rename(text) : text,
      ]),
    )
  const lines = plan.lines.map((line): StatementLine => ({
    ...line,
    booked: today,
    refs: renamed(line),
    batch: line.batch && {
      ...line.batch,
      details: line.batch.details.map(detail => ({ ...detail, refs: renamed(detail) })),
    },
  }))
  return { lines, findings: findingsOf(plan, true).map(rename).sort() }
}

test('every planted fault is found and nothing else, on one statement or two, once or again', async () => {
  await fc.assert(
    fc.asyncProperty(anyPlan, fc.nat(), async (plan, cut) => {
      const world = await new World(database).open()
      const { lines, findings } = await carryOut(world, plan)
      // What comes back must have left before, so the cut is between the sides.
      const sides = [
        ...lines.filter(({ direction }) => direction === 'debit'),
        ...lines.filter(({ direction }) => direction === 'credit'),
      ]
      const at = cut % (sides.length + 1)
      const opening = FUNDS + movedBy(sides.slice(0, at))
      const files = [
        statementFile({ id: 'S1', opening: FUNDS, lines: sides.slice(0, at) }),
        statementFile({ id: 'S2', opening, lines: sides.slice(at) }),
      ]
      const intakes = []
      for (const file of files) intakes.push(await world.take(file))
      const report = await world.reconcile(intakes, { final: true })
      const found = report.findings.map(({ kind, payout }) => `${kind} ${payout ?? '-'}`).sort()
      expect(found).toEqual(lines.length > 0 ? findings : [])
      const closing = FUNDS + movedBy(lines)
      expect(await world.posted('bank:testbank')).toBe(-closing)
      expect(report.total.books.sum).toBe(movedBy(lines))
      expect(report.total.bank.sum).toBe(movedBy(lines))
      const inTransit = report.standings.find(({ standing }) => standing === 'in-transit')
      expect(report.clearing).toBe(-(inTransit?.sum ?? 0n))
      const before = await world.everything()
      expect(await world.reconcile(intakes, { final: true })).toEqual(report)
      expect(await world.everything()).toBe(before)
    }),
    { numRuns: rounds({ usual: 12, long: 500 }) },
  )
}, 3_600_000)
