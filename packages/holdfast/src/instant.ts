/** A point in time as ISO 8601 in UTC with milliseconds, `2026-11-30T09:00:00.000Z`: sorts as text. */
export type Instant = string

/** The clock as a port: nothing in the library reads the time by itself. */
export interface Clock {
  now(): Instant
}

/** ISO 8601 with an offset, to at most a millisecond; what {@link parseInstant} takes. */
const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/**
 * Reads an ISO 8601 instant with an offset and whole milliseconds, in the years 0001 to 9999.
 * Returns it in UTC, or null where the text is no such instant (30 February is none).
 */
export function parseInstant(text: unknown): Instant | null {
  if (typeof text !== 'string') return null
  const parts = INSTANT.exec(text)
  if (!parts) return null
  const [, year, month, day] = parts.map(Number)
  if (!isCalendarDate(year ?? 0, month ?? 0, day ?? 0)) return null
  const instant = new Date(text)
  const utcYear = instant.getUTCFullYear()
  return utcYear >= 1 && utcYear <= 9999 ? instant.toISOString() : null
}

/** Whether a day exists in the Gregorian calendar, years 1 to 9999. */
export function isCalendarDate(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const date = new Date(0)
  date.setUTCFullYear(year, month, 0)
  return day <= date.getUTCDate()
}

/** The instant that lies `ms` milliseconds after `instant` (before it, where negative). */
export function addMs(instant: Instant, ms: number): Instant {
  return new Date(Date.parse(instant) + ms).toISOString()
}

/** How many milliseconds lie between two instants, `later - earlier`. */
export function msBetween(earlier: Instant, later: Instant): number {
  return Date.parse(later) - Date.parse(earlier)
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date().toISOString() }
