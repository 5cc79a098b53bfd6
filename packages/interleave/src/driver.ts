import type { Choice } from './choice.ts'
import type { Call, TaskRun } from './task-run.ts'

/** How one run ended. */
export interface Ending {
  readonly how: 'finished' | 'deadlock' | 'abandoned' | 'blocked'
  /** Whether the invariant holds; asked only when every task has ended. */
  readonly holds: boolean
  /** What the invariant threw, where it did. */
  readonly thrown?: unknown
  /** Whether a task threw what was not injected. */
  readonly threw: boolean
}

/** What a port gave. */
export interface Reply {
  readonly ok: boolean
  readonly value: unknown
}

/** One step as it was taken. */
export interface TakenStep {
  readonly choice: Choice
  readonly call: Call
  /** Null where the port was not called. */
  readonly reply: Reply | null
}

export const END = -1
export const ABANDON = -2

/** Where a run stands: every task waits or has ended. */
export interface Position {
  /** The steps that were taken. */
  readonly steps: readonly Choice[]
  readonly tasks: readonly TaskRun[]
  readonly world: unknown
  /** What can happen next. */
  choices(): Choice[]
}

/** Decides which runs are made. */
export interface Driver {
  /** The next step, one of `run.choices()`; `END` when there is none; `ABANDON` gives the run up. */
  choose(run: Position): Choice
  /** A run has ended; false when no other is wanted. */
  ended(ending: Ending, run: Position): boolean
  taken?(step: TakenStep): void
}
