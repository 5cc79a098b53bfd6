import type { LedgerView } from '@holdfast/simulated-bank'
import type { Instant } from 'holdfast'
import { counted } from '../counted.ts'
import { isPaid, type Attempt, type Payout } from 'holdfast/payouts'
import type { FindingKind } from 'holdfast/reconciliation'

/** What may be found on a day when nothing went wrong on our side: money that came back. */
const HARMLESS: readonly FindingKind[] = ['RETURNED', 'NOT_IN_OUR_BOOKS']

/** One thing that must not be: a code, and what it is about. */
export interface Problem {
  readonly code: string
  readonly about: string
}

/** A finding as a report in JSON has it: amounts are decimal strings of minor units. */
export interface ReportedFinding {
  readonly kind: FindingKind
  readonly payout: string | null
  readonly named: readonly string[]
  readonly books: string | null
  readonly bank: string | null
}

/** A payout with its attempts, as our books have it. */
export interface PaidPayout {
  readonly payout: Payout
  readonly attempts: readonly Attempt[]
  /** When its money was put on hold; null where it never was. */
  readonly heldAt: Instant | null
}

/**
 * Holds our payouts against the bank's own truth and the reconciliation: what was paid twice, what
 * was lost, what was sent when it should not have been. Empty where everything agrees.
 */
export function judge(
  payouts: readonly PaidPayout[],
  bank: LedgerView,
  findings: readonly ReportedFinding[],
): Problem[] {
  const truths = new Map(bank.payments.map(payment => [payment.id, payment]))
  const ours = new Set(payouts.map(({ payout }) => payout.id))
  return [
    ...payouts.flatMap(paid => judgeOne(paid, truths.get(paid.payout.id))),
    ...bank.payments
      .filter(({ id, timesPaid }) => !ours.has(id) && timesPaid > 0)
      .map(({ id }) => ({ code: 'PAID_UNDER_AN_UNKNOWN_ID', about: id })),
    ...judgeFindings(findings, bank),
  ]
}

function judgeOne(
  { payout, attempts, heldAt }: PaidPayout,
  truth: LedgerView['payments'][number] | undefined,
): Problem[] {
  const { id, status, amount, returned } = payout
  const times = truth?.timesPaid ?? 0
  const problems: Problem[] = []
  const say = (code: string, about: string) => problems.push({ code, about: `${id}: ${about}` })
  const paid = isPaid(payout)
  if (times > 1) say('PAID_MORE_THAN_ONCE', `the bank paid it ${times} times`)
  if (paid && times === 0) say('NOT_PAID', `our books say ${status}, the bank never paid it`)
  if (!paid && times > 0) say('PAID_AND_NOT_KNOWN', `our books say ${status}, the bank paid it`)
  if (!paid && status !== 'failed') say('NOT_FINAL', `it is still ${status}`)
  if (paid && truth?.timesPaid === 1 && truth.paid !== amount.toString())
    say('AMOUNT_DIFFERS', `our books say ${amount}, the bank paid ${truth.paid}`)
  if ((truth?.returned ?? '0') !== returned.toString())
    say('RETURN_DIFFERS', `our books say ${returned} came back, the bank ${truth?.returned ?? 0}`)
  if ((truth?.sends ?? 0) > attempts.length)
    say(
      'SENT_WITHOUT_AN_ATTEMPT',
      `sent ${counted(truth?.sends ?? 0, 'time')}, ${counted(attempts.length, 'attempt')}`,
    )
  const [first] = attempts
  if (first && (heldAt === null || heldAt > first.startedAt))
    say('PAID_BEFORE_HOLD', `sent at ${first.startedAt}, held ${heldAt ?? 'never'}`)
  const final = attempts.filter(({ answer }) => answer === 'paid' || answer === 'refused')
  if (final.length > 1) say('SENT_TWICE', `${final.length} attempts have a final answer`)
  return problems
}

function judgeFindings(findings: readonly ReportedFinding[], bank: LedgerView): Problem[] {
  const problems = findings
    .filter(({ kind }) => !HARMLESS.includes(kind))
    .map(({ kind, payout, named, books, bank: theirs }) => ({
      code: kind,
      about: `${payout ?? named.join(', ')}: books ${books ?? '-'}, bank ${theirs ?? '-'}`,
    }))
  // The bank books one line a day that is not ours; what else our books do not know is a loss.
  const unknown = findings
    .filter(({ kind }) => kind === 'NOT_IN_OUR_BOOKS')
    .reduce((total, { bank: amount }) => total + BigInt(amount ?? '0'), 0n)
  if (unknown.toString() !== bank.totals.foreign)
    problems.push({
      code: 'NOT_IN_OUR_BOOKS',
      about: `lines of ${unknown} that our books do not know, ${bank.totals.foreign} are expected`,
    })
  return problems
}
