import type { Instant } from '../../instant.ts'

/** An instant as Redis keeps it, milliseconds since 1970. Throws a RangeError for none. */
export function instantOfMs(ms: string): Instant {
  return new Date(Number(ms)).toISOString()
}
