import { expect, test } from 'vitest'
import type { StatusAnswer } from './gateway.ts'
import { ATTEMPTS_MAX } from './limits.ts'
import { PAYOUT_STATUSES, type Attempt, type AttemptAnswer } from './payout.ts'
import { statusAfter, TRANSITIONS, whatNext, whyNotByHand, type Evidence } from './transitions.ts'

const HOUR_MS = 3_600_000
/** Attempts are sent by 09:00:10; a finality of an hour has passed at 10:00:10. */
const SEND_BY = '2026-11-30T09:00:10.000Z'
const JUST_SENT = '2026-11-30T09:00:11.000Z'
const BEFORE_FINAL = '2026-11-30T10:00:09.999Z'
const FINAL = '2026-11-30T10:00:10.000Z'

function attempts(...answers: (AttemptAnswer | null)[]): Attempt[] {
  return answers.map((answer, index) => ({
    payout: 'PDCCMS1GPYY5EIZ',
    number: index + 1,
    startedAt: '2026-11-30T09:00:00.000Z',
    sendBy: SEND_BY,
    answer,
    reason: answer === 'refused' ? 'account closed' : null,
    reference: answer === 'paid' ? 'bank-1' : null,
  }))
}

/** A gateway that declares as much as it can, an hour after the attempts, and no statements. */
const BASE: Evidence = {
  attempts: attempts('unknown'),
  originalPaid: false,
  status: null,
  declares: {
    idempotency: true,
    keyRetentionMs: 24 * HOUR_MS,
    finalityMs: HOUR_MS,
    statusIsStrong: true,
  },
  amount: 1_000n,
  askedAt: FINAL,
  sentBefore: FINAL,
  statementsCoverUntil: null,
}
const KEYLESS = { ...BASE.declares, idempotency: false }
const WEAK = { ...BASE.declares, statusIsStrong: false }
const ENDLESS = { ...BASE.declares, finalityMs: null }

const NOT_FOUND: StatusAnswer = { answer: 'not-found' }
const REFUSED: StatusAnswer = { answer: 'refused', reason: 'no such account' }
const PROCESSING: StatusAnswer = { answer: 'processing' }
const UNKNOWN: StatusAnswer = { answer: 'unknown', reason: 'timed out' }
const paid = (returned: bigint): StatusAnswer => ({ answer: 'paid', reference: 'b', returned })

test('only these moves are allowed', () => {
  const allowed = PAYOUT_STATUSES.flatMap(from => TRANSITIONS[from].map(to => `${from} > ${to}`))
  expect(allowed).toEqual([
    'requested > pending',
    'requested > refused',
    'pending > approved',
    'pending > cancelled',
    'approved > processing',
    'approved > cancelled',
    'processing > success',
    'processing > failed',
    'processing > unknown',
    'unknown > success',
    'unknown > failed',
    'success > reversed',
    'failed > success',
    'reversed > reversed',
  ])
})

test('the end of a hold leads to one status, and along an allowed move', () => {
  expect(statusAfter('pending', 'release')).toBe('cancelled')
  expect(statusAfter('approved', 'release')).toBe('cancelled')
  for (const from of ['processing', 'unknown'] as const) {
    expect(statusAfter(from, 'settle')).toBe('success')
    expect(statusAfter(from, 'release')).toBe('failed')
  }
})

type Row = readonly [what: string, evidence: Partial<Evidence>, step: string]

