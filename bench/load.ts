/** What a run of some callers came to. */
export interface Load {
  /** Operations a second. */
  readonly rate: number
  readonly p50Ms: number
  readonly p99Ms: number
}

/** How long callers run before anything is counted: plans, pages and code are warm then. */
const WARM_UP_MS = 1_000

/**
 * Lets so many callers run at once, each making its next call when it has the answer to the last,
 * and counts the calls that are answered within the time.
 */
export async function load(
  callers: number,
  durationMs: number,
  call: (caller: number) => Promise<unknown>,
): Promise<Load> {
  const latencies: number[] = []
  const start = performance.now() + WARM_UP_MS
  const end = start + durationMs
  const caller = async (index: number) => {
    for (let sent = performance.now(); sent < end;) {
      await call(index)
      const answered = performance.now()
      if (sent >= start && answered <= end) latencies.push(answered - sent)
      sent = answered
    }
  }
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(index)))
  latencies.sort((one, other) => one - other)
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? NaN
  return { rate: (latencies.length / durationMs) * 1_000, p50Ms: at(0.5), p99Ms: at(0.99) }
}
