import { expect } from 'vitest'
import { check } from '../src/ledger/check.ts'
import type { Difference } from '../src/ledger/check-codes.ts'
import type { Book, Command, Leg } from '../src/ledger/command.ts'
import type { MovementKind } from '../src/ledger/movement.ts'
import type { Store } from '../src/ledger/store.ts'
import { PostgresStore } from '../src/stores/postgres/postgres-store.ts'
import {
  COIN,
  hold,
  leg,
  mayOwe,
  NEVER,
  open,
  release,
  reverse,
  settle,
  transfer,
} from './support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from './support/postgres.ts'

/** A little of everything that a book can contain, in two lists. */
const HISTORY: readonly (readonly Command[])[] = [
  [
    open('world', null),
    open('mint', null, COIN),
    ...['alice', 'bob', 'carol', 'credit', 'idle'].map(id => open(id)),
    open('dora', 0n, COIN),
    transfer('fund', [leg('world', 'alice', 1_000n), leg('world', 'bob', 500n)]),
    transfer('grant', leg('world', 'credit', 30n)),
    transfer('coins', leg('mint', 'dora', 7n, { asset: COIN })),
    transfer('buy', leg(['credit', 'alice'], 'bob', 100n)),
    transfer('tip', leg('bob', 'carol', 50n, { atLeast: 10n })),
    hold('part', leg('alice', 'bob', 200n), { expiresInMs: 60_000 }),
    hold('back', leg('alice', 'carol', 40n)),
    hold('open', leg('bob', 'carol', 25n), { expiresInMs: 60_000 }),
    hold('old', leg('alice', 'bob', 60n)),
    hold('late', leg('world', 'idle', 3n), { expiresInMs: 1 }),
  ],
  [
    settle('part', 150n),
    release('back'),
    release('late', { ifExpired: true }),
    hold('new', leg('alice', 'bob', 80n), { replaces: 'old' }),
    hold('two', leg(['carol', 'bob'], 'alice', 70n)),
    settle('two'),
    reverse('refund-1', 'buy', 40n),
    reverse('refund-2', 'buy', 20n),
    reverse('undo', 'part', 50n),
    transfer('pay', leg('alice', 'carol', 5n)),
    transfer('spend', leg('carol', 'bob', 5n)),
    mayOwe(reverse('debt', 'pay')),
    transfer('gift', leg('alice', 'carol', 2n)),
  ],
]

/** One thing that is done to a book by hand, and what check must make of it, nothing more. */
export interface Damage {
  readonly what: string
  /** With `$1` for the book. */
  readonly sql?: string
  readonly forgery?: Forgery
  readonly finds: readonly string[]
}

/** A movement written by hand with its entries, its accounts made to fit: only a rule can tell. */
export interface Forgery {
  readonly key: string
  readonly kind: MovementKind
  readonly leg: Leg
  readonly moved: readonly number[]
  readonly of?: string
  readonly amounts?: readonly number[]
  readonly mayOwe?: true
  /** What is added to posted and to held of an account. */
  readonly lines: readonly (readonly [account: string, posted: number, held: number])[]
}

/** For `it.each` with `%s`, which prints a name whole. */
export function named(damages: readonly Damage[]): [what: string, damage: Damage][] {
  return damages.map(damage => [damage.what, damage])
}

/** A database whose owner has switched off what guards movements and entries. */
export class UnguardedDatabase {
  readonly store: PostgresStore
  readonly #postgres: PostgresDatabase
  #books = 0

  private constructor(postgres: PostgresDatabase) {
    this.#postgres = postgres
    this.store = new PostgresStore(postgres.database)
  }

  static async open(): Promise<UnguardedDatabase> {
    const postgres = await migratedDatabase()
    // The feed begins at 1: room is left for what is put before everything else.
    await postgres.database.exec(`alter table holdfast.movement disable trigger all;
      alter table holdfast.entry disable trigger all;
      alter sequence holdfast.movement_seq restart 1000`)
    return new UnguardedDatabase(postgres)
  }

  close(): Promise<void> {
    return this.#postgres.close()
  }

  /** A book with the same history as every other. */
  async newBook(): Promise<Book> {
    this.#books += 1
    const book = `book-${this.#books}`
    for (const list of HISTORY) {
      for (const outcome of await this.store.apply(book, list, NEVER))
        expect(outcome).toMatchObject({ ok: true, replayed: false })
      await this.#nextTick()
    }
    return book
  }

  /** Does it to a book of its own; gives what check finds there. */
  async findAfter({ sql, forgery }: Damage): Promise<string[]> {
    const book = await this.newBook()
    await this.#postgres.database.transaction(async tx => {
      await tx.query('set local search_path = holdfast')
      if (sql !== undefined) await tx.query(sql, [book])
    })
    if (forgery) await this.#forge(book, forgery)
    return differencesOf(this.store, book)
  }

  async #forge(book: Book, forgery: Forgery) {
    const { key, kind, leg, moved, of, amounts, mayOwe, lines } = forgery
    const { from, to, asset, amount } = leg
    const legs = [{ from: [from].flat(), to, asset, amount: `${amount}`, atLeast: `${amount}` }]
    const part = kind === 'settle' ? 1 : 0
    await this.#postgres.database.query(
      `insert into holdfast.movement
         (book, key, part, kind, legs, moved, of, amounts, may_owe, recorded, seq,
         transaction)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, date_trunc('milliseconds', clock_timestamp()),
         nextval('holdfast.movement_seq'), holdfast.transaction_id_v1())`,
      [
        book,
        key,
        part,
        kind,
        JSON.stringify(legs),
        moved,
        of ?? null,
        amounts ?? null,
        mayOwe ?? false,
      ],
    )
    for (const [account, posted, held] of lines)
      await this.#postgres.database.query(
        `with changed as (
           update holdfast.account set posted = posted + $4, held = held + $5, version = version + 1
           where book = $1 and id = $2 returning version, posted, held)
         insert into holdfast.entry (book, account, version, key, part, posted, held, recorded)
         select m.book, $2, changed.version, m.key, m.part, changed.posted, changed.held, m.recorded
         from changed, holdfast.movement m where m.book = $1 and m.key = $3 and m.part = $6`,
        [book, account, key, posted, held, part],
      )
  }

  /** Returns when the server's clock shows another millisecond, and one more. */
  async #nextTick(): Promise<void> {
    const start = Date.parse(await this.store.now())
    while (Date.parse(await this.store.now()) < start + 2) await Promise.resolve()
  }
}

/** Everything that check finds, each in one short line. */
export async function differencesOf(store: Store, book: Book): Promise<string[]> {
  const lines: string[] = []
  for await (const each of check(store, book)) lines.push(inShort(each))
  return lines
}

/** The code, the place, and what was expected and found. */
export function inShort(difference: Difference): string {
  const { code, account, asset, version, key } = difference
  const at = version === undefined ? version : `v${version}`
  return [code, account, asset, at, key, ...values(difference)].filter(each => each).join(' ')
}

const INSTANT = /^\d{4}-\d\d-\d\dT/

/** Of two times only their order, since they are those of the run. */
function values({ expected, found }: Difference): string[] {
  if (typeof expected === 'string' && typeof found === 'string' && INSTANT.test(expected))
    return [found > expected ? 'later' : 'earlier']
  return [
    ...(expected === undefined ? [] : [String(expected)]),
    ...(found === undefined ? [] : [`-> ${found}`]),
  ]
}
