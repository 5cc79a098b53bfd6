import type { Ledger } from 'holdfast'
import type { Shape } from './shapes.ts'

/** The calls of a shape on a ledger: each caller has its own keys. */
export function callsOf(ledger: Ledger, shape: Shape): (caller: number) => Promise<void> {
  const counts: number[] = []
  const run = `${process.pid}-${performance.now().toFixed(0)}`
  return async caller => {
    const count = counts[caller] ?? 0
    counts[caller] = count + 1
    for (const command of shape.operation(`${run}-${caller}-${count}`, count)) {
      const outcome = await ledger.submit(command)
      // A shape that is refused as a whole would be fast, and prove nothing.
      if (!outcome.ok && outcome.refusal.code !== 'INSUFFICIENT_FUNDS')
        throw new Error(`${shape.name}: ${outcome.refusal.message}`)
    }
  }
}
