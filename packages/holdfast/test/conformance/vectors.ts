import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/ledger/outcome.ts'
import type { Scene, StoreMaker } from '../support/subject.ts'
import { inOneWord, readVectors, type Scenario } from '../support/vectors.ts'

/** How many scenarios are tried at once: each is a book of its own. */
const AT_ONCE = 8
const TIMEOUT_MS = 600_000

/**
 * The shared command lists, read in place, with their right outcomes and balances. The slower a
 * store is, the fewer of them it is given; HOLDFAST_VECTORS=all tries every one on every store.
 */
export function describeVectors(
  scene: () => Scene,
  every: StoreMaker['vectors'],
  balanceMax: bigint,
): void {
  const scenarios = readVectors(balanceMax)
  const title = scenarios
    ? `${scenarios.length} scenarios`
    : 'skipped: ../shared/vectors/ledger.jsonl is absent'

  describe.skipIf(!scenarios)(title, () => {
    const some = (step: number) =>
      process.env['HOLDFAST_VECTORS'] === 'all'
        ? (scenarios ?? [])
        : (scenarios ?? []).filter((_, index) => index % step === 0)

    it('in one list', { timeout: TIMEOUT_MS }, async () => {
      await tryAll(some(every.inOneList), (s, { commands }) => s.send(...commands))
    })

    it('one by one', { timeout: TIMEOUT_MS }, async () => {
      await tryAll(some(every.oneByOne), async (s, { commands }) => {
        const outcomes: Outcome[] = []
        for (const command of commands) outcomes.push(await s.one(command))
        return outcomes
      })
    })
  })

  async function tryAll(
    all: readonly Scenario[],
    send: (s: Scene, scenario: Scenario) => Promise<Outcome[]>,
  ): Promise<void> {
    const waiting = [...all]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const s = scene()
        const words = (await send(s, next)).map(inOneWord)
        expect(words, next.name).toStrictEqual(next.outcomes)
        for (const [id, { posted, held, version }] of Object.entries(next.accounts))
          expect(await s.balance(id), `${next.name}: ${id}`).toStrictEqual([
            BigInt(posted),
            BigInt(held),
            BigInt(version),
          ])
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
  }
}
