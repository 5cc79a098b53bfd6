import type { Instant } from '../instant.ts'
import type { AccountId, Book, Key } from './command.ts'
import type { Account, Entry, Movement } from './movement.ts'
import type { Refusal } from './outcome.ts'
import { refusals } from './refusals.ts'

/** What `decide` may know of a book: the accounts and movements that its commands name. */
export interface LedgerState {
  readonly book: Book
  account(id: AccountId): Account | undefined
  movement(key: Key, part: 0 | 1): Movement | undefined
  /** The reversals of a movement so far. */
  reversals(of: Key): readonly Movement[]
}

/** What a list of commands adds to a book. */
export interface Changes {
  readonly accounts: ReadonlyMap<AccountId, Account>
  readonly movements: Iterable<Movement>
  readonly entries: readonly Entry[]
}

/**
 * A state with changes on top: the list over the stored book, and one command over the list. What
 * is never merged leaves no trace.
 */
export class Draft implements LedgerState, Changes {
  readonly book: Book
  readonly recorded: Instant
  readonly accounts: Map<AccountId, Account> = new Map()
  readonly entries: Entry[] = []
  /** How far from zero a balance may lie in this store, in minor units. */
  readonly balanceMax: bigint
  readonly #movements: Map<string, Movement> = new Map()
  readonly #under: LedgerState

  constructor(under: LedgerState, recorded: Instant, balanceMax: bigint) {
    this.#under = under
    this.book = under.book
    this.recorded = recorded
    this.balanceMax = balanceMax
  }

  account(id: AccountId): Account | undefined {
    return this.accounts.get(id) ?? this.#under.account(id)
  }

  movement(key: Key, part: 0 | 1): Movement | undefined {
    return this.#movements.get(`${part} ${key}`) ?? this.#under.movement(key, part)
  }

  reversals(of: Key): readonly Movement[] {
    const own = [...this.#movements.values()].filter(movement => movement.of === of)
    return [...this.#under.reversals(of), ...own]
  }

  get movements(): Iterable<Movement> {
    return this.#movements.values()
  }

  add(movement: Movement): void {
    this.#movements.set(`${movement.part} ${movement.key}`, movement)
  }

  /** Writes one line of a movement on an account, unless a balance leaves the limits. */
  line(id: AccountId, posted: bigint, held: bigint, key: Key, part: 0 | 1): Refusal | null {
    const before = this.account(id)
    if (!before) throw new Error(`account ${id} was not checked before a line was written on it`)
    const after: Account = {
      ...before,
      posted: before.posted + posted,
      held: before.held + held,
      version: before.version + 1n,
    }
    const balances = [after.posted, after.held, after.posted - after.held]
    if (balances.some(balance => balance > this.balanceMax || balance < -this.balanceMax))
      return refusals.balanceTooLarge(id)
    this.accounts.set(id, after)
    this.entries.push({
      book: this.book,
      account: id,
      version: after.version,
      key,
      part,
      posted: after.posted,
      held: after.held,
      recorded: this.recorded,
    })
    return null
  }

  merge(changes: Changes): void {
    for (const [id, account] of changes.accounts) this.accounts.set(id, account)
    for (const movement of changes.movements) this.add(movement)
    this.entries.push(...changes.entries)
  }
}

/** What one command comes to: a movement (none for open and close), a stored answer, or a refusal. */
export type Verdict =
  | { readonly movement?: Movement }
  | { readonly replay: Movement | null }
  | { readonly refusal: Refusal }

/** The fields of a movement that most kinds leave empty. */
export function blank(draft: Draft): Omit<Movement, 'key' | 'kind' | 'legs' | 'moved'> {
  return {
    book: draft.book,
    part: 0,
    of: null,
    replaces: null,
    amounts: null,
    expiresInMs: null,
    effective: null,
    mayOwe: false,
    meta: null,
    reason: null,
    recorded: draft.recorded,
  }
}

/** The first gives first: as much of `amount` as each of `available` allows. */
export function fill(available: readonly bigint[], amount: bigint): bigint[] {
  let missing = amount
  return available.map(each => {
    const gives = each > missing ? missing : each
    missing -= gives
    return gives
  })
}

/**
 * What an account may give: `posted - held - floor`, at least 0; null means without bound. A floor
 * beyond the store's limit counts as one at it.
 */
export function giveable(account: Account, balanceMax: bigint): bigint | null {
  if (account.floor === null) return null
  const floor = clamp(account.floor, balanceMax)
  const above = account.posted - account.held - floor
  return above > 0n ? above : 0n
}

function clamp(value: bigint, max: bigint): bigint {
  if (value > max) return max
  return value < -max ? -max : value
}
