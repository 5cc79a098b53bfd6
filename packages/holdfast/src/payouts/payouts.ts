import { systemClock, type Clock } from '../instant.ts'
import type { Book } from '../ledger/command.ts'
import { pageLimit } from '../ledger/limits.ts'
import { isName, NAME_RULE } from '../ledger/shape.ts'
import { systemTimer, type Timer } from '../timer.ts'
import { approve, approveBatch, cancel } from './approval.ts'
import { releaseByHand } from './by-hand.ts'
import { claimApproved, claimOpen } from './claim.ts'
import { findOne, type PayoutContext, type PayoutResult, type StuckPayout } from './context.ts'
import type { Gateway } from './gateway.ts'
import { checkConcurrency, inLanes } from './lanes.ts'
import type { PayoutLedger } from './ledger-port.ts'
import { LEASE_MS_DEFAULT, SEND_WITHIN_MS_DEFAULT } from './limits.ts'
import { isPaid, type Attempt, type Payout } from './payout.ts'
import { recordPaid } from './record-paid.ts'
import type { Leased, PayoutCursor, PayoutFilter, PayoutRepository } from './repository.ts'
import type { PayoutRequest } from './request.ts'
import { requestMany } from './requesting.ts'
import { resolveOne, type Coverage } from './resolve.ts'
import { paidAfterRelease, recordReturn } from './returns.ts'
import { submit } from './submit.ts'
import { sweep, type SweepReport } from './sweep.ts'

/** What payouts are made of. */
export interface PayoutsOptions {
  readonly book: Book
  readonly repository: PayoutRepository
  readonly ledger: PayoutLedger
  /** Only payouts of these are requested, sent and resolved here. */
  readonly gateways: readonly Gateway[]
  readonly clock?: Clock
  readonly timer?: Timer
  /**
   * How long a worker may keep a payout without an answer, in milliseconds. Longer than a gateway
   * takes to answer; a shorter one is safe, but leads to `unknown`.
   */
  readonly leaseMs?: number
  /** How long after its commit an attempt may still be sent, in milliseconds; below `leaseMs`. */
  readonly sendWithinMs?: number
}

/** How far a run has come: what each payout that it worked on has become. */
export interface PayoutProgress {
  readonly success: number
  readonly failed: number
  readonly unknown: number
  /** Those that have no answer because of an error; a later run goes on with them. */
  readonly stuck: readonly StuckPayout[]
}

/** A run over many payouts. */
export interface RunOptions {
  /** How many at the same moment, 1 to 1,000. */
  readonly concurrency: number
  /** Only those of this batch. */
  readonly batch?: string
  /** Only those among these ids. */
  readonly ids?: readonly string[]
  readonly onProgress?: (progress: PayoutProgress) => void
}

/** A page of a list, and where the next one starts; null at the end. */
export interface PayoutPage {
  readonly payouts: readonly Payout[]
  readonly next: PayoutCursor | null
}

/**
 * The payouts of one book. Any number of processes may work on the same book at once; one that is
 * killed at any point leaves nothing that the next run does not finish.
 */
export class Payouts {
  readonly #context: PayoutContext

  /** Throws a RangeError where an option is out of range or a gateway's name is taken twice. */
  constructor(options: PayoutsOptions) {
    const { book, repository, ledger, clock = systemClock, timer = systemTimer } = options
    const { leaseMs = LEASE_MS_DEFAULT, sendWithinMs = SEND_WITHIN_MS_DEFAULT } = options
    if (!isName(book)) throw new RangeError(`book: ${NAME_RULE}`)
    if (!(sendWithinMs > 0 && sendWithinMs < leaseMs))
      throw new RangeError('sendWithinMs: above 0 and below leaseMs')
    const gateways = new Map(options.gateways.map(each => [each.name, each]))
    if (gateways.size < options.gateways.length)
      throw new RangeError('gateways: each needs a name of its own')
    this.#context = { book, repository, ledger, gateways, clock, timer, leaseMs, sendWithinMs }
  }

  /** Requests one payout; see {@link requestMany}. */
  async request(request: PayoutRequest): Promise<PayoutResult> {
    const [result] = await this.requestMany([request])
    if (!result) throw new Error('a request was left without an answer')
    return result
  }