const WITHOUT_ASKING: readonly Row[] = [
  ['paid', { attempts: attempts('paid') }, 'settle'],
  ['an earlier attempt was paid', { attempts: attempts('paid', 'refused') }, 'settle'],
  ['a late answer says paid', { attempts: attempts('unknown', 'paid') }, 'settle'],
  ['refused', { attempts: attempts('refused') }, 'release'],
  ['all refused', { attempts: attempts('refused', 'refused') }, 'release'],
  ['refused, and one was not sent', { attempts: attempts('not-sent', 'refused') }, 'release'],
  ['refused, but another is open', { attempts: attempts('unknown', 'refused') }, 'wait'],
  ['refused, but another has no answer', { attempts: attempts('refused', null) }, 'wait'],
  ['unknown', {}, 'wait'],
  ['no answer', { attempts: attempts(null) }, 'wait'],
  ['not sent', { attempts: attempts('not-sent') }, 'wait'],
  ['no attempt', { attempts: [] }, 'wait'],
  ['never sent, and its original was paid', { attempts: [], originalPaid: true }, 'release'],
  [
    'not sent, and its original was paid',
    { attempts: attempts('not-sent'), originalPaid: true },
    'release',
  ],
  ['sent, and its original was paid', { originalPaid: true }, 'wait'],
  [
    'no answer, and its original was paid',
    { attempts: attempts(null), originalPaid: true },
    'wait',
  ],
  ['paid, and its original too', { attempts: attempts('paid'), originalPaid: true }, 'settle'],
]

const ASKED: readonly Row[] = [
  ['paid', { status: paid(0n) }, 'settle'],
  ['paid, and all of it returned', { status: paid(1_000n) }, 'settle'],
  ['paid, and more returned than that', { status: paid(1_001n) }, 'wait'],
  ['paid, and less than nothing returned', { status: paid(-1n) }, 'wait'],
  ['processing', { status: PROCESSING }, 'wait'],
  ['processing, though final', { status: PROCESSING, statementsCoverUntil: FINAL }, 'wait'],
  ['unknown', { status: UNKNOWN, statementsCoverUntil: FINAL }, 'wait'],
]

const REFUSED_BY_STATUS: readonly Row[] = [
  ['one send', { status: REFUSED, declares: WEAK, askedAt: JUST_SENT }, 'release'],
  ['one send that may still be made', { attempts: attempts(null), askedAt: SEND_BY }, 'release'],
  ['not yet', { attempts: attempts(null), askedAt: '2026-11-30T09:00:09.999Z' }, 'wait'],
  [
    'two sends, strong',
    { attempts: attempts('unknown', 'unknown'), askedAt: JUST_SENT },
    'release',
  ],
  [
    'two sends, weak, before it is final',
    { attempts: attempts('unknown', 'unknown'), declares: WEAK, askedAt: BEFORE_FINAL },
    'wait',
  ],
  [
    'two sends, weak, once it is final',
    { attempts: attempts('unknown', 'unknown'), declares: WEAK },
    'release',
  ],
  [
    'two sends, weak, and no finality',
    { attempts: attempts('unknown', 'unknown'), declares: { ...ENDLESS, statusIsStrong: false } },
    'wait',
  ],
  [
    'one of two was not sent',
    { attempts: attempts('not-sent', 'unknown'), declares: WEAK },
    'release',
  ],
]

const NOT_FOUND_BY_STATUS: readonly Row[] = [
  ['never sent', { attempts: [] }, 'send'],
  ['never sent, no keys', { attempts: [], declares: KEYLESS }, 'send'],
  ['not sent in time, no keys', { attempts: attempts('not-sent'), declares: KEYLESS }, 'send'],
  ['keys', {}, 'send'],
  ['no keys', { declares: KEYLESS }, 'wait'],
  ['no keys, one refused', { attempts: attempts('refused', null), declares: KEYLESS }, 'wait'],
  ['keys that are remembered just long enough', { sentBefore: '2026-12-01T09:00:00.000Z' }, 'send'],
  ['keys that may be forgotten', { sentBefore: '2026-12-01T09:00:00.001Z' }, 'wait'],
  [
    'the first attempt was not sent: its key is not known',
    { attempts: attempts('not-sent'), sentBefore: '2027-12-01T09:00:00.000Z' },
    'send',
  ],
  [
    'one attempt fewer than the most',
    { attempts: attempts(...Array<null>(ATTEMPTS_MAX - 1).fill(null)) },
    'send',
  ],
  ['the most attempts', { attempts: attempts(...Array<null>(ATTEMPTS_MAX).fill(null)) }, 'wait'],
  ['final and on no statement', { declares: KEYLESS, statementsCoverUntil: FINAL }, 'release'],
  ['final, no statement', { declares: KEYLESS }, 'wait'],
  [
    'final, statements end before',
    { declares: KEYLESS, statementsCoverUntil: BEFORE_FINAL },
    'wait',
  ],
  [
    'not final yet',
    { declares: KEYLESS, statementsCoverUntil: FINAL, askedAt: BEFORE_FINAL },
    'wait',
  ],
  [
    'no finality',
    { declares: { ...ENDLESS, idempotency: false }, statementsCoverUntil: FINAL },
    'wait',
  ],
].map(
  ([what, evidence, step]) => [what, { status: NOT_FOUND, ...(evidence as object) }, step] as Row,
)

