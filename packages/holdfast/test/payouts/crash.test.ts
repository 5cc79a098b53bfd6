import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '../../src/ledger/list-sender.ts'
import type { Payouts } from '../../src/payouts/payouts.ts'
import { payoutId } from '../../src/payouts/payout-id.ts'
import type { PayoutRequest } from '../../src/payouts/request.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { ModelBank, type Behaviour } from './model-bank.ts'
import { FUNDS, Scene, SCHEMA, type OpenDatabase } from './scene.ts'

/**
 * Something goes wrong at the n-th call of a port, for every n: the call fails before or after it
 * took effect, once or because the process is dead from then on; or the process is stopped there,
 * another one takes over and does everything, and then it wakes and goes on. Afterwards others run
 * until nothing changes. Whatever happened: nothing is paid twice, nothing is lost, and the books
 * say what the bank did.
 */
const FAULTS = ['fails', 'fails after', 'dies', 'dies after', 'stops', 'stops after'] as const
type Fault = (typeof FAULTS)[number]

/** Longer than a lease, and than the finality that the bank declares. */
const LEASE_PASSES_MS = 150_000
const ROUNDS_MAX = 8
const RUNS_AT_ONCE = 8
const BEHAVIOURS: readonly Behaviour[] = [
  'pay',
  'refuse',
  'lose-before',
  'lose-after',
  'pay-later',
  'pay-later-unseen',
]

class Killed extends Error {}

/** Counts the calls of one process, and lets one of them go wrong. */
class Saboteur {
  calls = 0
  readonly #at: number
  readonly #fault: Fault | null
  readonly #whileStopped: () => Promise<void>

  constructor(at: number, fault: Fault | null, whileStopped: () => Promise<void>) {
    this.#at = at
    this.#fault = fault
    this.#whileStopped = whileStopped
  }

  async call(run: () => Promise<unknown>, lost: Error): Promise<unknown> {
    this.calls += 1
    const fault = this.#fault
    if (this.calls > this.#at && (fault === 'dies' || fault === 'dies after')) throw new Killed()
    if (this.calls !== this.#at || fault === null) return run()
    if (fault === 'stops') await this.#whileStopped()
    if (fault === 'fails' || fault === 'dies') throw lost
    const answer = await run()
    if (fault === 'stops after') await this.#whileStopped()
    if (fault === 'fails after' || fault === 'dies after') throw lost
    return answer
  }

  /** The same port, every call of which goes through here. */
  tap<T extends object>(port: T, lost: Error): T {
    return new Proxy(port, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        const run = value.bind(target) as (...args: unknown[]) => Promise<unknown>
        return (...args: unknown[]) => this.call(() => run(...args), lost)
      },
    })
  }
}

/** One payday that something happens to. */
class Payday {
  readonly scene: Scene
  readonly requests: readonly PayoutRequest[]
  readonly ids: readonly string[]
  #passedMs = 0

  constructor(open: OpenDatabase, seed: number) {
    const bank = new ModelBank({ idempotency: seed % 2 === 0, finalityMs: 100_000 })
    this.scene = new Scene(open.database, bank)
    this.requests = [1_000n, 2_000n, 3_000n, 4_000n, FUNDS + 1n].map((amount, index) => ({
      requestKey: `creator-${index}`,
      batch: 'payday',
      account: 'seller:1',
      gateway: 'bank',
      asset: 'EUR/2',
      amount,
      payeeName: `Creator ${index}`,
      destination: `acct_${index}`,
    }))
    this.ids = this.requests.map(each => payoutId(this.scene.book, each.requestKey))
    bank.behave = (id, send) => {
      if (send > 2) return 'pay'
      const which = this.ids.indexOf(id)
      const digest = createHash('sha256').update(`${seed} ${which} ${send}`).digest()
      return BEHAVIOURS[digest.readUInt8(0) % BEHAVIOURS.length] ?? 'pay'
    }
  }

