import { StatementRefused } from './statement-refused.ts'
import type {
  LineDetail,
  Money,
  Reference,
  Statement,
  StatementEvent,
  StatementLine,
} from './statement.ts'

/** Money on the wire: minor units as a decimal string. */
export interface MoneyJson {
  readonly amount: string
  readonly currency: string
}

/** A part of a batch; amount and currency are null where the file does not say them. */
export interface DetailJson {
  readonly amount: string | null
  readonly currency: string | null
  readonly refs: Readonly<Record<string, Reference>>
}

/** A line, with amounts as decimal strings of minor units. */
export interface LineJson extends MoneyJson {
  readonly direction: StatementLine['direction']
  readonly status: StatementLine['status']
  readonly reversal: boolean
  readonly booked: string | null
  readonly value: string | null
  readonly valueRaw?: string
  readonly bankRef: string | null
  readonly refs: Readonly<Record<string, Reference>>
  readonly batch: { readonly count: number | null; readonly details: readonly DetailJson[] } | null
  readonly txAmount?: MoneyJson
  readonly charges?: readonly MoneyJson[]
}

/** A statement and its lines; balances are signed. */
export interface StatementJson {
  readonly id: string | null
  readonly account: string | null
  readonly currency: string | null
  readonly opening: string | null
  readonly closing: string | null
  readonly balances_add_up: boolean | null
  readonly lines: readonly LineJson[]
}

/**
 * What a reader makes of a file. A refused file gives the reason and the place, and no statements.
 */
export type FileJson =
  | {
      readonly format: string | null
      readonly accepted: true
      readonly statements: readonly StatementJson[]
    }
  | {
      readonly format: string | null
      readonly accepted: false
      readonly why: string
      readonly place: string | null
      readonly statements: readonly []
    }

/**
 * Reads a file to its end and says what it is, as plain JSON. It holds all lines at once: it is for
 * people and tests, not for intake. Errors that are no refusal (a disk, a socket) are thrown on.
 */
export async function summarize(events: AsyncIterable<StatementEvent>): Promise<FileJson> {
  const statements: StatementJson[] = []
  let format: string | null = null
  let lines: LineJson[] = []
  try {
    for await (const event of events) {
      if (event.type === 'statement') {
        format = event.format
        lines = []
      } else if (event.type === 'line') lines.push(lineJson(event.line))
      else statements.push(statementJson(event.head, lines))
    }
  } catch (error) {
    if (!(error instanceof StatementRefused)) throw error
    const { why, place } = error
    return { format: error.format, accepted: false, why, place, statements: [] }
  }
  return { format, accepted: true, statements }
}

function statementJson(head: Statement, lines: readonly LineJson[]): StatementJson {
  return {
    id: head.id,
    account: head.account,
    currency: head.currency,
    opening: head.opening?.toString() ?? null,
    closing: head.closing?.toString() ?? null,
    balances_add_up: head.balancesAddUp,
    lines,
  }
}

function lineJson(line: StatementLine): LineJson {
  return {
    ...moneyJson(line),
    direction: line.direction,
    status: line.status,
    reversal: line.reversal,
    booked: line.booked,
    value: line.value,
    ...(line.valueRaw === undefined ? {} : { valueRaw: line.valueRaw }),
    bankRef: line.bankRef,
    refs: line.refs,
    batch: line.batch && { count: line.batch.count, details: line.batch.details.map(detailJson) },
    ...(line.txAmount && { txAmount: moneyJson(line.txAmount) }),
    ...(line.charges && { charges: line.charges.map(moneyJson) }),
  }
}

function detailJson(detail: LineDetail): DetailJson {
  return {
    amount: detail.amount?.toString() ?? null,
    currency: detail.currency ?? null,
    refs: detail.refs,
  }
}

function moneyJson({ amount, currency }: Money): MoneyJson {
  return { amount: amount.toString(), currency }
}
