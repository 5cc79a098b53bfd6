import { AccountRecords } from './check-accounts.ts'
import type { Report } from './check-codes.ts'
import { linesOf, OpenHolds, type Line } from './check-lines.ts'
import {
  faultsOf,
  faultsOfEnd,
  faultsOfReplacing,
  faultsOfReversal,
  originalOf,
  type Original,
} from './check-rules.ts'
import type { AccountId, Asset, Book, Key } from './command.ts'
import type { Movement } from './movement.ts'
import type { Store } from './store.ts'

/**
 * Lets the movements of a book pass in the order in which they took effect, holds each against the
 * rules, and adds up what they come to on each account.
 */
export class Replay {
  readonly #store: Store
  readonly #book: Book
  readonly #accounts: AccountRecords
  readonly #report: Report
  readonly #holds: OpenHolds = new OpenHolds()
  /** What can be reversed among the keys that reversals have named so far. */
  readonly #originals = new Map<Key, Original | null>()

  constructor(store: Store, book: Book, accounts: AccountRecords, report: Report) {
    this.#store = store
    this.#book = book
    this.#accounts = accounts
    this.#report = report
  }

  async page(movements: readonly Movement[]): Promise<void> {
    await this.#accounts.learn(this.#unknownAccounts(movements))
    const originals = movements.flatMap(({ of }) =>
      of === null || this.#originals.has(of) ? [] : [of],
    )
    for (const [key, found] of await this.#movementsOf(originals))
      this.#originals.set(key, originalOf(key, found))
    const replaced = await this.#movementsOf(movements.flatMap(({ replaces }) => replaces ?? []))
    for (const movement of movements) this.#movement(movement, replaced)
  }

  /** Says in each account's record what its open holds come to. */
  addUpHolds(): void {
    for (const hold of this.#holds.values())
      for (const line of linesOf(hold, null)) this.#accounts.of(line.account).inHolds += line.held
  }

  #unknownAccounts(movements: readonly Movement[]): Map<AccountId, Key> {
    const unknown = new Map<AccountId, Key>()
    const name = (id: AccountId, key: Key) => {
      if (!this.#accounts.has(id) && !unknown.has(id)) unknown.set(id, key)
    }
    for (const { key, legs } of movements)
      for (const leg of legs) {
        for (const source of leg.from) name(source, key)
        name(leg.to, key)
      }
    return unknown
  }

  async #movementsOf(keys: readonly Key[]): Promise<Map<Key, Movement[]>> {
    const found = new Map(keys.map((key): [Key, Movement[]] => [key, []]))
    if (keys.length === 0) return found
    for (const movement of await this.#store.movements(this.#book, ...keys))
      found.get(movement.key)?.push(movement)
    return found
  }

  #movement(movement: Movement, replaced: ReadonlyMap<Key, readonly Movement[]>): void {
    const { key, kind, of, replaces } = movement
    const hold = this.#holds.pass(movement)
    const faults = faultsOf(movement)
    if (kind === 'settle' || kind === 'release') faults.push(...faultsOfEnd(movement, hold))
    if (kind === 'reverse')
      faults.push(...faultsOfReversal(movement, this.#originals.get(of ?? '') ?? null))
    if (replaces !== null) faults.push(...faultsOfReplacing(movement, replaced.get(replaces) ?? []))
    faults.forEach(this.#report)
    for (const { from, to, asset } of movement.legs) {
      for (const source of from) this.#compareAsset(key, asset, source)
      this.#compareAsset(key, asset, to)
    }
    for (const line of linesOf(movement, hold)) this.#line(movement, line)
  }

  /** Once an account: where its row was changed, every leg of it differs. */
  #compareAsset(key: Key, asset: Asset, account: AccountId): void {
    const record = this.#accounts.of(account)
    if (record.asset === null || record.asset === asset || record.assetDiffers) return
    record.assetDiffers = true
    this.#report({
      code: 'ASSET_DIFFERS',
      account,
      key,
      expected: record.asset,
      found: asset,
      message: `${key} moves ${asset} on ${account}, which holds ${record.asset}`,
    })
  }

  #line(movement: Movement, line: Line): void {
    const { key, part, recorded } = movement
    const record = this.#accounts.of(line.account)
    const { id: account, floor, balance } = record
    const version = balance.version + 1n
    const posted = balance.posted + line.posted
    const held = balance.held + line.held
    if (recorded < record.recorded)
      this.#report({
        code: 'RECORDED_BACKWARDS',
        account,
        key,
        version,
        expected: record.recorded,
        found: recorded,
        message: `${account} version ${version}: ${key} was recorded at ${recorded}, after ${record.recorded}`,
      })
    const available = posted - held
    const lowered = line.posted < line.held
    const allowed = movement.kind === 'reverse' && movement.mayOwe
    if (floor !== null && available < floor && lowered && !allowed)
      record.crossing ??= {
        code: 'FLOOR_CROSSED',
        account,
        key,
        version,
        expected: floor,
        found: available,
        message: `${account} version ${version}: ${key} lowered available to ${available}, the floor is ${floor}`,
      }
    record.balance = { version, posted, held }
    record.recorded = recorded
    record.hash.add({ version, key, part, posted, held, recorded })
    record.compareEntries()
  }
}
