import type { Refusal } from '../ledger/outcome.ts'
import { bankAccounts, type BankProfile } from './bank-profile.ts'
import { lookUp } from './candidates.ts'
import { actOnReturn, type EvidencePorts } from './evidence.ts'
import { matchAgain } from './match.ts'
import { PAGE_LINES_MAX, type ReconciliationLedger, type UnpostedReturn } from './ports.ts'
import { postingLegs, returnKey } from './posting.ts'

/** What is needed to take late returns. */
export interface LateReturnPorts extends EvidencePorts {
  readonly bank: BankProfile
  readonly ledger: ReconciliationLedger
}

/** So many pages of late returns are taken in one run; the next one goes on. */
const PAGES_MAX = 1_000

/**
 * Takes returns whose statement came before our books knew of the payment: they lie in suspense, and
 * are matched again once their payout is paid. So the books and the findings are the same in
 * whatever order the statements come. Gives the refusal where the ledger does not post one.
 */
export async function takeLateReturns(ports: LateReturnPorts): Promise<Refusal | null> {
  const { store, reads, bank } = ports
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const late = await store.lateReturns(PAGE_LINES_MAX)
    for (const each of late) {
      const { ids, known } = await lookUp([each.line], reads)
      await store.recordLateReturn(each.place, ids, seen => matchAgain(each, known, seen, bank))
    }
    const unposted = await store.unpostedReturns(PAGE_LINES_MAX)
    for (const each of unposted) {
      const refusal = await post(each, ports)
      if (refusal) return refusal
    }
    if (late.length < PAGE_LINES_MAX && unposted.length < PAGE_LINES_MAX) return null
  }
  return null
}

/** Marked last: what stopped half way is done again, and each step changes nothing the second time. */
async function post(late: UnpostedReturn, ports: LateReturnPorts): Promise<Refusal | null> {
  const { store, ledger, bank } = ports
  const legs = postingLegs(late.sums, bankAccounts(bank), bank.asset)
  if (legs.length > 0) {
    const posted = await ledger.submit({ do: 'transfer', key: returnKey(late), legs })
    if (!posted.ok) return posted.refusal
  }
  await actOnReturn(late.matched, ports)
  await store.markReturnPosted(late.place)
  return null
}
