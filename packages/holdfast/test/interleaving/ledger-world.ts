import type { View } from '../../../interleave/src/index.ts'
import type { Instant } from '../../src/instant.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Movement } from '../../src/ledger/movement.ts'
import type { Store } from '../../src/ledger/store.ts'
import { MemoryStore } from '../../src/stores/memory/memory-store.ts'
import { ManualClock } from '../support/clock.ts'
import { hold, leg, NEVER, open, transfer } from '../support/commands.ts'
import { replacing, timed, untimed, type Timed } from './timed.ts'
import { BOOK, FUNDS, SLEEPS_NOT, START } from './world.ts'

export const HOLD_TTL_MS = 1_000

/** What the steps of a program with a ledger are calls of. */
export interface LedgerPorts {
  readonly store: Timed<Store>
  readonly time: { readonly pass: (ms: number) => void; readonly now: () => Instant }
  readonly goods: { readonly deliver: () => void }
  /** A caller comes, at any time. */
  readonly arrival: { readonly of: (caller: number) => void }
  /** Lets everything that waits for its turn run first. */
  readonly loop: { readonly turn: () => void }
}

/** A ledger with 100 in it. */
export class LedgerWorld {
  readonly clock: ManualClock = new ManualClock()
  readonly store: MemoryStore = new MemoryStore(this.clock)
  delivered = 0
  readonly #movements: string[] = []

  static async open(floor: bigint | null = 0n): Promise<LedgerWorld> {
    const world = new LedgerWorld()
    const commands = [
      open('world', null),
      open('buyer', floor),
      open('shop'),
      transfer('funds', leg('world', 'buyer', FUNDS)),
    ]
    for (const outcome of await world.store.apply(BOOK, commands, NEVER))
      if (!outcome.ok) throw new Error(outcome.refusal.message)
    return world
  }

  /** A hold of 80, which expires. */
  async hold(): Promise<this> {
    const held = hold('h', leg('buyer', 'shop', 80n), { expiresInMs: HOLD_TTL_MS })
    await this.store.apply(BOOK, [held], NEVER)
    return this
  }

  ports(): LedgerPorts {
    const { clock, store } = this
    const apply: Store['apply'] = async (book, commands, deadline) => {
      const outcomes = await store.apply(book, commands, deadline)
      for (const outcome of outcomes) {
        if (!outcome.ok || outcome.replayed || !outcome.movement) continue
        const { key, kind, recorded } = outcome.movement
        this.#movements.push(`${key} ${kind} ${recorded}`)
      }
      return outcomes
    }
    return {
      store: timed<Store>(replacing<Store>(store, { apply }), clock),
      time: {
        pass: ms => {
          clock.pass(ms)
        },
        now: () => clock.now(),
      },
      goods: {
        deliver: () => {
          this.delivered += 1
        },
      },
      arrival: { of: () => undefined },
      loop: { turn: () => undefined },
    }
  }

  /** All that can be seen of it. */
  state(): string {
    return `${this.#movements.toSorted().join()} ${this.clock.now()} ${this.delivered}`
  }

  movements(key: string): Promise<Movement[]> {
    return this.store.movements(BOOK, key)
  }

  async balance(account: string): Promise<readonly [posted: bigint, held: bigint]> {
    const { posted = 0n, held = 0n } = (await this.store.account(BOOK, account)) ?? {}
    return [posted, held]
  }
}

/** A ledger of one process: what the store is asked is a step, and so is the turn of the loop. */
export function ledgerOf(
  view: View<LedgerPorts>,
  spoilt: (store: Store) => Store = store => store,
): Ledger {
  let nowMs = Date.parse(START)
  const store = untimed<Store>(view.store, now => {
    nowMs = Math.max(nowMs, Date.parse(now))
  })
  const timer = {
    ...SLEEPS_NOT,
    elapsedMs: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms
      return Promise.resolve()
    },
    // What fails here is the test's doing: a turn of the loop always comes.
    turn: () => view.loop.turn().catch(() => undefined),
  }
  return new Ledger({ store: spoilt(store), book: BOOK, timer })
}
