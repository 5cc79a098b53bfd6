export {
  dayLimitAccount,
  earnedAccount,
  exchangeAccount,
  keyLimitAccount,
  limitPoolAccount,
  prepaidAccount,
  trialAccount,
  type Party,
} from './charges/accounts.ts'
export type { AuthoriseResult, ChargeResult } from './charges/charge.ts'
// Types only: who holds one of these was given it by the room.
export type { Authorisation, Charged, CreditedShare, Part } from './charges/charged.ts'
export * from './charges/charges.ts'
export type { MoveResult, Refused } from './charges/context.ts'
export type { Converted, ConvertRequest, ConvertResult } from './charges/convert.ts'
export type { FundsRequest, LimitChange, LimitOf } from './charges/funds.ts'
export type { ChargeLedger } from './charges/ledger-port.ts'
export {
  paymentProblem,
  servePaid,
  type PaidRequest,
  type PaidResult,
  type PaymentProblem,
  type Served,
} from './charges/paid.ts'
export type { Refunded, RefundRequest, RefundResult } from './charges/refund.ts'
export {
  CHARGE_REFUSAL_CODES,
  type ChargeRefusal,
  type ChargeRefusalCode,
  type LimitKind,
} from './charges/refusals.ts'
export type { AuthoriseRequest, ChargeRequest, Parties, SpendLimits } from './charges/request.ts'
export * from './charges/schedule.ts'
export { parseSchedule, type ParsedSchedule } from './charges/schedule-json.ts'
export { sharesOf, unknownRole, type Exact, type Recipients, type Share } from './charges/shares.ts'
export { statementAsCsv } from './charges/statement-csv.ts'
export type { SellerStatement, StatementMonth } from './charges/statement.ts'
export { TRIES_MAX } from './charges/limits.ts'
