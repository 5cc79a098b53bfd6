/** A point in time as ISO 8601 in UTC with milliseconds, `2026-11-30T09:00:00.000Z`: sorts as text. */
export type Instant = string

/** A calendar day in UTC, `2026-11-30`. */
export type Day = string

/** The bank's clock as a port, so that a test can move it. */
export interface Clock {
  now(): Instant
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => new Date().toISOString() }

const DAY_MS = 86_400_000

/** The instant that lies `ms` milliseconds after `instant`. */
export function addMs(instant: Instant, ms: number): Instant {
  return new Date(Date.parse(instant) + ms).toISOString()
}

/** The day of an instant, in UTC. */
export function dayOf(instant: Instant): Day {
  return instant.slice(0, 10)
}

/** The first instant of a day. */
export function startOf(day: Day): Instant {
  return `${day}T00:00:00.000Z`
}

/** The first instant of the day after. */
export function endOf(day: Day): Instant {
  return addMs(startOf(day), DAY_MS)
}

/** How many days lie between two days, `later - earlier`. */
export function daysBetween(earlier: Day, later: Day): number {
  return (Date.parse(later) - Date.parse(earlier)) / DAY_MS
}

/** Whether the text is a day of the calendar, `2026-02-30` is none. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(startOf(text))
  return !Number.isNaN(date.getTime()) && dayOf(date.toISOString()) === text
}
