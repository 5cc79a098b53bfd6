import type { Instant } from '../instant.ts'
import type { AccountId, Asset, Key } from '../ledger/command.ts'
import { sum } from '../money/amount.ts'
import type { Party } from './accounts.ts'
import type { ChargeRecord } from './record.ts'
import type { Day, Role } from './schedule.ts'

/** An amount that an account gave or got, in minor units. */
export interface Part {
  readonly account: AccountId
  readonly amount: bigint
}

/** A share that was credited. A share of 0 is not there. */
export interface CreditedShare extends Part {
  readonly role: Role
}

/**
 * The proof that a buyer was charged: nobody but this room can make one. A function that takes a
 * `Charged` cannot be called before the charge.
 */
export class Charged {
  readonly #made = true
  readonly key: Key
  readonly buyer: Party
  readonly seller: Party
  readonly asset: Asset
  /** What the buyer paid, in minor units: the shares add up to it. */
  readonly price: bigint
  readonly shares: readonly CreditedShare[]
  /** Where the price came from: trial credit first, then what was prepaid. */
  readonly paidFrom: readonly Part[]
  /** The day of the schedule's version that the price was split by. */
  readonly version: Day
  readonly recorded: Instant

  /** Throws where the money did not move: that is a mistake in this room. */
  constructor(record: ChargeRecord) {
    const { key, buyer, seller, version, priceLegs, took } = record
    if (!took) throw new Error(`${key} did not charge anybody`)
    this.key = key
    this.buyer = buyer
    this.seller = seller
    this.version = version
    this.recorded = took.recorded
    this.asset = priceLegs[0]?.leg.asset ?? ''
    this.shares = priceLegs
      .map(({ role, leg, index }) => ({
        role,
        account: leg.to,
        amount: sum(took.moved[index] ?? []),
      }))
      .filter(share => share.amount > 0n)
    this.price = sum(this.shares.map(share => share.amount))
    const given = new Map<AccountId, bigint>()
    for (const { leg, index } of priceLegs)
      for (const [source, account] of leg.from.entries())
        given.set(account, (given.get(account) ?? 0n) + (took.moved[index]?.[source] ?? 0n))
    this.paidFrom = [...given]
      .map(([account, amount]) => ({ account, amount }))
      .filter(part => part.amount > 0n)
  }

  /** Always true; what is no `Charged` has none. */
  get isCharged(): boolean {
    return this.#made
  }
}

/**
 * The proof that a ceiling is on hold: nobody but this room can make one, and only with it can an
 * amount be captured.
 */
export class Authorisation {
  readonly #made = true
  readonly key: Key
  readonly buyer: Party
  readonly seller: Party
  /** In minor units. */
  readonly ceiling: bigint
  readonly expiresInMs: number
  readonly version: Day
  readonly recorded: Instant

  constructor({ key, buyer, seller, version, gross, first }: ChargeRecord) {
    this.key = key
    this.buyer = buyer
    this.seller = seller
    this.version = version
    this.ceiling = gross
    this.expiresInMs = first.expiresInMs ?? 0
    this.recorded = first.recorded
  }

  /** Always true; what is no `Authorisation` has none. */
  get isAuthorisation(): boolean {
    return this.#made
  }
}
