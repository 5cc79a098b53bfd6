import type { Task, View } from '../../../interleave/src/index.ts'
import type { Instant } from '../../src/instant.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Store } from '../../src/ledger/store.ts'
import type { Gateway } from '../../src/payouts/gateway.ts'
import { payoutId } from '../../src/payouts/payout-id.ts'
import { Payouts } from '../../src/payouts/payouts.ts'
import type { PayoutRepository } from '../../src/payouts/repository.ts'
import type { PayoutRequest } from '../../src/payouts/request.ts'
import { replacing, untimed } from './timed.ts'
import {
  AMOUNT,
  BOOK,
  COVERED,
  failLoudly,
  LEASE_PASSES_MS,
  ONE,
  SLEEPS_NOT,
  START,
  type Bank,
  type Ports,
} from './world.ts'

/** The services of one process, over its own view of the ports. */
export interface Process {
  readonly payouts: Payouts
  readonly ledger: Ledger
  readonly rows: PayoutRepository
}

/** How a process is made. */
export interface ProcessOptions {
  /**
   * Time passes in the test: then it is a step to ask the store for the time, and a process may be
   * stopped between the commit of an attempt and its look at the clock. Where time stands still,
   * both would only add orders.
   */
  readonly timePasses?: true
  /** A defence that is taken out: its clocks stand still. */
  readonly hearsNoTime?: true
  /** Put between the process and the store, to take a defence out. */
  readonly store?: (store: Store) => Store
}

/** One process. Its clocks stand where its last reply found them, and sleeping sets them on. */
export function processOf(view: View<Ports>, options: ProcessOptions = {}): Process {
  const { timePasses = false, hearsNoTime = false, store: spoilt = same } = options
  let nowMs = Date.parse(START)
  const hear = (instant: Instant) => {
    nowMs = Math.max(nowMs, Date.parse(instant))
  }
  const ownNow = () => new Date(nowMs).toISOString()
  const clock = { now: () => (hearsNoTime ? START : ownNow()) }
  const timer = {
    ...SLEEPS_NOT,
    elapsedMs: () => (hearsNoTime ? 0 : nowMs),
    sleep: (ms: number) => {
      nowMs += ms
      return Promise.resolve()
    },
  }
  const asked = untimed<Store>(view.store, hear)
  const store = timePasses ? asked : replacing(asked, { now: () => Promise.resolve(ownNow()) })
  const ledger = new Ledger({ store: spoilt(store), book: BOOK, timer })
  const rows = untimed<PayoutRepository>(view.rows, hear)
  const startAttempt: PayoutRepository['startAttempt'] = async (...args) => {
    const attempt = await rows.startAttempt(...args)
    hear(await view.time.now())
    return attempt
  }
  const repository = timePasses ? replacing(rows, { startAttempt }) : rows
  const bank = untimed<Bank>(view.bank, hear)
  const send: Gateway['send'] = instruction => bank.send(instruction, ownNow())
  const gateways = [replacing<Gateway>(bank as Gateway, { send })]
  const payouts = new Payouts({ book: BOOK, repository, ledger, gateways, clock, timer })
  return { payouts, ledger, rows: repository }
}

function same<Port>(port: Port): Port {
  return port
}

export function payWith(options: ProcessOptions): Task<Ports> {
  return async view => {
    failLoudly(await processOf(view, options).payouts.payBatch(ONE))
  }
}

export const pay: Task<Ports> = payWith({})

export const resolve: Task<Ports> = async view => {
  failLoudly(await processOf(view).payouts.resolve(ONE))
}

/** Others, who find a lease that has run out. Final statements cover the time until then. */
export const takeOver: Task<Ports> = async view => {
  await view.time.pass(LEASE_PASSES_MS)
  failLoudly(await processOf(view, { timePasses: true }).payouts.resolve(COVERED))
}

export const sweep: Task<Ports> = async view => {
  failLoudly(await processOf(view).payouts.sweep())
}

export function cancel(id: string): Task<Ports> {
  return async view => {
    await processOf(view).payouts.cancel([id])
  }
}

/** Everything from the request to the payment, in one process. */
export function withdraw(request: PayoutRequest, options: ProcessOptions = {}): Task<Ports> {
  return async view => {
    const { payouts } = processOf(view, options)
    const result = await payouts.request(request)
    if (!result.ok || result.payout.status !== 'pending') return
    const ids = [result.payout.id]
    await payouts.approve(ids)
    failLoudly(await payouts.payBatch({ ...ONE, ids }))
  }
}

export function aRequest(requestKey: string, more: Partial<PayoutRequest> = {}): PayoutRequest {
  return {
    requestKey,
    account: 'seller:1',
    gateway: 'bank',
    asset: 'EUR/2',
    amount: AMOUNT,
    payeeName: 'Ada Example',
    destination: 'DE89370400440532013000',
    ...more,
  }
}

export function idOf(requestKey: string): string {
  return payoutId(BOOK, requestKey)
}
