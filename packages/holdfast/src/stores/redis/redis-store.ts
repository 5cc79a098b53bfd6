import type { Instant } from '../../instant.ts'
import { decodeOutcome, type Answer } from '../../ledger/answer.ts'
import type { AccountId, Book, Command, Key } from '../../ledger/command.ts'
import type { Account, Entry, Movement } from '../../ledger/movement.ts'
import type { Outcome } from '../../ledger/outcome.ts'
import { isRefusal, prepare, type Prepared } from '../../ledger/prepare.ts'
import { readMovement } from '../../ledger/stored-movement.ts'
import { sum } from '../../money/amount.ts'
import {
  ListNotApplied,
  type Deadline,
  type EntryPlace,
  type FeedCursor,
  type FeedPage,
  type Store,
} from '../../ledger/store.ts'
import { decodeAccount, decodeAnswers, decodeEntry, parts, text, texts } from './decode.ts'
import { assertDurable } from './durability.ts'
import { encodeCommand } from './encode-list.ts'
import { instantOfMs } from './instant-of-ms.ts'
import { bookKeys, BOOKS_KEY } from './keys.ts'
import { movementJson } from './movement-text.ts'
import { errorCode, loadScript, runScript, type RedisClient, type Script } from './scripts.ts'

/** How far from zero a balance may lie: numbers are doubles in Lua (IEEE 754), exact up to here. */
export const REDIS_BALANCE_MAX: bigint = BigInt(Number.MAX_SAFE_INTEGER)

/** How often a server may start again while one list waits for it. */
const ADOPTIONS_MAX = 3

const SCRIPTS = {
  apply: loadScript('apply-1-read', 'apply-2-draft', 'apply-3-decide', 'apply-4-write'),
  adopt: loadScript('adopt'),
  register: loadScript('register'),
  books: loadScript('books'),
  countAccounts: loadScript('count-accounts'),
  now: loadScript('now'),
  account: loadScript('account'),
  accounts: loadScript('accounts'),
  entries: loadScript('entries'),
  allEntries: loadScript('all-entries'),
  movements: loadScript('movements'),
  reversed: loadScript('reversed'),
  feed: loadScript('feed'),
  expiredHolds: loadScript('expired-holds'),
}

/** What a store on Redis is made of. */
export interface RedisStoreOptions {
  /** A connected client or cluster of the package `redis`, or another that runs scripts as it does. */
  readonly client: RedisClient
  /** Whether this Redis may lose what it has acknowledged: no append-only file, or evicted keys. */
  readonly mayForget?: boolean
}

/**
 * The ledger on Redis 7 and Valkey, alone or as a cluster: a book is one hash slot, a list one
 * script. Balances lie within {@link REDIS_BALANCE_MAX}.
 */
export class RedisStore implements Store {
  readonly #client: RedisClient
  readonly #mayForget: boolean

  private constructor({ client, mayForget = false }: RedisStoreOptions) {
    this.#client = client
    this.#mayForget = mayForget
  }

  /**
   * Throws a `RedisNotDurable` where the server keeps no append-only file or evicts keys, unless it
   * may forget. In a cluster the other masters are looked at before they take their first list.
   */
  static async open(options: RedisStoreOptions): Promise<RedisStore> {
    const store = new RedisStore(options)
    await store.#assertDurable(BOOKS_KEY)
    return store
  }

