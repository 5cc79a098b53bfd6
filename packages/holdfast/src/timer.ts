/** Elapsed time, waiting and chance as a port, so that tests can hold them still. */
export interface Timer {
  /** Milliseconds on a clock that never goes back, from any start. */
  elapsedMs(): number
  sleep(ms: number): Promise<void>
  /** Lets everything that waits for its turn, and need not wait for anything else, run first. */
  turn(): Promise<void>
  /** From 0 up to, not including, 1: for jitter only, never for ids. */
  random(): number
}

/** The timer of the machine. */
export const systemTimer: Timer = {
  elapsedMs: () => performance.now(),
  sleep: ms =>
    new Promise(resolve => {
      setTimeout(resolve, ms)
    }),
  turn: () =>
    new Promise(resolve => {
      setImmediate(resolve)
    }),
  random: () => Math.random(),
}
