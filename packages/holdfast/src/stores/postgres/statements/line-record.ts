import { toWireJson } from '../../../ledger/wire.ts'
import type { NumberedLine } from '../../../statements/intake-ports.ts'
import type { LineDetail, Money, StatementLine } from '../../../statements/statement.ts'
import type { Row } from '../database.ts'
import { text, textOrNull } from '../decode.ts'

/** A line as it is staged: what may be personal is one text of its own. Amounts are text. */
export interface LineRecord {
  readonly statement: number
  readonly number: number
  readonly amount: string
  readonly currency: string
  readonly direction: string
  readonly status: string
  readonly reversal: boolean
  readonly booked: string | null
  readonly value: string | null
  /** JSON inside JSON, since jsonb takes no NUL and no half of a surrogate pair. */
  readonly content: string
}

type MoneyRecord = { readonly amount?: string; readonly currency?: string }

/** The part of a line that may be personal. */
interface Content extends Pick<StatementLine, 'bankRef' | 'refs' | 'valueRaw'> {
  readonly batch: {
    readonly count: number | null
    readonly details: readonly (MoneyRecord & Pick<LineDetail, 'refs'>)[]
  } | null
  readonly txAmount?: MoneyRecord
  readonly charges?: readonly MoneyRecord[]
}

export function encodeLine({ statement, number, line }: NumberedLine): LineRecord {
  const { amount, currency, direction, status, reversal, booked, value, ...content } = line
  return {
    statement,
    number,
    amount: String(amount),
    currency,
    direction,
    status,
    reversal,
    booked,
    value,
    content: toWireJson(content),
  }
}

/** Throws where the text of the line was erased: such a line can no longer be matched. */
export function decodeLine(row: Row): NumberedLine {
  const content = JSON.parse(text(row, 'content')) as Content
  const { bankRef, refs, batch, txAmount, charges, valueRaw } = content
  const line: StatementLine = {
    amount: BigInt(text(row, 'amount')),
    currency: text(row, 'currency'),
    direction: row['direction'] === 'debit' ? 'debit' : 'credit',
    status: statusOf(text(row, 'status')),
    reversal: row['reversal'] === true,
    booked: textOrNull(row, 'booked'),
    value: textOrNull(row, 'value'),
    ...(valueRaw !== undefined && { valueRaw }),
    bankRef,
    refs,
    batch: batch && {
      count: batch.count,
      details: batch.details.map(detail => ({ ...decodeMoney(detail), refs: detail.refs })),
    },
    ...(txAmount && { txAmount: decodeMoney(txAmount) as Money }),
    ...(charges && { charges: charges.map(charge => decodeMoney(charge) as Money) }),
  }
  return { statement: Number(row['statement']), number: Number(row['number']), line }
}

function decodeMoney({ amount, currency }: MoneyRecord): Partial<Money> {
  return {
    ...(amount !== undefined && { amount: BigInt(amount) }),
    ...(currency !== undefined && { currency }),
  }
}

function statusOf(status: string): StatementLine['status'] {
  return status === 'booked' || status === 'pending' ? status : 'info'
}
