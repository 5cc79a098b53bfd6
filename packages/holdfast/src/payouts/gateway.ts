import type { Asset } from '../ledger/command.ts'
import type { Payout } from './payout.ts'

/** What a gateway promises, as far as it can be relied on. */
export interface GatewayDeclaration {
  /** Whether a second send under the same id is answered with the first one's answer. */
  readonly idempotency: boolean
  /** For how long after the first send the gateway remembers an id. */
  readonly keyRetentionMs: number
  /** After this time a payout that was not found can no longer be paid; null: it does not say. */
  readonly finalityMs: number | null
  /**
   * Whether a refusal in a status is the last word: every send before it is seen in it, and a send
   * after it is refused too. Where not, it may be older than a later acceptance.
   */
  readonly statusIsStrong: boolean
}

/** What a gateway is asked to pay. */
export interface PayoutInstruction {
  /** 15 characters of `A-Z0-9`: our id, and the idempotency key on every send. */
  readonly payout: string
  /** In minor units of the asset. */
  readonly amount: bigint
  readonly asset: Asset
  readonly payeeName: string
  /** Where the money goes, in the gateway's own terms (an IBAN, an account id). */
  readonly destination: string
}

/** What is asked of a gateway for a payout, the same for every send and every question. */
export function instructionOf({
  id,
  amount,
  asset,
  payeeName,
  destination,
}: Pick<Payout, 'id' | 'amount' | 'asset' | 'payeeName' | 'destination'>): PayoutInstruction {
  return { payout: id, amount, asset, payeeName, destination }
}

/**
 * The answer to a send. Only an answer that proves that the money did not move is `refused`; a
 * time-out, a dropped connection, a 5xx, a 409 in flight or a body that does not parse is `unknown`.
 */
export type SendAnswer =
  | { readonly answer: 'paid'; readonly reference: string | null }
  | { readonly answer: 'refused'; readonly reason: string }
  | { readonly answer: 'unknown'; readonly reason: string }

/** What the gateway says of a payout when it is asked. */
export type StatusAnswer =
  | { readonly answer: 'paid'; readonly reference: string | null; readonly returned: bigint }
  | { readonly answer: 'refused'; readonly reason: string }
  | { readonly answer: 'processing' }
  | { readonly answer: 'not-found' }
  | { readonly answer: 'unknown'; readonly reason: string }

/**
 * The port through which money leaves. Neither call throws: what it cannot tell is `unknown`. Each
 * ends by itself after a time-out of the adapter's own, and `send` sends once: no retries inside.
 */
export interface Gateway {
  /** Stands in account ids: `clearing:<name>`. */
  readonly name: string
  readonly declares: GatewayDeclaration
  send(instruction: PayoutInstruction): Promise<SendAnswer>
  /**
   * What became of an instruction. It carries what was asked, so that an answer about another amount
   * or currency is told apart: that is `unknown`.
   */
  status(instruction: PayoutInstruction): Promise<StatusAnswer>
}
