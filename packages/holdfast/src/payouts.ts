export * from './payouts/gateway.ts'
export {
  isPaid,
  PAYOUT_STATUSES,
  type Attempt,
  type AttemptAnswer,
  type Payout,
  type PayoutStatus,
} from './payouts/payout.ts'
export * from './payouts/payouts.ts'
export * from './payouts/repository.ts'
export { clearingAccount, LedgerRefused, type PayoutLedger } from './payouts/ledger-port.ts'
export { isPayoutId, payoutId } from './payouts/payout-id.ts'
export { CONCURRENCY_MAX } from './payouts/limits.ts'
export {
  PAYOUT_REFUSAL_CODES,
  type PayoutRefusal,
  type PayoutRefusalCode,
} from './payouts/refusals.ts'
export { checkRequest, type NewPayout, type PayoutRequest } from './payouts/request.ts'
export { TRANSITIONS } from './payouts/transitions.ts'
export type { PayoutResult, StuckPayout } from './payouts/context.ts'
export type { Coverage } from './payouts/resolve.ts'
export type { SweepReport } from './payouts/sweep.ts'
