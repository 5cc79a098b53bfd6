import type { Faults } from './faults.ts'
import type { RandomOrders } from './random-order.ts'

/** Where an exploration stops, though there is more. */
export interface Bounds {
  /** At most so many runs. */
  readonly orders?: number
  readonly timeMs?: number
  /** Only orders with at most so many turns away from a task that could have gone on. */
  readonly preemptions?: number
}

export interface Options {
  /** Draws orders by chance instead of going through all; 1,000 where `bounds` says nothing. */
  readonly random?: RandomOrders
  /** None when left out. */
  readonly faults?: Faults
  readonly bounds?: Bounds
}