test.each(WITHOUT_ASKING)('without asking: %s', (_, evidence, step) => {
  expect(whatNext({ ...BASE, ...evidence }).step).toBe(step)
})

test.each(ASKED)('asked, %s', (_, evidence, step) => {
  expect(whatNext({ ...BASE, ...evidence }).step).toBe(step)
})

test.each(REFUSED_BY_STATUS)('the status is refused: %s', (_, evidence, step) => {
  expect(whatNext({ ...BASE, status: REFUSED, ...evidence }).step).toBe(step)
})

test.each(NOT_FOUND_BY_STATUS)('the status is not found: %s', (_, evidence, step) => {
  expect(whatNext({ ...BASE, status: NOT_FOUND, ...evidence }).step).toBe(step)
})

test('every attempt counts for finality, the last one too', () => {
  const [first, second] = attempts('unknown', null)
  if (!first || !second) throw new Error('two were made')
  const late = { ...second, sendBy: JUST_SENT }
  const evidence = { ...BASE, declares: KEYLESS, status: NOT_FOUND, statementsCoverUntil: FINAL }
  expect(whatNext({ ...evidence, attempts: [first, second] }).step).toBe('release')
  expect(whatNext({ ...evidence, attempts: [first, late] }).step).toBe('wait')
  expect(whatNext({ ...evidence, attempts: [late, first] }).step).toBe('wait')
})

/** Two attempts without an answer, one of which could be sent until an hour later. */
function farApart(): Attempt[] {
  const [first, second] = attempts('unknown', 'unknown')
  if (!first || !second) throw new Error('two were made')
  return [first, { ...second, sendBy: FINAL }]
}
const LONG_AFTER = '2026-11-30T20:00:00.000Z'

test.each([
  ['forwards', farApart()],
  ['backwards', farApart().reverse()],
])('statements must cover the finality of every attempt, %s', (_, both) => {
  const evidence = { ...BASE, attempts: both, status: NOT_FOUND, declares: KEYLESS }
  const asked = { ...evidence, askedAt: LONG_AFTER }
  expect(whatNext({ ...asked, statementsCoverUntil: FINAL }).step).toBe('wait')
  expect(whatNext({ ...asked, statementsCoverUntil: LONG_AFTER }).step).toBe('release')
})

test.each([
  ['forwards', farApart()],
  ['backwards', farApart().reverse()],
])('a refusal after several sends is proof once every one of them is final, %s', (_, both) => {
  const evidence = { ...BASE, attempts: both, status: REFUSED, declares: WEAK }
  expect(whatNext(evidence).step).toBe('wait')
  expect(whatNext({ ...evidence, askedAt: LONG_AFTER }).step).toBe('release')
})

test('a refusal is no proof while any attempt can still be sent', () => {
  const [first, second] = farApart()
  if (!first || !second) throw new Error('two were made')
  const asked = { ...BASE, status: REFUSED, askedAt: JUST_SENT }
  const unanswered = { ...second, answer: null }
  expect(whatNext({ ...asked, attempts: [first, unanswered] }).step).toBe('wait')
  expect(whatNext({ ...asked, attempts: [unanswered, first] }).step).toBe('wait')
  expect(whatNext({ ...asked, attempts: [second, second] }).step, 'all answered').toBe('release')
})

test('a payout whose original was paid is not sent again', () => {
  const evidence = { ...BASE, status: NOT_FOUND, originalPaid: true }
  expect(whatNext(evidence).step).toBe('wait')
})

