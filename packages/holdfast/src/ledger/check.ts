import { AccountRecords } from './check-accounts.ts'
import type { Difference } from './check-codes.ts'
import { EntryWalk } from './check-entries.ts'
import { nameFirstDifferences } from './check-naming.ts'
import { accountPages, entryPages, feedPages } from './check-pages.ts'
import { Replay } from './check-replay.ts'
import { compareTotals } from './check-totals.ts'
import type { Book } from './command.ts'
import { UnreadableMovement, type FeedCursor, type Store } from './store.ts'

/** How far a check has come: what it reads, and how many of these it has read. */
export interface CheckProgress {
  readonly reading: 'accounts' | 'movements' | 'entries' | 'differences'
  readonly count: number
}

/**
 * Re-proves the invariants of a book from its movements and entries, each read once, and names each
 * difference (`CHECK_CODES`, docs/reference/check.md). Nothing found means that the book is sound.
 * Keeps in memory a small record for each account, the holds that are open, and what is left of each
 * original that was reversed.
 *
 * It may run while others write. Rows are read first, then the feed up to one point, then the
 * entries, then the feed from that point on. So what a later read must contain is known, and what
 * was written meanwhile is no difference: it is compared where the feed has come to it.
 */
export async function* check(
  store: Store,
  book: Book,
  progress: (progress: CheckProgress) => void = () => undefined,
): AsyncGenerator<Difference> {
  try {
    yield* compare(store, book, progress)
  } catch (error) {
    if (!(error instanceof UnreadableMovement)) throw error
    yield { code: 'MOVEMENT_UNREADABLE', key: error.key, message: error.message }
  }
}

async function* compare(
  store: Store,
  book: Book,
  progress: (progress: CheckProgress) => void,
): AsyncGenerator<Difference> {
  const differences: Difference[] = []
  const accounts = new AccountRecords(store, book, each => differences.push(each))
  const replay = new Replay(store, book, accounts, each => differences.push(each))
  const entries = new EntryWalk(accounts, each => differences.push(each))
  const count = counter(progress)

  for await (const page of accountPages(store, book)) {
    for (const account of page) accounts.add(account)
    count('accounts', page.length)
  }
  let cursor: FeedCursor | null = null
  for await (const { movements, next } of feedPages(store, book, null)) {
    await replay.page(movements)
    cursor = next
    count('movements', movements.length)
    yield* differences.splice(0)
  }
  replay.addUpHolds()
  for await (const page of entryPages(store, book)) {
    await entries.page(page)
    count('entries', page.length)
    yield* differences.splice(0)
  }
  await entries.end(id => store.account(book, id))
  for await (const { movements } of feedPages(store, book, cursor)) {
    await replay.page(movements)
    count('movements', movements.length)
    yield* differences.splice(0)
  }

  compareTotals(accounts, each => differences.push(each))
  yield* differences

  // An account that came up only after the entries had been read has nothing to be compared with.
  const compared = [...accounts.values()].filter(each => each.entries !== null)
  for (const { agrees, crossing } of compared) if (agrees && crossing) yield crossing
  const differing = compared.filter(each => !each.agrees)
  yield* nameFirstDifferences(store, book, differing, read => {
    count('differences', read)
  })
}

function counter(progress: (progress: CheckProgress) => void) {
  const counts = { accounts: 0, movements: 0, entries: 0, differences: 0 }
  return (reading: CheckProgress['reading'], more: number) => {
    counts[reading] += more
    progress({ reading, count: counts[reading] })
  }
}
