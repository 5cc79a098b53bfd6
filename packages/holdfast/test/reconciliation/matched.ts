import { expect } from 'vitest'
import type { Allocation, LineFinding } from '../../src/reconciliation/allocation.ts'
import { matchLines } from '../../src/reconciliation/match.ts'
import {
  NOTHING_SEEN,
  type KnownPayout,
  type PayoutBatch,
  type Seen,
} from '../../src/reconciliation/matching.ts'
import type { StatementLine } from '../../src/statements/statement.ts'
import { BANK } from './fixtures.ts'

export interface Given {
  readonly payouts?: readonly KnownPayout[]
  readonly batches?: readonly PayoutBatch[]
  readonly seen?: Partial<Seen>
}

/** What became of lines: places with amounts in books (and in the bank's print), and findings. */
export function matched(
  lines: readonly StatementLine[],
  given: Given = {},
): { places: string[]; findings: string[] } {
  const known = {
    payouts: new Map((given.payouts ?? []).map(each => [each.id, each])),
    batches: given.batches ?? [],
  }
  const numbered = lines.map((each, index) => ({ statement: 1, number: index + 1, line: each }))
  const { allocations, findings } = matchLines(
    numbered,
    known,
    { ...NOTHING_SEEN, ...given.seen },
    BANK,
  )
  for (const { number, line: each } of numbered) {
    const own = allocations.filter(allocation => allocation.line === number)
    const signed = each.direction === 'debit' ? -each.amount : each.amount
    const isMatched = each.status === 'booked'
    expect(sum(own.map(({ books }) => books))).toBe(isMatched ? signed : 0n)
    expect(sum(own.map(({ bank }) => bank))).toBe(isMatched ? signed : 0n)
    expect(own.map(({ part }) => part)).toEqual(own.map((_, index) => index))
  }
  return { places: allocations.map(inWords), findings: findings.map(findingInWords) }
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

function inWords({ line: number, place, role, books, bank }: Allocation): string {
  const printed = bank === books ? '' : ` (bank ${bank})`
  return `${number} ${role ?? ''} ${place} ${books}${printed}`.replace('  ', ' ')
}

function findingInWords({ line: number, kind, payout: id, books, bank }: LineFinding): string {
  return [number, kind, id ?? '-', books ?? '-', bank ?? '-'].join(' ')
}
