import type { NumberedLine } from '../statements/intake-ports.ts'
import type { StatementLine } from '../statements/statement.ts'
import type { Allocation } from './allocation.ts'
import { suspectedIds } from './identify.ts'
import type { Known } from './matching.ts'

/**
 * What a line may be about although it was not matched with it: a payout whose id it carries, or one
 * of an amount, unsigned, that left and that nothing explains. It moves no money and is no finding;
 * as long as it may be about a payout without a final answer, that one's hold stays.
 */
export interface Clue {
  readonly line: number
  /** Counts from 0 in the line. */
  readonly clue: number
  readonly payout: string | null
  readonly amount: bigint | null
}

/** The clues in lines, booked or not, beside what they were matched with. */
export function cluesIn(
  lines: readonly NumberedLine[],
  { payouts }: Pick<Known, 'payouts'>,
  allocations: readonly Allocation[],
): Clue[] {
  const ofLines = new Map<number, Allocation[]>()
  for (const allocation of allocations) {
    const of = ofLines.get(allocation.line)
    if (of) of.push(allocation)
    else ofLines.set(allocation.line, [allocation])
  }
  return lines.flatMap(({ number, line }) => {
    const parts = ofLines.get(number) ?? []
    const matched = new Set(parts.filter(({ role }) => role !== null).map(({ payout }) => payout))
    const named = suspectedIds(line).filter(id => payouts.has(id) && !matched.has(id))
    return [
      ...named.map(payout => ({ payout, amount: null })),
      ...unexplained(line, parts).map(amount => ({ payout: null, amount })),
    ].map((each, clue): Clue => ({ line: number, clue, ...each }))
  })
}

/** What may have left for a payout in a line, or in those of its parts that nothing explains. */
function unexplained(line: StatementLine, parts: readonly Allocation[]): bigint[] {
  if (line.direction === 'credit') return []
  const suspended = parts.filter(({ place, payout }) => place === 'suspense' && payout === null)
  if (line.status === 'booked' && suspended.length === 0) return []
  const isWhole = line.status !== 'booked' || suspended.some(({ detail }) => detail === 0)
  const amounts = isWhole ? amountsOf(line) : suspended.map(({ bank }) => -bank)
  return [...new Set([line.amount, ...amounts])].filter(amount => amount > 0n)
}

/** Every amount that a line may stand for: with and without charges, and that of each detail. */
function amountsOf({ amount, txAmount, charges = [], batch }: StatementLine): bigint[] {
  const charged = charges.reduce((total, charge) => total + charge.amount, 0n)
  const parts = [txAmount, ...(batch?.details ?? [])]
  return [amount - charged, ...parts.flatMap(part => part?.amount ?? [])]
}
