import type { Fault, FaultKind, SeededFaults, Shows } from './faults.ts'
import type { Instant } from './instant.ts'
import type { InstructionRecord } from './instruction.ts'

/** An account as JSON carries it: amounts as decimal strings. */
export interface AccountRecord {
  readonly iban: string
  readonly owner: string
  readonly currency: string
  readonly scale: number
  readonly opening: string
  readonly fee: string
}

/** Money that comes back after it was paid; `afterMs` null: when told `POST /advance`. */
export interface ReturnPlan {
  readonly amount: string
  readonly afterMs: number | null
}

/** What a line of the bank's file says happened; `payment` is a payment's number, from 0. */
export type BankEvent = Happening & { readonly at: Instant }

/** An event before the clock is read. */
export type Happening =
  | { readonly event: 'opened'; readonly account: AccountRecord }
  | { readonly event: 'received'; readonly id: string; readonly fault: FaultKind | null }
  | {
      readonly event: 'accepted'
      readonly payment: number
      readonly instruction: InstructionRecord
      /** When the money moves; null: when told `POST /advance`. */
      readonly payAt: Instant | null
      readonly shows: Shows
      readonly returns: ReturnPlan | null
    }
  | {
      readonly event: 'refused'
      readonly payment: number
      readonly instruction: InstructionRecord
      readonly reason: string
    }
  | { readonly event: 'foreign'; readonly amount: string }
  | { readonly event: 'paid'; readonly payment: number }
  | { readonly event: 'returned'; readonly payment: number; readonly amount: string }
  | { readonly event: 'fault-set'; readonly id: string; readonly fault: Fault }
  | { readonly event: 'rates-set'; readonly seeded: SeededFaults }
  | { readonly event: 'faults-cleared' }
