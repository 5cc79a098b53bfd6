import { expect } from 'vitest'
import { check } from '../../src/ledger/check.ts'
import type { Book } from '../../src/ledger/command.ts'
import type { Store } from '../../src/ledger/store.ts'

/** Expects that `check` finds nothing in a book. */
export async function expectSound(store: Store, book: Book): Promise<void> {
  const differences = []
  for await (const difference of check(store, book)) differences.push(difference)
  expect(differences).toStrictEqual([])
}
