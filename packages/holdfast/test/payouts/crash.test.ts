import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '../../src/ledger/list-sender.ts'
import type { Payouts } from '../../src/payouts/payouts.ts'
import { payoutId } from '../../src/payouts/payout-id.ts'
import type { PayoutRequest } from '../../src/payouts/request.ts'
import { migratedDatabase } from '../support/postgres.ts'
import { rounds } from '#testing/rounds.ts'
import { ModelBank, type Behaviour } from './model-bank.ts'
import { FAULTS, Saboteur, type Fault } from './saboteur.ts'
import { FUNDS, Scene, SCHEMA, type OpenDatabase } from './scene.ts'

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

const ENDS = ['refused', 'cancelled', 'success', 'reversed', 'failed'] as const

/** One payday that something happens to. */
class Payday {
  readonly scene: Scene
  readonly requests: readonly PayoutRequest[]
  readonly ids: readonly string[]
  #passedMs = 0

  constructor(open: OpenDatabase, seed: number) {
    const bank = new ModelBank({ idempotency: seed % 2 === 0, finalityMs: 100_000 })
    this.scene = new Scene(open.database, bank)
    this.requests = [1_000n, 2_000n, 4_000n, FUNDS + 1n].map((amount, index) => ({
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
      turn: () => Promise.resolve(),
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
      () => payouts.cancel(this.ids.slice(2, 3)),
      () => payouts.approveBatch('payday'),
      () => payouts.payBatch({ concurrency: 2 }),
      () => payouts.resolve({ concurrency: 2, coverage: () => '2999-01-01T00:00:00.000Z' }),
      () => payouts.recordReturn(this.ids[0] ?? '', 400n),
    ]
    for (const step of steps) await step().catch(() => undefined)
  }

  /** Others go on until everything has come to an end, and then once more. */
  async finish(): Promise<void> {
    let ended = false
    for (let round = 0; round < ROUNDS_MAX && !ended; round += 1) {
      ended = await this.#hasEnded()
      // Its clocks first: a worker must not think that less time has passed than the database does.
      this.#passedMs += LEASE_PASSES_MS
      await this.scene.passTime(LEASE_PASSES_MS)
      this.scene.bank.payLater()
      await this.run(this.process())
    }
  }

  async #hasEnded(): Promise<boolean> {
    const { payouts } = await this.scene.payouts.list({ statuses: ENDS })
    return payouts.length === this.requests.length
  }

  async check(what: string, sentLate: boolean): Promise<void> {
    const { scene, ids } = this
    let paid = 0n
    for (const [index, id] of ids.entries()) {
      const payout = await scene.payout(id)
      const payments = scene.bank.paid(id)
      expect(payments, `${what}: payments of ${index}`).toBeLessThanOrEqual(1)
      if (sentLate && payments > 0 && payout.status === 'failed') {
        expect(await scene.payouts.attempts(id), `${what}: what is known`).toHaveLength(1)
        continue
      }
      const expected = payments === 0 ? ['refused', 'cancelled', 'failed'] : ['success', 'reversed']
      expect(expected, `${what}: status of ${index}`).toContain(payout.status)
      if (payments > 0) paid += payout.amount - payout.returned
      const first = index === 0 && payments > 0
      expect(payout.returned, `${what}: returned of ${index}`).toBe(first ? 400n : 0n)
    }
    expect(await scene.status(ids.at(-1) ?? ''), what).toBe('refused')
    expect(await scene.balance('seller:1'), `${what}: seller`).toEqual([FUNDS - paid, 0n])
    expect(await scene.balance('clearing:bank'), `${what}: clearing`).toEqual([paid, 0n])
  }
}

/**
 * Something goes wrong at the n-th call of a port, for every n. Afterwards others run until nothing
 * changes. Whatever happened: nothing is paid twice, nothing is lost, and the books say what the
 * bank did.
 */
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
    // A worker that was stopped inside its call, past every check, can reach a bank that has no keys
    // after its finality. Then the payout was released, and the statement will show that it was paid.
    const { idempotency } = payday.scene.bank.declares
    const sentLate = fault === 'stops' && saboteur.hit === 'send' && !idempotency
    const what = `seed ${seed}, call ${at} (${saboteur.hit}) ${fault ?? 'is well'}`
    await payday.check(what, sentLate)
    return saboteur.calls
  }

  // In every run of the suite half of the calls for a bank without keys, and half for one with keys.
  test.each(rounds({ usual: [1, 2], long: [1, 2, 3, 4, 5, 6] }))(
    'seed %i: nothing is paid twice and nothing is lost',
    async seed => {
      const calls = await sabotage(seed, 0, null)
      expect(calls).toBeGreaterThan(30)
      const all = Array.from({ length: calls }, (_, index) => index + 1)
      const tried = rounds({ usual: all.filter(at => at % 2 === seed % 2), long: all })
      const runs = FAULTS.flatMap(fault => tried.map(at => ({ at, fault })))
      for (let start = 0; start < runs.length; start += RUNS_AT_ONCE) {
        const together = runs.slice(start, start + RUNS_AT_ONCE)
        await Promise.all(together.map(({ at, fault }) => sabotage(seed, at, fault)))
      }
    },
    1_200_000,
  )
})
