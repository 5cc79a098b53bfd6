import type { Asset, Key, Leg, Open } from '../ledger/command.ts'
import type { BankAccounts } from './bank-profile.ts'
import type { AcceptedStatement, PlaceSum, UnpostedReturn } from './ports.ts'

/** The key of the one transfer that a statement posts: the file's hash, the statement in it. */
export function postingKey({ hash, number }: Pick<AcceptedStatement, 'hash' | 'number'>): Key {
  return `statement:${hash}:${number}`
}

/** The key of the transfer that a late return posts beside its statement. */
export function returnKey({ hash, place }: UnpostedReturn): Key {
  const { statement, line, detail } = place
  return `${postingKey({ hash, number: statement })}:return:${line}:${detail}`
}

/**
 * The legs of that transfer: one for each place, role and side, so that it has few however long the
 * statement is. What left the bank comes off its account's negative: it goes to `bank`.
 */
export function postingLegs(
  sums: readonly Pick<PlaceSum, 'place' | 'books'>[],
  accounts: BankAccounts,
  asset: Asset,
): Leg[] {
  return sums
    .filter(({ books }) => books !== 0n)
    .map(({ place, books }) => {
      const other = accounts[place]
      return books < 0n
        ? { from: other, to: accounts.bank, asset, amount: -books }
        : { from: accounts.bank, to: other, asset, amount: books }
    })
}

/** Opens the accounts that the legs move between; again, it changes nothing. */
export function openings({ bank, clearing, fees, suspense }: BankAccounts, asset: Asset): Open[] {
  return [bank, clearing, fees, suspense].map(account => ({
    do: 'open',
    account,
    asset,
    floor: null,
  }))
}
