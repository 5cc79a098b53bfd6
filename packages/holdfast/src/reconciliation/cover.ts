import { addMs, type Instant } from '../instant.ts'
import type { AcceptedStatement, OpenPayouts } from './ports.ts'

export const DAY_MS = 86_400_000

/** Days that statements cover without a gap, as the bank prints them: `2026-11-30`. */
export interface Cover {
  /** The first day of the first statement. */
  readonly from: string
  /** The last day of the last final statement. */
  readonly through: string
  /** When that one was accepted: it cannot show what came after. */
  readonly accepted: Instant
  /** Whether every balance on the way was there to be compared: only then is "no gap" a proof. */
  readonly proven: boolean
}

type Link = Pick<
  AcceptedStatement,
  'firstDay' | 'day' | 'opening' | 'closing' | 'closingBefore' | 'final' | 'accepted'
>

/**
 * How far posted statements reach, in their order, before the first gap: an opening balance that is
 * not the closing balance of the statement before. Null where no final statement does.
 */
export function coverOf(posted: readonly Link[]): Cover | null {
  let cover: Cover | null = null
  let from: string | null = null
  let proven = true
  for (const [index, link] of posted.entries()) {
    if (gapBefore(link) !== null) break
    from ??= link.firstDay
    proven &&= link.closing !== null && (index === 0 || link.opening !== null)
    const { final, day: through, accepted } = link
    if (final && from !== null && through !== null) cover = { from, through, accepted, proven }
  }
  return cover
}

/** What is missing between a statement and the one before it, in minor units; null for no gap. */
export function gapBefore({
  opening,
  closingBefore,
}: Pick<AcceptedStatement, 'opening' | 'closingBefore'>): bigint | null {
  if (opening === null || closingBefore === null || opening === closingBefore) return null
  return opening - closingBefore
}

/**
 * Until when it is proved that the bank did not pay a payout that is open: statements cover the time
 * since the first of these, and no line may be about one of them. Null where that is not so. A bank's
 * day is taken for as short as it can be, at the ends of the zones, UTC+14 and UTC-12.
 */
export function provenUntil(
  cover: Cover | null,
  open: OpenPayouts,
  bookedWithinDays: number,
): Instant | null {
  if (!cover?.proven || open.since === null || open.inDoubt) return null
  if (open.since < `${cover.from}T12:00:00.000Z`) return null
  const until = addMs(`${cover.through}T10:00:00.000Z`, -bookedWithinDays * DAY_MS)
  return until < cover.accepted ? until : cover.accepted
}
