import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NOTHING_SEEN } from './matching.ts'
import { BANK } from '../../test/reconciliation/fixtures.ts'
import { anyPlan, findingsOf, type Plan } from '../../test/reconciliation/plan.ts'
import type { NumberedLine } from '../statements/intake-ports.ts'
import type { Allocation, LineFinding } from './allocation.ts'
import { matchLines, withoutWaiting } from './match.ts'

/** Matches as reconciliation does: sweep by sweep, page by page, on what is seen so far. */
function matchAll({ planted, lines }: Plan, pageLines: number) {
  const known = { payouts: new Map(planted.map(({ payout }) => [payout.id, payout])), batches: [] }
  const numbered = lines.map((line, index) => ({ statement: 1, number: index + 1, line }))
  const allocations: Allocation[] = []
  const findings: LineFinding[] = []
  const debits = numbered.filter(({ line }) => line.direction === 'debit')
  const atOnce = withoutWaiting(debits, known, BANK)
  const waiting = debits.filter(each => !atOnce.includes(each))
  const credits = numbered.filter(each => !debits.includes(each))
  for (const sweep of [atOnce, waiting, credits]) {
    for (let start = 0; start < sweep.length; start += pageLines) {
      const page = sweep.slice(start, start + pageLines)
      const matched = matchLines(page, known, seenIn(allocations), BANK)
      allocations.push(...matched.allocations)
      findings.push(...matched.findings)
    }
  }
  return { numbered, allocations, findings }
}

function seenIn(allocations: readonly Allocation[]) {
  const paid = new Set<string>()
  const returned = new Map<string, bigint>()
  const overpaid = new Map<string, bigint>()
  for (const { payout, role, books } of allocations) {
    if (payout !== null && role === 'pays') paid.add(payout)
    if (payout !== null && role === 'returns') {
      returned.set(payout, (returned.get(payout) ?? 0n) + books)
    }
  }
  for (const { payout, role, place, books } of allocations)
    if (payout !== null && role === null && place === 'suspense')
      overpaid.set(payout, (overpaid.get(payout) ?? 0n) - books)
  return { ...NOTHING_SEEN, paid, returned, overpaid }
}

function signedAmount({ line }: NumberedLine): bigint {
  if (line.status !== 'booked') return 0n
  return line.direction === 'debit' ? -line.amount : line.amount
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

test('every line ends in one place, to the minor unit, and the planted faults are what is found', () => {
  fc.assert(
    fc.property(anyPlan, fc.integer({ min: 1, max: 8 }), (plan, pageLines) => {
      const { numbered, allocations, findings } = matchAll(plan, pageLines)
      for (const each of numbered) {
        const own = allocations.filter(({ line }) => line === each.number)
        expect(sum(own.map(({ books }) => books))).toBe(signedAmount(each))
        expect(sum(own.map(({ bank }) => bank))).toBe(signedAmount(each))
      }
      const pays = allocations.filter(({ role }) => role === 'pays').map(({ payout }) => payout)
      expect(new Set(pays).size).toBe(pays.length)
      const found = findings.map(({ kind, payout }) => `${kind} ${payout ?? '-'}`).sort()
      expect(found).toEqual(findingsOf(plan, false))
    }),
    { numRuns: 500 },
  )
})
