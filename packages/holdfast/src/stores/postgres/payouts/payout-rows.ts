import type { Attempt, AttemptAnswer, Payout } from '../../../payouts/payout.ts'
import type { Leased, PayoutRecord } from '../../../payouts/repository.ts'
import type { Row } from '../database.ts'
import { text, textOrNull } from '../decode.ts'

/** A payout as `payout_json` writes it: amounts are text, so no number is rounded. */
interface PayoutJson
  extends
    Omit<Payout, 'amount' | 'returned' | 'payeeName' | 'destination'>,
    Pick<PayoutRecord, 'holdEnd' | 'cursor'> {
  readonly amount: string
  readonly returned: string
  readonly returnTotal: string | null
  /** Null once they have been erased. */
  readonly payeeName: string | null
  readonly destination: string | null
}

export function decodeRecord(row: Row): PayoutRecord {
  const stored = JSON.parse(text(row, 'payout')) as PayoutJson
  const { holdEnd, returnTotal, cursor, ...payout } = stored
  return {
    payout: {
      ...payout,
      amount: BigInt(payout.amount),
      returned: BigInt(payout.returned),
      payeeName: payout.payeeName ?? '',
      destination: payout.destination ?? '',
    },
    holdEnd,
    returnTotal: returnTotal === null ? null : BigInt(returnTotal),
    cursor,
  }
}

export function decodeLeased(row: Row): Leased {
  return {
    record: decodeRecord(row),
    lease: {
      token: BigInt(text(row, 'token')),
      takenAt: text(row, 'taken_at'),
      until: text(row, 'until'),
    },
  }
}

export function decodeAttempt(payout: string, row: Row): Attempt {
  return {
    payout,
    number: Number(row['number']),
    startedAt: text(row, 'started_at'),
    sendBy: text(row, 'send_by'),
    answer: textOrNull(row, 'answer') as AttemptAnswer | null,
    reason: textOrNull(row, 'reason'),
    reference: textOrNull(row, 'reference'),
  }
}
