import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { payoutPages } from '../payout-pages.ts'
import type { WhereOptions } from '../where.ts'
import { openBooks } from '../wiring.ts'
import type { PaidPayout, ReportedFinding } from './payday-verdict.ts'

/** Every payout of a book with its attempts and its hold. */
export async function readPaidPayouts(where: WhereOptions, book: string): Promise<PaidPayout[]> {
  const books = await openBooks(where, { create: false })
  try {
    const payouts = books.payouts(book)
    const paid: PaidPayout[] = []
    for await (const page of payoutPages(payouts))
      for (const payout of page) {
        const [hold] = await books.ledger(book).movements(payout.id)
        const attempts = await payouts.attempts(payout.id)
        paid.push({ payout, attempts, heldAt: hold?.recorded ?? null })
      }
    return paid
  } finally {
    await books.close()
  }
}

/** The findings of a report that `holdfast reconcile` wrote into a folder. */
export function readFindings(folder: string): ReportedFinding[] {
  const text = readFileSync(join(folder, 'report.json'), 'utf8')
  return (JSON.parse(text) as { findings: ReportedFinding[] }).findings
}
