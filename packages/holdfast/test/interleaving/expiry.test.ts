import { describe, expect, test } from 'vitest'
import {
  explore,
  formatReport,
  type Fault,
  type Options,
  type Report,
  type Task,
} from '../../../interleave/src/index.ts'
import { addMs } from '../../src/instant.ts'
import type { Store } from '../../src/ledger/store.ts'
import { release, settle } from '../support/commands.ts'
import { rounds } from '#testing/rounds.ts'
import { HOLD_TTL_MS, ledgerOf, LedgerWorld, type LedgerPorts } from './ledger-world.ts'
import { releaseAnyway } from './spoilt.ts'
import { FUNDS, START } from './world.ts'

const EXPIRES = addMs(START, HOLD_TTL_MS)

/** Delivers what is paid. */
const buy: Task<LedgerPorts> = async view => {
  const outcome = await ledgerOf(view).submit(settle('h'))
  if (outcome.ok) await view.goods.deliver()
}

const sweep: Task<LedgerPorts> = view => ledgerOf(view).releaseExpired()

/** Another sweep, by a clock that is ahead. */
function hasty(spoilt?: (store: Store) => Store): Task<LedgerPorts> {
  return view => ledgerOf(view, spoilt).submit(release('h', { ifExpired: true }))
}

const time: Task<LedgerPorts> = view => view.time.pass(HOLD_TTL_MS)

/** Looks at the clock itself, and then acts. */
const buyByOwnClock: Task<LedgerPorts> = async view => {
  if ((await view.time.now()) >= EXPIRES) return
  const outcome = await ledgerOf(view, releaseAnyway).submit(settle('h'))
  if (outcome.ok) await view.goods.deliver()
}

function run(tasks: readonly Task<LedgerPorts>[], options: Options = {}): Promise<Report> {
  return explore({
    ...options,
    setup: async () => (await LedgerWorld.open()).hold(),
    ports: world => world.ports(),
    state: world => world.state(),
    tasks,
    invariant: async world => {
      const [, end, ...more] = await world.movements('h')
      const isSettled = end?.kind === 'settle'
      const inTime = end === undefined || end.recorded < EXPIRES === isSettled
      const [posted, held] = await world.balance('buyer')
      const isBooked = posted === (isSettled ? FUNDS - 80n : FUNDS) && held === (end ? 0n : 80n)
      // Whoever died after it was paid has not delivered; nobody delivers what is not paid.
      const isDelivered = options.faults ? world.delivered <= 1 : world.delivered === 1
      return (
        more.length === 0 && inTime && isBooked && (isSettled ? isDelivered : world.delivered === 0)
      )
    },
  })
}

describe('a hold that expires is settled and swept at once', () => {
  test('it ends once: settled in time, or released when it has expired', async () => {
    const report = await run([buy, sweep, hasty(), time])
    expect(report, formatReport(report)).toMatchObject({ holds: true, exhaustive: true })
  })

  test('with one fault', async () => {
    const kinds = rounds<readonly Fault[]>({
      usual: ['crash before', 'crash after'],
      long: ['crash before', 'crash after', 'reply lost', 'not sent'],
    })
    const report = await run([buy, sweep, time], { faults: { most: 1, kinds } })
    expect(report, formatReport(report)).toMatchObject({ holds: true, exhaustive: true })
  })

  test('it is released too early where nobody looks whether it has expired', async () => {
    expect((await run([buy, hasty(releaseAnyway), time])).violations).toBeGreaterThan(0n)
  })

  test('it is released too early, or too late, by a clock that is looked at before', async () => {
    expect((await run([buyByOwnClock, hasty(releaseAnyway), time])).violations).toBeGreaterThan(0n)
  })
})
