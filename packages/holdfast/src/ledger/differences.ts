import { sum } from '../money/amount.ts'
import type { KeptLeg, Movement } from './movement.ts'
import type { PreparedHold, PreparedReverse, PreparedTransfer } from './prepare.ts'

/**
 * The fields in which a command differs from the first use of its key; none means that the stored
 * answer is its answer (I1). Meta and reason are not compared: the first wins.
 */
export function differences(
  first: Movement,
  command: PreparedTransfer | PreparedHold | PreparedReverse,
): string[] {
  if (first.kind !== command.do) return ['do']
  switch (command.do) {
    case 'transfer':
      return [
        ...legDifferences(first.legs, command.legs),
        ...(first.effective === command.effective ? [] : ['effective']),
      ]
    case 'hold':
      return [
        ...legDifferences(first.legs, command.legs),
        ...(first.expiresInMs === command.expiresInMs ? [] : ['expiresInMs']),
        ...(first.replaces === command.replaces ? [] : ['replaces']),
      ]
    case 'reverse':
      return [
        ...(first.of === command.of ? [] : ['of']),
        ...(sameAmounts(first.amounts, command.amounts) ? [] : ['amounts']),
        ...(first.mayOwe === command.mayOwe ? [] : ['mayOwe']),
      ]
  }
}

/** Whether two lists of amounts are written alike; null stands for none. */
function sameAmounts(first: readonly bigint[] | null, second: readonly bigint[] | null): boolean {
  return String(first) === String(second)
}

/** Whether a settle asks for what the stored one paid; without amounts that is all that was held. */
export function settledAlike(
  end: Movement,
  held: Movement['moved'],
  amounts: readonly bigint[] | null,
): boolean {
  return sameAmounts(end.moved.map(sum), amounts ?? held.map(sum))
}

function legDifferences(first: readonly KeptLeg[], second: readonly KeptLeg[]): string[] {
  if (first.length !== second.length) return ['legs']
  return first.flatMap((leg, index) => {
    const other = second[index]
    if (!other) return []
    const fields: string[] = []
    if (leg.from.join(' ') !== other.from.join(' ')) fields.push('from')
    if (leg.to !== other.to) fields.push('to')
    if (leg.asset !== other.asset) fields.push('asset')
    if (leg.amount !== other.amount) fields.push('amount')
    const elastic = leg.atLeast !== leg.amount || other.atLeast !== other.amount
    if (elastic && leg.atLeast !== other.atLeast) fields.push('atLeast')
    return fields.map(field => `legs[${index}].${field}`)
  })
}
