import type { Account } from './account.ts'
import type { Book, Line } from './book.ts'
import { dayOf, daysBetween, endOf, startOf } from './instant.ts'
import type { Day, Instant } from './instant.ts'

/** The lines of one day in UTC, with the balances around them, in minor units. */
export interface DayStatement {
  readonly account: Account
  readonly day: Day
  /** 1 for the day on which the account was opened. */
  readonly number: number
  /** A day that is over is made at its end; today's is as new as its last line. */
  readonly createdAt: Instant
  /** The closing balance of the day before. */
  readonly opening: bigint
  readonly closing: bigint
  readonly lines: readonly Line[]
}

/** The statement of a day; null before the account was opened and after today. */
export function statementOf(book: Book, day: Day, now: Instant): DayStatement | null {
  const firstDay = dayOf(book.openedAt)
  if (day < firstDay || day > dayOf(now)) return null
  const before = book.lines.filter(line => dayOf(line.at) < day)
  const lines = book.lines.filter(line => dayOf(line.at) === day)
  const opening = book.account.opening + sum(before)
  const newest = lines.at(-1)?.at ?? startOf(day)
  return {
    account: book.account,
    day,
    number: daysBetween(firstDay, day) + 1,
    createdAt: day < dayOf(now) ? endOf(day) : newest,
    opening,
    closing: opening + sum(lines),
    lines,
  }
}

/** The signed sum of lines, in minor units. */
export function sum(lines: readonly Line[]): bigint {
  return lines.reduce((total, line) => total + line.amount, 0n)
}
