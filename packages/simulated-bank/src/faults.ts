import { createHash } from 'node:crypto'
import { isPrintable } from './account.ts'
import { fieldsOf } from './refusal.ts'
import type { Problem } from './refusal.ts'

/** What a fault does to the money, and how the send is answered. */
export interface FaultEffect {
  readonly money: 'pay' | 'pay-later' | 'refuse' | 'leave'
  readonly answer: Answering
  /** What the payment looks like until it is paid; `processing` where absent. */
  readonly shows?: Shows
  /** Whether the money comes back after it was paid. */
  readonly returns?: 'whole' | 'part'
}

/** How a reply is delivered: as it is, late, never, half of it, or another one in its place. */
export type Answering = 'plain' | 'late' | 'never' | 'half' | 'error' | 'nonsense'

/** How a payment that is still being worked on answers: a send 409, or a status 404. */
export type Shows = 'processing' | 'conflict' | 'not-found'

/** What a bank can be told to do wrong. */
export type FaultKind =
  | 'answer-late'
  | 'time-out-before-paying'
  | 'time-out-after-paying'
  | 'refuse'
  | 'cut-connection'
  | 'error-after-paying'
  | 'conflict'
  | 'nonsense'
  | 'pay-late'
  | 'not-found'
  | 'return'
  | 'return-part'

/** Every fault, and what it does. Seeded choices go by this order. */
export const FAULTS: Readonly<Record<FaultKind, FaultEffect>> = {
  'answer-late': { money: 'pay', answer: 'late' },
  'time-out-before-paying': { money: 'leave', answer: 'never' },
  'time-out-after-paying': { money: 'pay', answer: 'never' },
  refuse: { money: 'refuse', answer: 'plain' },
  'cut-connection': { money: 'pay', answer: 'half' },
  'error-after-paying': { money: 'pay', answer: 'error' },
  conflict: { money: 'pay-later', answer: 'plain', shows: 'conflict' },
  nonsense: { money: 'pay', answer: 'nonsense' },
  'pay-late': { money: 'pay-later', answer: 'plain' },
  'not-found': { money: 'pay-later', answer: 'plain', shows: 'not-found' },
  return: { money: 'pay', answer: 'plain', returns: 'whole' },
  'return-part': { money: 'pay', answer: 'plain', returns: 'part' },
}

/** All kinds of fault, in the order of the table. */
export const FAULT_KINDS: readonly FaultKind[] = Object.keys(FAULTS) as FaultKind[]

/** A fault with its particulars. */
export interface Fault {
  readonly kind: FaultKind
  /** How late, for what is late; null: when told `POST /advance`. */
  readonly delayMs: number | null
  /** The sends of an id that it applies to: the first, the first two, ... */
  readonly sends: number
  /** For `refuse`: what the bank says. */
  readonly reason: string
  /** For `return-part`: minor units as a decimal string; null: half of the payment. */
  readonly amount: string | null
}

/** A share of all payment ids for each kind, 0 to 1, together at most 1. */
export type FaultRates = Readonly<Partial<Record<FaultKind, number>>>

/** Faults chosen by chance that can be repeated: the same seed and id give the same fault. */
export interface SeededFaults {
  readonly seed: string
  readonly rates: FaultRates
  readonly delayMs: number | null
}

/** A delay that nobody named. */
export const DELAY_MS_DEFAULT = 1_000
/** Nothing is paid later than this by itself, so the bank can promise a finality of 10 minutes. */
export const DELAY_MS_MAX = 600_000
const SENDS_MAX = 1_000