const REASONS: readonly Row[] = [
  ['more comes back', { status: paid(1_001n) }, 'more is said to be returned than was paid'],
  [
    'the original was paid',
    { attempts: [], originalPaid: true },
    'a payout whose place it takes was paid after all',
  ],
  [
    'the last refusal',
    { attempts: attempts('refused', 'not-sent').map(each => ({ ...each, reason: each.answer })) },
    'refused',
  ],
  [
    'a refusal without a reason',
    { attempts: attempts('refused').map(each => ({ ...each, reason: null })) },
    'refused',
  ],
  ['no answer', { attempts: attempts(null) }, 'the worker stopped before it had an answer'],
  [
    'the last open attempt',
    {
      attempts: attempts('unknown', null, 'unknown').map(each => ({
        ...each,
        reason: `${each.number}`,
      })),
    },
    '3',
  ],
  ['processing', { status: PROCESSING }, 'the gateway is working on it'],
  [
    'a refusal that is no proof',
    { status: REFUSED, attempts: attempts(null), askedAt: '2026-11-30T09:00:09.999Z' },
    'not proof yet: no such account',
  ],
  [
    'gone',
    { status: NOT_FOUND, declares: KEYLESS, statementsCoverUntil: FINAL },
    'the gateway does not know it, and can no longer pay it',
  ],
  ['not found', { status: NOT_FOUND, declares: KEYLESS }, 'the gateway does not know it'],
]

test.each(REASONS)('the reason: %s', (_, evidence, reason) => {
  expect(whatNext({ ...BASE, ...evidence })).toMatchObject({ reason })
})

test('what is kept says why and by whom', () => {
  expect(whatNext({ ...BASE, attempts: attempts('paid') })).toEqual({
    step: 'settle',
    reference: 'bank-1',
    returned: 0n,
  })
  expect(whatNext({ ...BASE, status: paid(300n) })).toMatchObject({ returned: 300n })
  expect(whatNext({ ...BASE, attempts: attempts('refused') })).toMatchObject({
    reason: 'account closed',
  })
  expect(whatNext({ ...BASE, status: REFUSED })).toMatchObject({ reason: 'no such account' })
  expect(whatNext({ ...BASE, status: UNKNOWN })).toMatchObject({ reason: 'timed out' })
})

const BY_HAND: readonly Row[] = [
  ['not found, no keys', { status: NOT_FOUND }, 'may'],
  [
    'refused, weak, two sends',
    { status: REFUSED, attempts: attempts('unknown', 'unknown') },
    'may',
  ],
  ['paid', { status: paid(0n) }, 'may not'],
  ['processing', { status: PROCESSING }, 'may not'],
  ['unknown', { status: UNKNOWN }, 'may not'],
  [
    'a send that may still be made',
    { status: NOT_FOUND, attempts: attempts(null), askedAt: JUST_SENT },
    'may',
  ],
  [
    'a send that may be made yet',
    { status: NOT_FOUND, attempts: attempts(null), askedAt: '2026-11-30T09:00:09.999Z' },
    'may not',
  ],
  ['a late answer says paid', { status: NOT_FOUND, attempts: attempts('paid') }, 'may not'],
  ['never sent: it is to be sent', { status: NOT_FOUND, attempts: [] }, 'may not'],
]

test.each(BY_HAND)('by hand: %s: %s', (_, evidence, verdict) => {
  const declares = { ...ENDLESS, idempotency: false, statusIsStrong: false }
  const doubt = whyNotByHand({ ...BASE, declares, ...evidence })
  expect(doubt === null ? 'may' : 'may not').toBe(verdict)
})

test.each([
  [{ attempts: [] }, 'resolving it settles, releases or sends it'],
  [{ attempts: attempts(null), askedAt: JUST_SENT, status: null }, /worker stopped/],
  [
    { attempts: attempts(null), askedAt: '2026-11-30T09:00:09.999Z' },
    'a call of the gateway may still be made',
  ],
])('by hand: why not, %#', (evidence, why) => {
  const declares = { ...ENDLESS, idempotency: false, statusIsStrong: false }
  const doubt = whyNotByHand({ ...BASE, status: NOT_FOUND, declares, ...evidence })
  expect(doubt).toMatch(why)
})
