import type {} from 'vitest'
import { explore } from './explore.ts'
import { formatOrder, formatReport } from './format.ts'
import type { Options } from './options.ts'
import type { Program } from './program.ts'
import { replay } from './replay.ts'

interface Matched {
  readonly pass: boolean
  readonly message: () => string
}

/**
 * A matcher for Vitest: `expect.extend({ toHoldInEveryOrder })`, then
 * `await expect(program).toHoldInEveryOrder()`. It fails where an order goes wrong, and shows the
 * shortest of them.
 *
 * With `REPLAY=AABBBBAA` in the environment, that order is run, and no other: choose one test by
 * its name with it.
 */
export async function toHoldInEveryOrder(program: unknown): Promise<Matched> {
  const explored = program as Program<unknown, object> & Options
  const schedule = environment()['REPLAY']
  if (schedule !== undefined && schedule !== '') {
    const order = await replay(explored, schedule)
    return { pass: order.wrong === null, message: () => formatOrder(order) }
  }
  const report = await explore(explored)
  const pass = report.holds
  return {
    pass,
    message: () =>
      report.shortest === null
        ? formatReport(report)
        : `${formatReport(report)}\n\nTo run this order alone: REPLAY='${report.shortest.schedule}'`,
  }
}

function environment(): Readonly<Record<string, string | undefined>> {
  const { process } = globalThis as {
    process?: { env: Readonly<Record<string, string | undefined>> }
  }
  return process?.env ?? {}
}

declare module 'vitest' {
  interface Matchers<T> {
    /** Every order that the program can take goes well. */
    toHoldInEveryOrder: () => Promise<T>
  }
}