  /** A process whose clocks go on when time passes. */
  process(saboteur?: Saboteur): Payouts {
    const { repository, ledger, bank } = this.scene
    const clock = { now: () => new Date(Date.now() + this.#passedMs).toISOString() }
    const timer = {
      elapsedMs: () => performance.now() + this.#passedMs,
      sleep: () => Promise.resolve(),
      random: () => 0,
    }
    if (!saboteur) return this.scene.worker({ clock, timer })
    return this.scene.worker({
      clock,
      timer,
      repository: saboteur.tap(repository, new Error('the connection was lost')),
      ledger: saboteur.tap(ledger, new OutcomeUnknown()),
      gateways: [saboteur.tap(bank, new Error('the connection was lost'))],
    })
  }

  /** Everything that a process does on payday. Each step is tried, whatever became of the last. */
  async run(payouts: Payouts): Promise<void> {
    const steps = [
      () => payouts.sweep(),
      () => payouts.requestMany(this.requests),
      () => payouts.cancel(this.ids.slice(3, 4)),
      () => payouts.approveBatch('payday'),
      () => payouts.payBatch({ concurrency: 2 }),
      () => payouts.resolve({ concurrency: 2, coverage: () => '2999-01-01T00:00:00.000Z' }),
      () => payouts.recordReturn(this.ids[0] ?? '', 400n),
    ]
    for (const step of steps) await step().catch(() => undefined)
  }

  /** Others go on until everything has come to an end. */
  async finish(): Promise<void> {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      this.scene.bank.payLater()
      await this.scene.passTime(LEASE_PASSES_MS)
      this.#passedMs += LEASE_PASSES_MS
      await this.run(this.process())
    }
  }

  async check(what: string): Promise<void> {
    const { scene, ids } = this
    let paid = 0n
    for (const [index, id] of ids.entries()) {
      const payout = await scene.payout(id)
      const payments = scene.bank.paid(id)
      const expected = payments === 0 ? ['refused', 'cancelled', 'failed'] : ['success', 'reversed']
      expect(payments, `${what}: payments of ${index}`).toBeLessThanOrEqual(1)
      expect(expected, `${what}: status of ${index}`).toContain(payout.status)
      if (payments > 0) paid += payout.amount - payout.returned
      const first = index === 0 && payments > 0
      expect(payout.returned, `${what}: returned of ${index}`).toBe(first ? 400n : 0n)
    }
    expect(await scene.status(ids[4] ?? ''), what).toBe('refused')
    expect(await scene.balance('seller:1'), `${what}: seller`).toEqual([FUNDS - paid, 0n])
    expect(await scene.balance('clearing:bank'), `${what}: clearing`).toEqual([paid, 0n])
  }
}

describe('whatever goes wrong at whichever call', () => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await migratedDatabase(SCHEMA)
  })
  afterAll(() => open.close())

  const sabotage = async (seed: number, at: number, fault: Fault | null): Promise<number> => {
    const payday = new Payday(open, seed)
    await payday.scene.open()
    const saboteur = new Saboteur(at, fault, () => payday.finish())
    await payday.run(payday.process(saboteur))
    await payday.finish()
    await payday.check(`seed ${seed}, call ${at} ${fault ?? 'is well'}`)
    return saboteur.calls
  }

  test.each([1, 2, 3, 4])(
    'seed %i: nothing is paid twice and nothing is lost',
    async seed => {
      const calls = await sabotage(seed, 0, null)
      expect(calls).toBeGreaterThan(30)
      const runs = FAULTS.flatMap(fault =>
        Array.from({ length: calls }, (_, index) => ({ at: index + 1, fault })),
      )
      for (let start = 0; start < runs.length; start += RUNS_AT_ONCE) {
        const together = runs.slice(start, start + RUNS_AT_ONCE)
        await Promise.all(together.map(({ at, fault }) => sabotage(seed, at, fault)))
      }
    },
    600_000,
  )
})
