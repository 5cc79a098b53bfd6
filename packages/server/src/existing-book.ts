import type { Book, Store } from 'holdfast'
import { BadInput } from './bad-input.ts'

/**
 * Makes sure that a book has begun, by its first accounts or by what is left of it where they have
 * vanished. Throws {@link BadInput}: a name that was mistyped is no empty book.
 */
export async function requireBook(store: Store, book: Book): Promise<void> {
  if ((await store.accounts(book, { limit: 1 })).length > 0) return
  if ((await store.books()).includes(book)) return
  throw new BadInput(`--book: there is no book ${book}`)
}
