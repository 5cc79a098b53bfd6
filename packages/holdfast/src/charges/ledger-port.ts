import type { AccountId, Command, Key } from '../ledger/command.ts'
import type { Account, Entry, Movement } from '../ledger/movement.ts'
import type { Outcome } from '../ledger/outcome.ts'

/** What charges need of a ledger; `Ledger` is one, on a store that is a `ReversalStore`. */
export interface ChargeLedger {
  /** Throws `OutcomeUnknown` where the answer was lost: the same call again answers it. */
  submit(command: Command): Promise<Outcome>
  /** In order, each all or nothing by itself. */
  apply(commands: readonly Command[]): Promise<Outcome[]>
  /** The movements under keys, by key: of each the first, and the end of a hold that has ended. */
  movements(...keys: readonly Key[]): Promise<Movement[]>
  /** What has been reversed of a movement so far, leg by leg; empty for nothing. */
  reversed(of: Key): Promise<bigint[]>
  account(id: AccountId): Promise<Account | null>
  /** Newest first, a page at a time. */
  entries(id: AccountId, page?: { before?: bigint; limit?: number }): Promise<Entry[]>
}
