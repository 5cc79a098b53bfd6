/** What the command ends with. `docs/reference/command-line.md` says which command gives which. */
export const EXIT = {
  /** Everything was done, and nothing differs. */
  clean: 0,
  /** There is something to look at: a finding, a difference, a refusal, a payout that is not paid. */
  findings: 1,
  /** Bad input or usage: nothing was done. */
  badInput: 2,
  /** It could not be done: the database is away, the disk is full. What was done before stands. */
  notDone: 3,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
