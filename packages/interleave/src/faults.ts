/** What can go wrong with a step. */
export type Fault = 'reply lost' | 'not sent' | 'crash before' | 'crash after' | 'delivered twice'

/** Which faults an exploration may inject, and how many of them in one order. */
export interface Faults {
  /** At most so many in one order; 1 finds most of what there is. */
  readonly most: number
  /** All of them when left out. */
  readonly kinds?: readonly Fault[]
}

/** How a step is taken. The numbers stand in choices; the marks in schedules. */
export const HOW = {
  plain: 0,
  replyLost: 1,
  notSent: 2,
  crashBefore: 3,
  crashAfter: 4,
  twice: 5,
  /** The second delivery of a step that was delivered twice: nobody waits for its reply. */
  copy: 6,
} as const

export type How = (typeof HOW)[keyof typeof HOW]

/** Each fault, with its number and with its mark in a schedule. */
export const FAULTS: Readonly<Record<Fault, { readonly how: How; readonly mark: string }>> = {
  'reply lost': { how: HOW.replyLost, mark: '~' },
  'not sent': { how: HOW.notSent, mark: '-' },
  'crash before': { how: HOW.crashBefore, mark: '<' },
  'crash after': { how: HOW.crashAfter, mark: '>' },
  'delivered twice': { how: HOW.twice, mark: '+' },
}

/**
 * What a task gets in place of a reply that was lost. Whether the step was done, the task cannot
 * know: the error is the same.
 */
export class ReplyLost extends Error {
  override readonly name: string = 'ReplyLost'
  constructor(step: string) {
    super(`the reply of ${step} was lost`)
  }
}

const CAUSES_MAX = 10

/** Whether an error is an injected one, or says that it was caused by one. */
export function isInjected(error: unknown): boolean {
  let cause = error
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth += 1) {
    if (cause instanceof ReplyLost) return true
    cause = cause.cause
  }
  return false
}
