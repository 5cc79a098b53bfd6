import { isCalendarDate } from '../instant.ts'

/**
 * An ISO 8601 date, or a date and a time, with any fraction of a second and any offset, or none.
 */
const ISO_DATE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?)?(?:Z|[+-]\d{2}:\d{2})?$/

/**
 * The day of an ISO 8601 date or time as printed, without a change of zone; null where it is none.
 */
export function isoDay(text: string): string | null {
  const [, year, month, day] = ISO_DATE.exec(text) ?? []
  return calendarDay(year, month, day)
}

/** A day of the calendar as `2026-11-30` out of its digits; null where there is no such day. */
export function calendarDay(
  year: string | undefined,
  month: string | undefined,
  day: string | undefined,
): string | null {
  if (year === undefined || month === undefined || day === undefined) return null
  if (!isCalendarDate(Number(year), Number(month), Number(day))) return null
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
