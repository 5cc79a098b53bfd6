import { msBetween, type Instant } from '../../src/instant.ts'
import type { Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/ledger/store.ts'
import type {
  Gateway,
  GatewayDeclaration,
  PayoutInstruction,
  SendAnswer,
} from '../../src/payouts/gateway.ts'
import type { Payout } from '../../src/payouts/payout.ts'
import { Payouts, type PayoutProgress } from '../../src/payouts/payouts.ts'
import type { PayoutRepository } from '../../src/payouts/repository.ts'
import type { MatchedPayout, ReconciliationStore } from '../../src/reconciliation/ports.ts'
import { MemoryStore } from '../../src/stores/memory/memory-store.ts'
import { ModelBank, type Behaviour } from '../payouts/model-bank.ts'
import { ManualClock } from '../support/clock.ts'
import { leg, open, transfer } from '../support/commands.ts'
import { MemoryPayouts } from '../support/memory-payouts.ts'
import type { Condition } from '../support/payout-row.ts'
import { replacing, timed, type Timed } from './timed.ts'

export const BOOK = 'book'
export const FUNDS = 100n
export const AMOUNT = 80n
/** Longer than a lease, and than the finality that the bank declares. */
export const LEASE_PASSES_MS = 150_000
export const START: Instant = new ManualClock().now()
export const ONE = { concurrency: 1 } as const
/** Final statements reach further than any test. */
export const COVERED = { ...ONE, coverage: () => '2999-01-01T00:00:00.000Z' } as const
const ROUNDS_MAX = 4
/** The rest of a timer, where nobody has to wait. */
export const SLEEPS_NOT = {
  sleep: () => Promise.resolve(),
  turn: () => Promise.resolve(),
  random: () => 0,
}

/** A gateway that is told when a call was made: what is on its way for too long never arrives. */
export interface Bank extends Omit<Gateway, 'send'> {
  send(instruction: PayoutInstruction, madeAt: Instant): Promise<SendAnswer>
}

/** What the steps of a worker are calls of. */
export interface Ports {
  readonly rows: Timed<PayoutRepository>
  readonly store: Timed<Store>
  readonly bank: Timed<Bank>
  readonly time: {
    /** What the bank put off it pays within the finality that it declares. */
    readonly pass: (ms: number) => void
    readonly now: () => Instant
  }
  readonly statement: Pick<ReconciliationStore, 'matchedPayouts' | 'movePaidAfterRelease'>
}

export interface WorldOptions {
  readonly declares?: Partial<GatewayDeclaration>
  readonly behave?: (send: number) => Behaviour
  /** Defences that are taken out. */
  readonly without?: readonly Condition[]
  readonly floor?: bigint | null
}

/** A bank, a ledger with 100 in it, and payouts; and what was seen to go wrong on the way. */
export class World {
  readonly clock: ManualClock = new ManualClock()
  readonly store: Store
  readonly rows: MemoryPayouts
  readonly bank: ModelBank
  /** What of each payout the bank's statement shows as come back. */
  returned: bigint = 0n
  /** Payouts whose line was moved to suspense, since their hold was released. */
  readonly afterRelease: Set<string> = new Set()
  readonly #alarms: string[] = []
  readonly #movements: string[] = []
  readonly #options: WorldOptions

  constructor(options: WorldOptions) {
    this.#options = options
    this.store = new MemoryStore(this.clock)
    this.rows = new MemoryPayouts(this.clock, options.without)
    this.bank = new ModelBank(options.declares)
    const { behave } = options
    if (behave) this.bank.behave = (_, send) => behave(send)
  }

  static async open(options: WorldOptions = {}): Promise<World> {
    const world = new World(options)
    const { floor = 0n } = options
    await world.#apply([
      open('world', null),
      open('seller:1', floor),
      open('clearing:bank', null),
      transfer('funds', leg('world', 'seller:1', FUNDS)),
    ])
    return world
  }

  /** All that can be seen of it. */
  state(): string {
    const { rows, bank, clock } = this
    const payments = bank.payments.map(({ payout, amount }) => `${payout} ${amount}`)
    // Sums do not depend on the order of what they are made of.
    const movements = this.#movements.toSorted()
    const moved = [...this.afterRelease]
    const texts = [bank.sends, payments, movements, moved, this.#alarms].map(each => each.join())
    return [rows.snapshot(), clock.now(), ...texts].join('\n\n')
  }

  ports(): Ports {
    const { clock, store, rows, bank } = this
    const apply: Store['apply'] = async (book, commands, deadline) => {
      const outcomes = await store.apply(book, commands, deadline)
      await this.#look(outcomes)
      return outcomes
    }
    const finalityMs = bank.declares.finalityMs ?? Infinity
    const send: Bank['send'] = async (instruction, madeAt) => {
      if (msBetween(madeAt, clock.now()) >= finalityMs)
        return { answer: 'unknown', reason: 'it never arrived' }
      const before = bank.payments.length
      const answer = await bank.send(instruction)
      if (bank.payments.length > before) await this.#lookAtPayment(instruction.payout)
      return answer
    }
    return {
      rows: timed<PayoutRepository>(rows, clock),
      store: timed<Store>(replacing(store, { apply }), clock),
      bank: timed(replacing<Bank>(bank, { send }), clock),
      time: {
        pass: ms => {
          clock.pass(ms)
          if (ms >= finalityMs) bank.payLater()
        },
        now: () => clock.now(),
      },
      statement: {
        matchedPayouts: () => Promise.resolve(this.#matched()),
        movePaidAfterRelease: (_, id) => {
          this.afterRelease.add(id)
          return Promise.resolve()
        },
      },
    }
  }

  /** A process that nothing comes in between. */
  alone(): Payouts {
    const { clock, store, rows, bank } = this
    const timer = { ...SLEEPS_NOT, elapsedMs: () => Date.parse(clock.now()) }
    const ledger = new Ledger({ store, book: BOOK, timer })
    return new Payouts({ book: BOOK, repository: rows, ledger, gateways: [bank], clock, timer })
  }

  /** Time passes, and others go on until all has come to an end that does not wait for a person. */
  async finish(): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      this.clock.pass(LEASE_PASSES_MS)
      this.bank.payLater()
      const payouts = this.alone()
      for (const run of [payouts.payBatch(ONE), payouts.resolve(COVERED)]) failLoudly(await run)
      const { stuck } = await payouts.sweep()
      failLoudly({ stuck })
      const { payouts: all } = await payouts.list()
      if (all.every(({ status }) => !isUnderWay(status))) return
    }
  }

  async balance(account: string): Promise<readonly [posted: bigint, held: bigint]> {
    const { posted = 0n, held = 0n } = (await this.store.account(BOOK, account)) ?? {}
    return [posted, held]
  }

  /** What is wrong once all has come to an end: nothing, where books and bank say the same. */
  async wrongs(): Promise<string[]> {
    const wrongs = [...this.#alarms]
    let [gone, waits] = [0n, 0n]
    for (const { payout, holdEnd } of await this.rows.list(BOOK, {}, { limit: 100 })) {
      const { id, status, amount, returned } = payout
      const paid = this.bank.paid(id)
      if (paid > 1) wrongs.push(`${id} was paid ${paid} times`)
      if (isUnderWay(status)) wrongs.push(`${id} sticks at ${status}`)
      if (paid > 0 !== (status === 'success' || status === 'reversed'))
        wrongs.push(`${id} is ${status}, and was paid ${paid} times`)
      if (paid > 0 && holdEnd === 'settle') gone += amount - returned
      else if (paid > 0 && !this.afterRelease.has(id))
        wrongs.push(`${id} was paid after its release, and no statement says so`)
      if (status === 'pending') waits += amount
    }
    const left = this.bank.payments.reduce((sum, { amount }) => sum + amount, 0n)
    if (left > FUNDS) wrongs.push(`${left} left the bank`)
    const [seller, held] = await this.balance('seller:1')
    const [clearing, heldThere] = await this.balance('clearing:bank')
    if (seller !== FUNDS - gone || clearing !== gone)
      wrongs.push(`${gone} are gone, the books say ${clearing}, and leave ${seller}`)
    if (held !== waits || heldThere !== 0n) wrongs.push(`${waits} wait, and ${held} are held`)
    return wrongs
  }

  #matched(): MatchedPayout[] {
    const paid = new Set(this.bank.payments.map(({ payout }) => payout))
    return [...paid].map(payout => ({ payout, paid: true, returned: this.returned }))
  }

  async #apply(commands: readonly Command[]): Promise<void> {
    const outcomes = await this.store.apply(BOOK, commands, '9999-12-31T23:59:59.999Z')
    for (const outcome of outcomes) if (!outcome.ok) throw new Error(outcome.refusal.message)
  }

  async #look(outcomes: Awaited<ReturnType<Store['apply']>>): Promise<void> {
    for (const outcome of outcomes) {
      if (!outcome.ok || outcome.replayed || outcome.movement === undefined) continue
      const { key, kind, moved, recorded } = outcome.movement
      this.#movements.push(`${key} ${kind} ${moved.flat().join()} ${recorded}`)
    }
    const [posted, held] = await this.balance('seller:1')
    if (posted < held || held < 0n) this.#alarms.push(`${posted} with ${held} on hold`)
  }

  async #lookAtPayment(id: string): Promise<void> {
    const movements = await this.store.movements(BOOK, id)
    if (movements.length !== 1) this.#alarms.push(`${id} is paid, and nothing is held for it`)
  }
}

function isUnderWay(status: Payout['status']): boolean {
  return ['requested', 'approved', 'processing', 'unknown'].includes(status)
}

/** What a run was stuck with is an error like any other; an injected one is told apart. */
export function failLoudly({ stuck }: Pick<PayoutProgress, 'stuck'>): void {
  for (const { error } of stuck) throw error
}
