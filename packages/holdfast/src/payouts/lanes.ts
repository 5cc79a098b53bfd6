import { CONCURRENCY_MAX } from './limits.ts'

/** Throws a RangeError where a concurrency is none. */
export function checkConcurrency(concurrency: number): void {
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > CONCURRENCY_MAX)
    throw new RangeError(`concurrency: a whole number from 1 to ${CONCURRENCY_MAX}`)
}

/**
 * Takes items from a source, at most `concurrency` at the same moment, until it is empty. Where
 * something throws, what has begun is finished first.
 */
export async function inLanes<T>(
  source: AsyncGenerator<T, void>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  checkConcurrency(concurrency)
  let failed = false
  const lane = async (): Promise<void> => {
    try {
      for (let next = await source.next(); !next.done && !failed; next = await source.next())
        await work(next.value)
    } catch (error) {
      failed = true
      throw error
    }
  }
  const ends = await Promise.allSettled(Array.from({ length: concurrency }, lane))
  const failure = ends.find(end => end.status === 'rejected')
  if (failure) throw failure.reason
}

/** Cuts a list into pieces of at most `size`. */
export function inPieces<T>(items: readonly T[], size: number): T[][] {
  const pieces: T[][] = []
  for (let start = 0; start < items.length; start += size)
    pieces.push(items.slice(start, start + size))
  return pieces
}
