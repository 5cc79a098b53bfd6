import type { PayoutContext, StuckPayout } from './context.ts'
import { finishHoldEnd } from './hold-end.ts'
import { releaseLateHolds } from './late-hold.ts'
import { ROWS_AT_ONCE } from './limits.ts'
import type { PayoutCursor } from './repository.ts'
import { takeOver } from './requesting.ts'
import { finishReturn } from './returns.ts'

/** What a sweep has done. */
export interface SweepReport {
  /** How many payouts it found that were left in the middle of something. */
  readonly found: number
  readonly stuck: readonly StuckPayout[]
}

/**
 * Goes on with requests, cancels and returns that were left in the middle, and releases holds that
 * came after their payout was refused.
 */
export async function sweep(context: PayoutContext): Promise<SweepReport> {
  const requested = await sweepPages(async page => {
    const { taken, stuck } = await takeOver(context, page)
    return { cursors: taken.map(({ record }) => record.cursor), stuck }
  })
  const begun = await sweepPages(page => finishPage(context, page))
  const late = await releaseLateHolds(context)
  return {
    found: requested.found + begun.found + late.found,
    stuck: [...requested.stuck, ...begun.stuck, ...late.stuck],
  }
}

interface Page {
  readonly after?: PayoutCursor
  readonly limit: number
}

interface PageDone {
  readonly cursors: readonly PayoutCursor[]
  readonly stuck: readonly StuckPayout[]
}

/** Each payout is met at most once, so the sweep ends whatever happens to them meanwhile. */
async function sweepPages(work: (page: Page) => Promise<PageDone>): Promise<SweepReport> {
  const stuck: StuckPayout[] = []
  let found = 0
  let page: Page | null = { limit: ROWS_AT_ONCE }
  while (page) {
    const done: PageDone = await work(page)
    found += done.cursors.length
    stuck.push(...done.stuck)
    const after = done.cursors.at(-1)
    page = after === undefined ? null : { after, limit: ROWS_AT_ONCE }
  }
  return { found, stuck }
}

async function finishPage(context: PayoutContext, page: Page): Promise<PageDone> {
  const records = await context.repository.unfinished(context.book, page)
  const stuck: StuckPayout[] = []
  for (const record of records) {
    try {
      if (record.returnTotal === null) await finishHoldEnd(context, record)
      else await finishReturn(context, record)
    } catch (error) {
      stuck.push({ payout: record.payout.id, error })
    }
  }
  return { cursors: records.map(record => record.cursor), stuck }
}
