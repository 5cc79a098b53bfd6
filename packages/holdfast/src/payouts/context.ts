import type { Clock } from '../instant.ts'
import type { Book } from '../ledger/command.ts'
import type { Timer } from '../timer.ts'
import type { Gateway } from './gateway.ts'
import type { PayoutLedger } from './ledger-port.ts'
import type { Payout } from './payout.ts'
import type { PayoutRefusal } from './refusals.ts'
import type { Move, PayoutRecord, PayoutRepository } from './repository.ts'
import { TRANSITIONS } from './transitions.ts'

/** What every part of this room works with. */
export interface PayoutContext {
  readonly book: Book
  readonly repository: PayoutRepository
  readonly ledger: PayoutLedger
  readonly gateways: ReadonlyMap<string, Gateway>
  readonly clock: Clock
  readonly timer: Timer
  readonly leaseMs: number
  readonly sendWithinMs: number
}

/** The answer to one request about one payout. */
export type PayoutResult =
  | { readonly ok: true; readonly replayed: boolean; readonly payout: Payout }
  | { readonly ok: false; readonly refusal: PayoutRefusal }

/** A payout that could not be worked on to its end, and why; a later run goes on with it. */
export interface StuckPayout {
  readonly payout: string
  readonly error: unknown
}

export function refused(refusal: PayoutRefusal): PayoutResult {
  return { ok: false, refusal }
}

export function answered(payout: Payout, replayed: boolean): PayoutResult {
  return { ok: true, replayed, payout }
}

/** Moves rows, along the table of transitions only; returns those that moved. */
export async function move(
  context: PayoutContext,
  moves: readonly Move[],
): Promise<PayoutRecord[]> {
  const wrong = moves.find(({ from, to }) => !TRANSITIONS[from].includes(to))
  if (wrong) throw new Error(`a payout cannot move from ${wrong.from} to ${wrong.to}`)
  return moves.length === 0 ? [] : context.repository.move(context.book, moves)
}

export async function findOne(context: PayoutContext, id: string): Promise<PayoutRecord | null> {
  const [record] = await context.repository.find(context.book, { ids: [id] })
  return record ?? null
}

/** The gateway of a payout. Only payouts of gateways that are known here are ever leased. */
export function gatewayOf(context: PayoutContext, payout: Payout): Gateway {
  const gateway = context.gateways.get(payout.gateway)
  if (!gateway) throw new Error(`there is no gateway ${payout.gateway} here`)
  return gateway
}

/**
 * Starts to count milliseconds on two clocks, and gives the greater count. One never goes back but
 * may stand still while the machine sleeps; the other goes on but may be set.
 */
export function startCounting({
  clock,
  timer,
}: Pick<PayoutContext, 'clock' | 'timer'>): () => number {
  const startMs = timer.elapsedMs()
  const start = Date.parse(clock.now())
  return () => Math.max(timer.elapsedMs() - startMs, Date.parse(clock.now()) - start)
}
