import type { AccountRecord } from './check-accounts.ts'
import { nameOf, type CheckCode, type Difference } from './check-codes.ts'
import { linesOf, OpenHolds, type Line } from './check-lines.ts'
import { feedPages } from './check-pages.ts'
import type { AccountId, Book } from './command.ts'
import type { Entry, Movement } from './movement.ts'
import type { Store } from './store.ts'

/** The most accounts whose first differing entry is named; of any more only the account is. */
export const ACCOUNTS_NAMED_MAX = 1_000
/** How many entries of each of them are read at a time. */
const ENTRIES_AT_ONCE = 50

/**
 * Names the first entry in which each of these accounts differs from what its movements must have
 * written: reads the feed once more and their entries beside it.
 */
export async function* nameFirstDifferences(
  store: Store,
  book: Book,
  records: readonly AccountRecord[],
  onPage: (movements: number) => void,
): AsyncGenerator<Difference> {
  const watched = new Map<AccountId, Watched>()
  for (const record of records.slice(0, ACCOUNTS_NAMED_MAX))
    watched.set(record.id, new Watched(store, book, record))
  const holds = new OpenHolds()
  for await (const { movements } of feedPages(store, book, null)) {
    for (const movement of movements) {
      for (const line of linesOf(movement, holds.pass(movement))) {
        const found = await watched.get(line.account)?.next(movement, line)
        if (!found) continue
        watched.delete(line.account)
        yield* found
      }
    }
    onPage(movements.length)
    if (watched.size === 0) break
  }
  for (const each of watched.values()) yield* await each.end()
  for (const record of records.slice(ACCOUNTS_NAMED_MAX)) yield somewhere(record)
}

/** One account whose entries are followed beside its movements. */
class Watched {
  readonly #store: Store
  readonly #book: Book
  readonly #record: AccountRecord
  #version = 0n
  #posted = 0n
  #held = 0n
  #page: readonly Entry[] = []
  #at = 0

  constructor(store: Store, book: Book, record: AccountRecord) {
    this.#store = store
    this.#book = book
    this.#record = record
  }

  /** What there is to say where the next entry is not that of this line; null where it is. */
  async next(movement: Movement, line: Line): Promise<Difference[] | null> {
    this.#version += 1n
    this.#posted += line.posted
    this.#held += line.held
    const found = await this.#read()
    const difference = found ? await this.#compare(movement, found) : this.#missing(movement)
    return difference && this.#withCrossing(difference)
  }

  /** To be called when the feed has ended without a difference. */
  async end(): Promise<Difference[]> {
    const found = await this.#read()
    if (!found || found.version > (this.#record.entries?.last.version ?? 0n))
      return this.#withCrossing(somewhere(this.#record))
    return this.#withCrossing(this.#unwritten(found, 'none'))
  }

  async #compare(movement: Movement, found: Entry): Promise<Difference | null> {
    const { key, part, recorded } = movement
    const version = this.#version
    if (found.version !== version)
      return this.#difference('VERSION_GAP', movement, version, found.version, 'version')
    if (found.key !== key || found.part !== part) return this.#otherMovement(movement, found)
    if (found.posted !== this.#posted)
      return this.#difference(
        'ENTRY_POSTED_DIFFERS',
        movement,
        this.#posted,
        found.posted,
        'posted',
      )
    if (found.held !== this.#held)
      return this.#difference('ENTRY_HELD_DIFFERS', movement, this.#held, found.held, 'held')
    if (found.recorded !== recorded)
      return this.#difference(
        'ENTRY_RECORDED_DIFFERS',
        movement,
        recorded,
        found.recorded,
        'recorded',
      )
    return null
  }

  /** The entry is there, but names another movement than the next one. */
  async #otherMovement(movement: Movement, found: Entry): Promise<Difference> {
    if (!(await this.#isWritten(found))) return this.#unwritten(found, nameOf(movement))
    while (!this.#isOf(movement)) if (!(await this.#read())) return this.#withoutEntry(movement)
    return this.#difference(
      'ENTRY_OUT_OF_ORDER',
      movement,
      nameOf(movement),
      nameOf(found),
      'movement',
    )
  }

  /** Whether the movement that an entry names exists and has a line on this account. */
  async #isWritten(entry: Entry): Promise<boolean> {
    const movements = await this.#store.movements(this.#book, entry.key)
    const writer = movements.find(each => each.part === entry.part)
    if (!writer) return false
    const hold = writer.part === 1 ? (movements.find(each => each.part === 0) ?? null) : null
    return linesOf(writer, hold).some(line => line.account === this.#record.id)
  }

  #isOf(movement: Movement): boolean {
    const entry = this.#page[this.#at - 1]
    return entry?.key === movement.key && entry.part === movement.part
  }

  #missing(movement: Movement): Difference {
    if (this.#version > (this.#record.row?.version ?? 0n)) return this.#withoutEntry(movement)
    const balance = `posted ${this.#posted}, held ${this.#held}`
    return {
      code: 'ENTRY_MISSING',
      account: this.#record.id,
      key: movement.key,
      version: this.#version,
      expected: balance,
      message: `${this.#place}: the entry of ${nameOf(movement)} with ${balance} is not there`,
    }
  }

  #withoutEntry(movement: Movement): Difference {
    const balance = `posted ${this.#posted}, held ${this.#held}`
    return {
      code: 'MOVEMENT_WITHOUT_ENTRY',
      account: this.#record.id,
      key: movement.key,
      version: this.#version,
      expected: balance,
      message: `${this.#place}: ${nameOf(movement)} wrote no entry, it must have come to ${balance}`,
    }
  }

  #unwritten(found: Entry, expected: string): Difference {
    const balance = `posted ${found.posted}, held ${found.held}`
    return {
      code: 'ENTRY_WITHOUT_MOVEMENT',
      account: this.#record.id,
      key: found.key,
      version: found.version,
      expected,
      found: nameOf(found),
      message: `${this.#record.id} version ${found.version}: no movement wrote the entry of ${nameOf(found)} with ${balance}`,
    }
  }

  #difference(
    code: CheckCode,
    { key, part }: Movement,
    expected: bigint | string,
    found: bigint | string,
    field: string,
  ): Difference {
    const message = `${this.#place}: ${field} of the entry of ${nameOf({ key, part })} is ${found}, the movements come to ${expected}`
    return {
      code,
      account: this.#record.id,
      key,
      version: this.#version,
      expected,
      found,
      message,
    }
  }

  get #place(): string {
    return `${this.#record.id} version ${this.#version}`
  }

  /** A floor that was crossed is worth telling only as far as the entries bear it out. */
  #withCrossing(difference: Difference): Difference[] {
    const { crossing } = this.#record
    const before = (crossing?.version ?? 0n) < (difference.version ?? 0n)
    return crossing && before ? [crossing, difference] : [difference]
  }

  /** The account's next entry. */
  async #read(): Promise<Entry | null> {
    if (this.#at === this.#page.length) {
      const account = this.#record.id
      const version = this.#page.at(-1)?.version ?? 0n
      const page = await this.#store.allEntries(this.#book, { account, version }, ENTRIES_AT_ONCE)
      this.#page = page.filter(entry => entry.account === account)
      this.#at = 0
    }
    this.#at += 1
    return this.#page[this.#at - 1] ?? null
  }
}

function somewhere({ id: account, entries }: AccountRecord): Difference {
  const version = entries?.last.version ?? 0n
  const message = `${account}: its entries up to version ${version} are not those of its movements`
  return { code: 'ENTRIES_DIFFER', account, version, message }
}
