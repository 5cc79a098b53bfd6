import { startBank, type FaultRates, type LedgerView } from '@holdfast/simulated-bank'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './holdfast.ts'

/** A simulated bank inside the test's process, which is closed with the test. */
export interface TestBank {
  readonly url: string
  /** The options of a command that pays through it: a busy machine makes no payout unknown. */
  readonly options: readonly string[]
  /** The same with the time-out that a user has, and so a lease that is soon over. */
  readonly quick: readonly string[]
  /** What the bank knows of itself. */
  ledger(): Promise<LedgerView>
  /** Its statement of today. */
  statement(format: 'camt053' | 'csv'): Promise<string>
  /** Lets a share of the payments meet a fault. */
  faults(rates: FaultRates, delayMs?: number): Promise<void>
}

export async function bankFor(name: string): Promise<TestBank> {
  const bank = await startBank({ file: join(temporaryFolder(), `${name}.jsonl`) })
  onTestFinished(() => bank.close())
  const ask = async (path: string, body?: string): Promise<string> => {
    const response = await fetch(
      bank.url + path,
      body === undefined ? {} : { method: 'POST', body },
    )
    const text = await response.text()
    if (!response.ok) throw new Error(text)
    return text
  }
  return {
    url: bank.url,
    options: ['--gateway-url', bank.url, '--gateway-timeout-ms', '30000'],
    quick: ['--gateway-url', bank.url],
    ledger: async () => JSON.parse(await ask('/ledger')) as LedgerView,
    statement: format => ask(`/statement?format=${format}`),
    faults: async (rates, delayMs = 1_000) => {
      await ask('/faults', JSON.stringify({ seed: name, rates, delayMs }))
    },
  }
}
