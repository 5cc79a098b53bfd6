import { sum } from '../money/amount.ts'
import type { Movement } from './movement.ts'

/** What reversals of one original come to, leg by leg; empty for none. */
export function reversedByLeg(reversals: readonly Movement[]): bigint[] {
  const [first] = reversals
  if (!first) return []
  return first.legs.map((_, leg) => sum(reversals.map(each => sum(each.moved[leg] ?? []))))
}
