import { addMs, type Instant } from '../instant.ts'
import type { AcceptedStatement } from './ports.ts'

export const DAY_MS = 86_400_000

/** Days that statements cover without a gap, as the bank prints them: `2026-11-30`. */
export interface Cover {
  /** The last day of the last final statement. */
  readonly through: string
  /** When that one was accepted: it cannot show what came after. */
  readonly accepted: Instant
  /** The first day from which it is proved that no statement is missing; null where it is of none. */
  readonly provenFrom: string | null
}

type Link = Pick<
  AcceptedStatement,
  | 'firstDay'
  | 'lastDay'
  | 'day'
  | 'opening'
  | 'closing'
  | 'closingBefore'
  | 'books'
  | 'final'
  | 'accepted'
>

/**
 * How far posted statements reach, in their order, before the first gap: an opening balance that is
 * not the closing balance of the statement before. Null where no final statement does.
 */
export function coverOf(posted: readonly Link[]): Cover | null {
  let cover: Cover | null = null
  let run: Run = NO_RUN
  for (const link of posted) {
    if (gapBefore(link) !== null) break
    run = runWith(run, link)
    const { final, day: through, accepted } = link
    if (final && through !== null) cover = { through, accepted, provenFrom: run.from }
  }
  return cover
}

/** Days of which it is proved that no statement is missing among those that cover them. */
interface Run {
  readonly from: string | null
  readonly through: string | null
}

const NO_RUN: Run = { from: null, through: null }

/**
 * Balances that agree do not prove that no statement is missing: what it moved may have added up to
 * nothing. So the days must follow too, and where they do not, the proof begins anew: with the first
 * day where our books say that the bank has moved nothing else before, otherwise with the next.
 */
function runWith(run: Run, { firstDay, lastDay, opening, closing, books }: Link): Run {
  if (closing === null) return NO_RUN
  if (firstDay === null || lastDay === null) return run
  const follows = opening !== null && run.through !== null && firstDay <= dayAfter(run.through)
  if (!follows) return { from: books === closing ? firstDay : dayAfter(firstDay), through: lastDay }
  return { from: run.from, through: lastDay > run.through ? lastDay : run.through }
}

function dayAfter(day: string): string {
  return addMs(`${day}T00:00:00.000Z`, DAY_MS).slice(0, 10)
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
 * Until when it is proved that the bank did not pay a payout that no line may be about: statements
 * cover the time since it was requested. Null where they do not. A bank's day is taken for as short as
 * it can be, at the ends of the zones, UTC+14 and UTC-12.
 */
export function provenUntil(
  cover: Cover | null,
  requestedAt: Instant,
  bookedWithinDays: number,
): Instant | null {
  if (!cover?.provenFrom || requestedAt < `${cover.provenFrom}T12:00:00.000Z`) return null
  const until = addMs(`${cover.through}T10:00:00.000Z`, -bookedWithinDays * DAY_MS)
  return until < cover.accepted ? until : cover.accepted
}
