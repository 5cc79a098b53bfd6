import { expect } from 'vitest'
import { Charges } from '../../src/charges/charges.ts'
import type { ChargeLedger } from '../../src/charges/ledger-port.ts'
import { FeeSchedule, type ScheduleVersion } from '../../src/charges/schedule.ts'
import type { Book, Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/ledger/store.ts'
import { MemoryStore } from '../../src/stores/memory/memory-store.ts'
import { ManualClock, ManualTimer } from '../support/clock.ts'
import { expectSound } from '../support/sound.ts'
import { newBook } from '../support/subject.ts'

export const BUYER = 'user:42'
export const SELLER = 'seller:7'

/** 78% for the seller, 22% for the platform; an affiliate gets 5% of it where there is one. */
export const VERSION: ScheduleVersion = {
  from: '2026-01-01',
  fees: [
    { role: 'affiliate', rate: { basisPoints: 500 } },
    { role: 'platform', rate: { basisPoints: 2_200 } },
  ],
  accounts: { platform: 'platform' },
}

interface SceneOptions {
  readonly asset?: string
  readonly versions?: readonly ScheduleVersion[]
  readonly store?: Store
}

/** A book with a world that pays in, and charges on it; on the memory store where none is given. */
export class Scene {
  readonly clock: ManualClock = new ManualClock()
  readonly book: Book = newBook()
  readonly asset: string
  readonly store: Store
  readonly ledger: Ledger
  readonly charges: Charges

  constructor({ asset = 'GBP/2', versions = [VERSION], store }: SceneOptions = {}) {
    this.asset = asset
    this.store = store ?? new MemoryStore(this.clock)
    this.ledger = new Ledger({
      store: this.store,
      book: this.book,
      ...(store ? {} : { timer: new ManualTimer(this.clock) }),
    })
    this.charges = this.withVersions(...versions)
  }

  /** Charges on the same ledger with another schedule. */
  withVersions(...versions: ScheduleVersion[]): Charges {
    const schedule = new FeeSchedule(this.asset, versions)
    return new Charges({ ledger: this.ledger, schedule, clock: this.clock })
  }

  /** Charges on a ledger that does some things otherwise. */
  through(otherwise: Partial<ChargeLedger>): Charges {
    const { ledger } = this
    const same: ChargeLedger = {
      submit: command => ledger.submit(command),
      apply: commands => ledger.apply(commands),
      movements: (...keys) => ledger.movements(...keys),
      reversed: of => ledger.reversed(of),
      account: id => ledger.account(id),
      entries: (id, page) => ledger.entries(id, page),
    }
    const schedule = new FeeSchedule(this.asset, [VERSION])
    return new Charges({ ledger: { ...same, ...otherwise }, schedule, clock: this.clock })
  }

  /** The world, and money that the buyer has. */
  async open({ prepaid = 0n, trial = 0n }: { prepaid?: bigint; trial?: bigint } = {}) {
    await this.given(
      { do: 'open', account: 'world', asset: this.asset, floor: null },
      { do: 'open', account: 'clearing:bank', asset: this.asset, floor: null },
    )
    const common = { buyer: BUYER, from: 'world' }
    if (prepaid > 0n)
      expect(await this.charges.topUp({ key: 'in', amount: prepaid, ...common })).toMatchObject({
        ok: true,
      })
    if (trial > 0n)
      expect(
        await this.charges.grantTrial({ key: 'trial', amount: trial, ...common }),
      ).toMatchObject({ ok: true })
    return this
  }

  async given(...commands: Command[]): Promise<void> {
    for (const outcome of await this.ledger.apply(commands))
      expect(outcome).toMatchObject({ ok: true })
  }

  /** Posted and held of an account, 0 where it is not open. */
  async balance(account: string): Promise<bigint> {
    return (await this.ledger.account(account))?.posted ?? 0n
  }

  /** Posted of what a party has prepaid, was given to try, has earned; in the asset of the scene. */
  prepaid = (): Promise<bigint> => this.balance(`prepaid:${BUYER}/${this.asset}`)
  trial = (): Promise<bigint> => this.balance(`trial:${BUYER}/${this.asset}`)
  earned = (): Promise<bigint> => this.balance(`earned:${SELLER}/${this.asset}`)

  async expectSound(): Promise<void> {
    await expectSound(this.store, this.book)
  }
}
