import type { AccountId, Command } from '../ledger/command.ts'
import type { Outcome, Refusal } from '../ledger/outcome.ts'

/** What payouts need of a ledger; `Ledger` is one. */
export interface PayoutLedger {
  /**
   * Carries out one command. Throws `OutcomeUnknown` where the answer was lost: then nothing about
   * the payout moves on, and the next sweep sends the identical command.
   */
  submit(command: Command): Promise<Outcome>
}

/** Where the money of a settled payout stands until it is seen on a statement. */
export function clearingAccount(gateway: string): AccountId {
  return `clearing:${gateway}`
}

/** How the name of an account begins that holds credit which was given to try things. */
export const TRIAL_ACCOUNT_PREFIX = 'trial:'

/**
 * Thrown where the ledger refuses to end a payout's hold, or to bring a return back: the hold was
 * ended by somebody else, or a balance is full. The payout stays where it is, for a person to see.
 */
export class LedgerRefused extends Error {
  override readonly name: string = 'LedgerRefused'
  readonly payout: string
  readonly refusal: Refusal
  constructor(payout: string, refusal: Refusal) {
    super(`The ledger refuses for payout ${payout}: ${refusal.message}`)
    this.payout = payout
    this.refusal = refusal
  }
}