  async apply(book: Book, commands: readonly Command[], deadline: Deadline): Promise<Outcome[]> {
    const prepared = commands.map(prepare)
    const wellFormed = prepared.filter((each): each is Prepared => !isRefusal(each))
    const next = (await this.#answers(book, wellFormed, deadline)).values()
    return prepared.map(each => {
      if (isRefusal(each)) return { ok: false, refusal: each }
      const { value: answer } = next.next()
      if (!answer) throw new Error('Redis gave fewer answers than there are commands')
      return decodeOutcome(book, each, answer)
    })
  }

  async now(book: Book): Promise<Instant> {
    return instantOfMs(text(await this.#run(SCRIPTS.now, [bookKeys(book).meta])))
  }

  async account(book: Book, id: AccountId, at?: Instant): Promise<Account | null> {
    const { accounts, entries } = bookKeys(book)
    const atMs = at === undefined ? '' : String(Date.parse(at))
    const reply = await this.#run(SCRIPTS.account, [accounts, entries], id, atMs)
    const [account, entry] = parts(reply)
    if (account === null) return null
    if (at === undefined) return decodeAccount(book, id, text(account))
    return decodeAccount(book, id, text(account), asOf(entry))
  }

  async accounts(book: Book, page: { after?: AccountId; limit: number }): Promise<Account[]> {
    const { accounts, ids } = bookKeys(book)
    const given = [page.after ?? '', String(page.limit)]
    const [found, values] = parts(await this.#run(SCRIPTS.accounts, [accounts, ids], ...given))
    const accountTexts = texts(values)
    return texts(found).map((id, index) => decodeAccount(book, id, accountTexts[index] ?? ''))
  }

  async entries(
    book: Book,
    id: AccountId,
    page: { before?: bigint; limit: number },
  ): Promise<Entry[]> {
    const { accounts, entries } = bookKeys(book)
    const given = [id, page.before?.toString() ?? '', String(page.limit)]
    const [newest, found] = parts(await this.#run(SCRIPTS.entries, [accounts, entries], ...given))
    const first = BigInt(text(newest))
    return texts(found).map((each, index) => decodeEntry(book, id, first - BigInt(index), each))
  }

  async allEntries(book: Book, after: EntryPlace | null, limit: number): Promise<Entry[]> {
    const { accounts, ids, entries } = bookKeys(book)
    const page: Entry[] = []
    let from: EntryPlace | null = after ?? { account: '', version: 0n }
    while (from && page.length < limit) {
      const given = [from.account, from.version.toString(), String(limit - page.length)]
      const reply = await this.#run(SCRIPTS.allEntries, [accounts, ids, entries], ...given)
      const [last, places, found] = parts(reply)
      const entryTexts = texts(found)
      for (const [index, place] of texts(places).entries()) {
        const [account = '', version = ''] = place.split(' ')
        page.push(decodeEntry(book, account, BigInt(version), entryTexts[index] ?? ''))
      }
      from = nextPlace(text(last), page)
    }
    return page
  }

  async movements(book: Book, ...keys: readonly Key[]): Promise<Movement[]> {
    if (keys.length === 0) return []
    const { movements, keys: keysKey } = bookKeys(book)
    const names = [...new Set(keys)].sort().flatMap(key => [`0 ${key}`, `1 ${key}`])
    return this.#movements(book, SCRIPTS.movements, [movements, keysKey], ...names)
  }

  async reversed(book: Book, of: Key): Promise<bigint[]> {
    const { reversals, keys, movements } = bookKeys(book)
    const reply = await this.#run(SCRIPTS.reversed, [reversals, keys, movements], of)
    const [paidBack, original] = texts(reply)
    if (paidBack === undefined || original === undefined) return []
    const left = paidBack.split(',').map(BigInt)
    const { legs } = readMovement(movementJson(book, original))
    return legs.map(leg => sum(left.splice(0, leg.from.length)))
  }

  /** A cursor is the sequence number of the last movement that was read. */
  async feed(book: Book, after: FeedCursor | null, limit: number): Promise<FeedPage> {
    const { meta, movements } = bookKeys(book)
    const seq = after ?? '0'
    const keys = [meta, movements]
    const page = await this.#movements(book, SCRIPTS.feed, keys, seq, String(limit))
    return { movements: page, next: String(Number(seq) + page.length) }
  }

  async expiredHolds(book: Book, limit: number): Promise<Key[]> {
    const { keys, expiring } = bookKeys(book)
    return texts(await this.#run(SCRIPTS.expiredHolds, [keys, expiring], String(limit)))
  }

  async books(): Promise<Book[]> {
    const known = texts(await this.#run(SCRIPTS.books, [BOOKS_KEY])).sort()
    const counts = known.map(book => this.#run(SCRIPTS.countAccounts, [bookKeys(book).ids]))
    const sizes = await Promise.all(counts)
    return known.filter((_, index) => sizes[index] !== 0)
  }

  async #answers(book: Book, commands: readonly Prepared[], deadline: Deadline): Promise<Answer[]> {
    if (commands.length === 0) return []
    const keys = Object.values<string>({ ...bookKeys(book) })
    const given = [String(Date.parse(deadline)), ...commands.map(encodeCommand)]
    for (let adoptions = 0; adoptions <= ADOPTIONS_MAX; adoptions += 1) {
      const reply = await this.#run(SCRIPTS.apply, keys, ...given).catch((error: unknown) => {
        const nothingDone = NOTHING_DONE.includes(errorCode(error) ?? '')
        throw nothingDone ? new ListNotApplied('conflict', { cause: error }) : error
      })
      const [state, ...answers] = parts(reply)
      if (state === 'DEADLINE') throw new ListNotApplied('deadline')
      if (state === 'OK') return decodeAnswers(book, commands, answers)
      await this.#adopt(book)
    }
    throw new ListNotApplied('conflict')
  }

  /** A server that has started again, or taken another's place, is looked at before it is trusted. */
  async #adopt(book: Book): Promise<void> {
    const { meta } = bookKeys(book)
    await this.#assertDurable(meta).catch((error: unknown) => {
      throw new ListNotApplied('failed', { cause: error })
    })
    await this.#run(SCRIPTS.register, [BOOKS_KEY], book)
    await this.#run(SCRIPTS.adopt, [meta])
  }

  async #assertDurable(key: string): Promise<void> {
    if (!this.#mayForget) await assertDurable(this.#client, key)
  }

  async #movements(
    book: Book,
    script: Script,
    keys: string[],
    ...given: string[]
  ): Promise<Movement[]> {
    const found = texts(await this.#run(script, keys, ...given))
    return found.map(each => readMovement(movementJson(book, each)))
  }

  #run(script: Script, keys: string[], ...given: string[]): Promise<unknown> {
    return runScript(this.#client, script, keys, given)
  }
}

/** Error replies of Redis to a script that did nothing. */
const NOTHING_DONE = [
  'LOADING',
  'BUSY',
  'CLUSTERDOWN',
  'TRYAGAIN',
  'MASTERDOWN',
  'READONLY',
  'NOREPLICAS',
  'OOM',
  'MISCONF',
]

/** `posted held version` as an entry has left them; nothing at all before the first. */
function asOf(entry: unknown): string {
  if (entry === null) return '0 0 0'
  const [place, value] = texts(entry)
  const [posted, held] = (value ?? '').split(' ')
  return `${posted} ${held} ${place}`
}

/** Where a page of entries goes on after the account that was looked at last. */
function nextPlace(last: AccountId, page: readonly Entry[]): EntryPlace | null {
  if (last === '') return null
  const entry = page.findLast(each => each.account === last)
  return { account: last, version: entry?.version ?? BigInt(Number.MAX_SAFE_INTEGER) }
}
