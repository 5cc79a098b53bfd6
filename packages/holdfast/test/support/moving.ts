import type { Ledger } from '../../src/ledger/ledger.ts'
import { leg, transfer } from './commands.ts'

const MOVES_MAX = 1_000_000

/** So many callers move one unit from w to a at a time, and print each key once it is acknowledged. */
export async function moveAndPrint(ledger: Ledger, round: string, callers: number): Promise<void> {
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let count = 0; count < MOVES_MAX; count += 1) {
        const key = `${round}-${caller}-${count}`
        const outcome = await ledger.submit(transfer(key, leg('w', 'a', 1n)))
        if (!outcome.ok) throw new Error(outcome.refusal.code)
        console.log(key)
      }
    }),
  )
}