/** Reads `{ id, kind, delayMs?, sends?, reason?, amount? }`. */
export function readFault(body: unknown): { id: string; fault: Fault } | Problem {
  const fields = fieldsOf(body)
  if (!fields) return { problem: 'the body must be a JSON object' }
  const { id, kind, sends = 1, reason = 'account closed', amount = null } = fields
  const delayMs = fields['delayMs'] === undefined ? DELAY_MS_DEFAULT : fields['delayMs']
  if (typeof id !== 'string') return { problem: 'id must be the id of a payment' }
  if (!isKind(kind)) return { problem: `kind must be one of ${FAULT_KINDS.join(', ')}` }
  if (!isDelay(delayMs)) return { problem: DELAY_RULE }
  if (delayMs === null && kind === 'answer-late') {
    return { problem: 'delayMs must be a number for answer-late' }
  }
  if (!isCount(sends, 1, SENDS_MAX)) return { problem: `sends must be 1 to ${SENDS_MAX}` }
  if (typeof reason !== 'string' || !isPrintable(reason, 140)) {
    return { problem: 'reason must be 1 to 140 printable characters' }
  }
  if (amount !== null && (typeof amount !== 'string' || !/^[1-9]\d{0,17}$/.test(amount))) {
    return { problem: 'amount must be a string of digits, in minor units, above 0' }
  }
  return { id, fault: { kind, delayMs, sends, reason, amount } }
}

/** Reads `{ seed, rates, delayMs? }`. */
export function readSeededFaults(body: unknown): SeededFaults | Problem {
  const fields = fieldsOf(body)
  const rates = fieldsOf(fields?.['rates'])
  const seed = fields?.['seed']
  const delayMs = fields?.['delayMs'] === undefined ? DELAY_MS_DEFAULT : fields['delayMs']
  if (typeof seed !== 'string' && typeof seed !== 'number') {
    return { problem: 'seed must be a number or a string' }
  }
  if (!rates) return { problem: 'rates must be an object of a share for each kind' }
  if (!isDelay(delayMs)) return { problem: DELAY_RULE }
  let sum = 0
  for (const [kind, rate] of Object.entries(rates)) {
    if (!isKind(kind)) return { problem: `rates.${kind} is none of ${FAULT_KINDS.join(', ')}` }
    if (typeof rate !== 'number' || !(rate >= 0 && rate <= 1)) {
      return { problem: `rates.${kind} must be 0 to 1` }
    }
    sum += rate
  }
  if (sum > 1 + 1e-9) return { problem: `rates add up to ${sum}, at most 1 is possible` }
  if (delayMs === null && rates['answer-late']) {
    return { problem: 'delayMs must be a number for answer-late' }
  }
  return { seed: String(seed), rates, delayMs }
}

/** The fault that a seed gives to a payment id, or null. It depends on nothing else. */
export function seededFault(seeded: SeededFaults, id: string): Fault | null {
  const hash = createHash('sha256').update(`${seeded.seed}:${id}`).digest()
  const point = hash.readUIntBE(0, 6) / 2 ** 48
  let upTo = 0
  for (const kind of FAULT_KINDS) {
    upTo += seeded.rates[kind] ?? 0
    if (point < upTo) {
      return { kind, delayMs: seeded.delayMs, sends: 1, reason: 'account closed', amount: null }
    }
  }
  return null
}

/** What comes back of a payment by its fault, in minor units; null for nothing. */
export function returnedBy(fault: Fault, paid: bigint): bigint | null {
  const { returns } = FAULTS[fault.kind]
  if (returns === undefined) return null
  if (returns === 'whole') return paid
  const part = fault.amount === null ? paid / 2n : BigInt(fault.amount)
  if (part < 1n) return 1n
  return part < paid ? part : paid
}

const DELAY_RULE = `delayMs must be 0 to ${DELAY_MS_MAX}, or null for "when told POST /advance"`

function isKind(value: unknown): value is FaultKind {
  return typeof value === 'string' && Object.hasOwn(FAULTS, value)
}

function isDelay(value: unknown): value is number | null {
  return value === null || isCount(value, 0, DELAY_MS_MAX)
}

function isCount(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && Number(value) >= min && Number(value) <= max
}