  /**
   * Requests payouts; one answer for each, in order. A payout that the ledger refused is `refused`,
   * with the code of the refusal as its reason; one whose hold is not decided yet is `requested`.
   */
  requestMany(requests: readonly PayoutRequest[]): Promise<PayoutResult[]> {
    return requestMany(this.#context, requests)
  }

  /** Approves payouts that are pending; one answer for each id, in order. */
  approve(ids: readonly string[]): Promise<PayoutResult[]> {
    return approve(this.#context, ids)
  }

  /** Approves what is pending of a batch; returns how many payouts. */
  approveBatch(batch: string): Promise<number> {
    return approveBatch(this.#context, batch)
  }

  /** Cancels payouts that are pending or approved; one answer for each id, in order. */
  cancel(ids: readonly string[]): Promise<PayoutResult[]> {
    return cancel(this.#context, ids)
  }

  /** Pays what is approved, until nothing is left. */
  payBatch(options: RunOptions): Promise<PayoutProgress> {
    const claim = (atOnce: number) => claimApproved(this.#context, atOnce, options)
    return run(options, claim, leased => submit(this.#context, leased))
  }

  /** Finds out what became of every payout without a final answer, once each. */
  resolve(options: RunOptions & { readonly coverage?: Coverage }): Promise<PayoutProgress> {
    const { coverage = () => null } = options
    const claim = (atOnce: number) => claimOpen(this.#context, atOnce, options)
    return run(options, claim, leased => resolveOne(this.#context, leased, coverage))
  }

  /**
   * Goes on with requests, cancels and returns that were left in the middle, and releases holds that
   * came after their payout was refused. To be called when a process starts, and from time to time.
   */
  sweep(): Promise<SweepReport> {
    return sweep(this.#context)
  }

  /**
   * Keeps one person's word that an unknown payout is to be released; the second person's releases
   * it. Only where the gateway declares no finality and knows of no payment.
   */
  releaseByHand(id: string, person: string, reason: string): Promise<PayoutResult> {
    return releaseByHand(this.#context, id, person, reason)
  }

  /** Records what of a payout has come back in total, in minor units, and brings it back. */
  recordReturn(id: string, totalReturned: bigint): Promise<PayoutResult> {
    return recordReturn(this.#context, id, totalReturned)
  }

  /** Settles a payout without a final answer, because a statement shows that it was paid. */
  recordPaid(id: string, reference: string | null = null): Promise<PayoutResult> {
    return recordPaid(this.#context, id, reference)
  }

  /** Moves a failed payout to `success`, because a statement shows that it was paid. */
  paidAfterRelease(id: string, reference: string | null = null): Promise<PayoutResult> {
    return paidAfterRelease(this.#context, id, reference)
  }

  /** A payout by its id; null where there is none. */
  async find(id: string): Promise<Payout | null> {
    return (await findOne(this.#context, id))?.payout ?? null
  }

  /** Payouts in the order in which they were requested, a page of 1 to 1,000 at a time. */
  async list(
    filter: PayoutFilter = {},
    page: { after?: PayoutCursor; limit?: number } = {},
  ): Promise<PayoutPage> {
    const limit = pageLimit(page.limit)
    const { book, repository } = this.#context
    const records = await repository.list(book, filter, { ...page, limit })
    const next = records.length < limit ? null : (records.at(-1)?.cursor ?? null)
    return { payouts: records.map(({ payout }) => payout), next }
  }

  /** The attempts to send a payout, by number. */
  attempts(id: string): Promise<Attempt[]> {
    return this.#context.repository.attempts(this.#context.book, id)
  }

  /** Erases name and destination of payouts that have come to an end; returns the ids of these. */
  erasePayees(ids: readonly string[]): Promise<string[]> {
    return this.#context.repository.erasePayees(this.#context.book, ids)
  }
}

/** Works on payouts one by one; what fails with one does not stop the others. */
async function run(
  { concurrency, onProgress }: RunOptions,
  claim: (atOnce: number) => AsyncGenerator<Leased, void>,
  work: (leased: Leased) => Promise<Payout | null>,
): Promise<PayoutProgress> {
  checkConcurrency(concurrency)
  const count = { success: 0, failed: 0, unknown: 0 }
  const stuck: StuckPayout[] = []
  const progress = (): PayoutProgress => ({ ...count, stuck: [...stuck] })
  await inLanes(claim(concurrency), concurrency, async leased => {
    try {
      const payout = await work(leased)
      if (payout === null) return
      if (isPaid(payout)) count.success += 1
      else if (payout.status === 'failed') count.failed += 1
      else count.unknown += 1
    } catch (error) {
      stuck.push({ payout: leased.record.payout.id, error })
    }
    onProgress?.(progress())
  })
  return progress()
}
