import type { AccountId, Book } from './command.ts'
import { PAGE_MAX } from './limits.ts'
import type { Account, Entry } from './movement.ts'
import type { FeedCursor, FeedPage, Store } from './store.ts'

/** The most reads of single accounts and movements that are under way at once. */
const READS_AT_ONCE = 16

/** All accounts of a book by id, a page at a time. */
export function accountPages(store: Store, book: Book): AsyncGenerator<Account[]> {
  const read = (after: AccountId | null) =>
    store.accounts(book, { ...(after !== null && { after }), limit: PAGE_MAX })
  return pages<Account[], AccountId>(null, read, page => whereFull(page)?.id ?? null)
}

/** All movements after a cursor up to about now, a page at a time. */
export function feedPages(
  store: Store,
  book: Book,
  after: FeedCursor | null,
): AsyncGenerator<FeedPage> {
  const read = (cursor: FeedCursor | null) => store.feed(book, cursor, PAGE_MAX)
  return pages(after, read, page => (whereFull(page.movements) ? page.next : null))
}

/** All entries of a book by account and version, a page at a time. */
export function entryPages(store: Store, book: Book): AsyncGenerator<Entry[]> {
  const read = (after: Entry | null) => store.allEntries(book, after, PAGE_MAX)
  return pages<Entry[], Entry>(null, read, whereFull)
}

/** The last row of a page that another one may follow. */
function whereFull<Row>(page: readonly Row[]): Row | null {
  return page.length < PAGE_MAX ? null : (page.at(-1) ?? null)
}

/** The store reads the next page while the last one is worked on. */
async function* pages<Page, Cursor>(
  start: Cursor | null,
  read: (after: Cursor | null) => Promise<Page>,
  nextOf: (page: Page) => Cursor | null,
): AsyncGenerator<Page> {
  let reading: Promise<Page> | null = read(start)
  try {
    while (reading) {
      const page: Page = await reading
      const next = nextOf(page)
      reading = next === null ? null : read(next)
      // Awaited in the next round; until then its failure must not count as unhandled.
      reading?.catch(() => undefined)
      yield page
    }
  } finally {
    await reading?.catch(() => undefined)
  }
}

/** Reads something for each of `names`, a named number of them at once. */
export async function readEach<Name, Answer>(
  names: readonly Name[],
  read: (name: Name) => Promise<Answer>,
): Promise<[Name, Answer][]> {
  const answers: [Name, Answer][] = []
  for (let start = 0; start < names.length; start += READS_AT_ONCE) {
    const some = names.slice(start, start + READS_AT_ONCE)
    answers.push(
      ...(await Promise.all(
        some.map(async (name): Promise<[Name, Answer]> => [name, await read(name)]),
      )),
    )
  }
  return answers
}
