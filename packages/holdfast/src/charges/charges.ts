import type { Clock } from '../instant.ts'
import type { Key } from '../ledger/command.ts'
import type { Party } from './accounts.ts'
import { authorise, charge, type AuthoriseResult, type ChargeResult } from './charge.ts'
import { capture, findAuthorisation, releaseAuthorisation } from './capture.ts'
import { Charged, type Authorisation } from './charged.ts'
import type { ChargeContext, MoveResult } from './context.ts'
import { convert, type ConvertRequest, type ConvertResult } from './convert.ts'
import { findTaken } from './find.ts'
import { changeLimit, grantTrial, topUp, type FundsRequest, type LimitChange } from './funds.ts'
import type { ChargeLedger } from './ledger-port.ts'
import { sellerStatement } from './read-statement.ts'
import { refund, type RefundRequest, type RefundResult } from './refund.ts'
import type { AuthoriseRequest, ChargeRequest } from './request.ts'
import type { FeeSchedule } from './schedule.ts'
import type { SellerStatement } from './statement.ts'

/** What `Charges` is made of. */
export interface ChargesOptions {
  /** A `Ledger` of the book. */
  readonly ledger: ChargeLedger
  /** The only place that says who gets what; prices are in its asset. */
  readonly schedule: FeeSchedule
  /** Says which version of the schedule is in force. */
  readonly clock: Clock
}

/**
 * Charges: a seller is credited only by the command that takes the price from a buyer (I10). There
 * is no other function here that credits a seller, and only what was charged gives a `Charged`.
 *
 * Every function answers a business no with a refusal, never with an error, and the same request
 * again with the first answer. `OutcomeUnknown` is thrown where an answer was lost: the same request
 * again answers it.
 */
export class Charges {
  readonly #context: ChargeContext

  constructor({ ledger, schedule, clock }: ChargesOptions) {
    this.#context = { ledger, schedule, asset: schedule.asset, clock }
  }

  /** Takes a price from a buyer and credits every share of it, in one command. */
  charge(request: ChargeRequest): Promise<ChargeResult> {
    return charge(this.#context, request)
  }

  /** Holds the most that a call may cost. It returns by itself when the time is over. */
  authorise(request: AuthoriseRequest): Promise<AuthoriseResult> {
    return authorise(this.#context, request)
  }

  /** Charges what the call did cost, in minor units, 1 to the ceiling, and releases the rest. */
  capture(authorisation: Authorisation, amount: bigint): Promise<ChargeResult> {
    return capture(this.#context, authorisation, amount)
  }

  /** Gives the whole ceiling back: the call cost nothing. */
  release(authorisation: Authorisation, reason?: string): Promise<MoveResult> {
    return releaseAuthorisation(this.#context, authorisation, reason)
  }

  /** The authorisation under a key, for another process; null where there is none. */
  authorisation(key: Key): Promise<Authorisation | null> {
    return findAuthorisation(this.#context, key)
  }

  /** The charge under a key, made at once or captured; null where nobody was charged. */
  async charged(key: Key): Promise<Charged | null> {
    const record = await findTaken(this.#context, key)
    return record ? new Charged({ ...record, key }) : null
  }

  /** Gives a charge back, whole or in part, in the proportion of its split. */
  refund(request: RefundRequest): Promise<RefundResult> {
    return refund(this.#context, request)
  }

  /** A refund that the seller cannot escape: what was paid out already is owed. */
  dispute(request: Omit<RefundRequest, 'mayOwe'>): Promise<RefundResult> {
    return refund(this.#context, { ...request, mayOwe: true })
  }

  /** Puts money that was paid in on a buyer's prepaid balance. */
  topUp(request: FundsRequest): Promise<MoveResult> {
    return topUp(this.#context, request)
  }

  /** Gives a buyer credit that is spent first and cannot be paid out. */
  grantTrial(request: FundsRequest): Promise<MoveResult> {
    return grantTrial(this.#context, request)
  }

  /** Raises or lowers what may still be spent under a limit that has been used before. */
  changeLimit(change: LimitChange): Promise<MoveResult> {
    return changeLimit(this.#context, change)
  }

  /** Turns what a seller has earned into an asset that is paid out; the rest is kept. */
  convert(request: ConvertRequest): Promise<ConvertResult> {
    return convert(this.#context, request)
  }

  /** What a seller earned, gave back and was paid, by month, and what is still owed. */
  statement(seller: Party): Promise<SellerStatement> {
    return sellerStatement(this.#context, seller)
  }
}
