import type { Key } from '../ledger/command.ts'
import type { Entry, Movement } from '../ledger/movement.ts'
import { earnedAccount, type Party } from './accounts.ts'
import type { ChargeContext } from './context.ts'
import type { ChargeLedger } from './ledger-port.ts'
import { KEYS_AT_ONCE } from './limits.ts'
import { lineChange, monthsOf, type SellerStatement, type StatementLine } from './statement.ts'

/**
 * A seller's statement from the first entry to the newest of the moment when it began: entries
 * never change, so what comes while it is read is left to the next one.
 */
export async function sellerStatement(
  { ledger, asset }: ChargeContext,
  seller: Party,
): Promise<SellerStatement> {
  const account = earnedAccount(seller, asset)
  const entries = await allEntries(ledger, account)
  const movements = await byKey(
    ledger,
    entries.map(({ key }) => key),
  )
  const originals = await byKey(
    ledger,
    [...movements.values()].flatMap(([first]) => first?.of ?? []),
  )
  const lines = entries.map((entry, index): StatementLine => {
    const own = movements.get(entry.key) ?? []
    const { recorded, posted, part } = entry
    const change = lineChange(entry, entries[index - 1])
    return {
      ...{ recorded, posted, part, change, movements: own },
      originals: originals.get(own[0]?.of ?? '') ?? [],
    }
  })
  return { account, asset, months: monthsOf(account, lines) }
}

/** The oldest first. */
async function allEntries(ledger: ChargeLedger, account: string): Promise<Entry[]> {
  const newestFirst: Entry[] = []
  for (let before: bigint | undefined = undefined; before !== 1n;) {
    const page: Entry[] = await ledger.entries(account, before === undefined ? {} : { before })
    const last = page.at(-1)
    if (!last) break
    newestFirst.push(...page)
    before = last.version
  }
  return newestFirst.reverse()
}

async function byKey(
  ledger: ChargeLedger,
  keys: readonly Key[],
): Promise<Map<Key, readonly Movement[]>> {
  const wanted = [...new Set(keys)]
  const found = new Map<Key, Movement[]>()
  for (let start = 0; start < wanted.length; start += KEYS_AT_ONCE)
    for (const movement of await ledger.movements(...wanted.slice(start, start + KEYS_AT_ONCE))) {
      const same = found.get(movement.key) ?? []
      found.set(movement.key, [...same, movement])
    }
  return found
}
