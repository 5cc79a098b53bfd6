import type { Book } from '../../ledger/command.ts'

/** The key of the set of all books. */
export const BOOKS_KEY = 'holdfast:books'

/** The keys of a book, all in one hash slot, in the order in which `apply` takes them. */
export interface BookKeys {
  readonly meta: string
  readonly accounts: string
  readonly ids: string
  readonly movements: string
  readonly keys: string
  readonly entries: string
  readonly reversals: string
  readonly expiring: string
}

/** The names of the keys that a book lives in. */
export function bookKeys(book: Book): BookKeys {
  const key = (name: string) => `holdfast:{${book}}:${name}`
  return {
    meta: key('meta'),
    accounts: key('accounts'),
    ids: key('ids'),
    movements: key('movements'),
    keys: key('keys'),
    entries: key('entries'),
    reversals: key('reversals'),
    expiring: key('expiring'),
  }
}
