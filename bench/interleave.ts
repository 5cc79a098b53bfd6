import fc from 'fast-check'
import { fileURLToPath } from 'node:url'
import { explore } from '../packages/interleave/src/index.ts'
import { bundled, HAS_CHROMIUM, inChromium } from '../tools/testing/chromium.ts'
import { benchPostgres } from './interleave-postgres.ts'
import {
  copies,
  explored,
  isWell,
  portsOf,
  rateOf,
  withdraw,
  withdrawAtOnce,
  world,
  type World,
} from './interleave-programs.ts'

/** One line of the table. */
export interface InterleaveRow {
  readonly case: string
  readonly program: string
  /** Orders run in a second; for merged states, orders counted in a second. */
  readonly rate: number | null
  /** Beside fast-check's scheduler; null where the program is not the same. */
  readonly ratio: number | null
  readonly ms: number | null
}

const RUNS_WARM = 2_000

/** Measures exploration beside fast-check's scheduler, each case for about `durationMs`. */
export async function benchInterleave(
  durationMs: number,
  show: (row: InterleaveRow) => void,
): Promise<void> {
  await fastCheck(RUNS_WARM)
  const baseline = await rateOf(durationMs, fastCheck)
  show(row("fast-check's scheduler", 'withdraw, 3 copies', baseline, 1))
  for (const [name, program] of [
    ['withdraw, 2 copies', copies(withdraw, 2)],
    ['withdraw, 3 copies', copies(withdraw, 3)],
    ['withdraw, 4 copies', copies(withdraw, 4)],
    ['two calls at once, 3 copies', copies(withdrawAtOnce, 3)],
  ] as const) {
    const run = (orders: number) => explored(program, orders)
    await run(RUNS_WARM)
    const rate = await rateOf(durationMs, run)
    show(row('every order', name, rate, name.includes('3 copies') ? rate / baseline : null))
  }
  await merged(show)
  if (HAS_CHROMIUM) show(await chromium())
  const { ordersPerSecond, blockedP50Ms } = await benchPostgres()
  show(row('on Postgres', 'withdraw, 2 copies', ordersPerSecond, null))
  show({ ...row('a block is recognised', 'an advisory lock', null, null), ms: blockedP50Ms })
}

function row(
  name: string,
  program: string,
  rate: number | null,
  ratio: number | null,
): InterleaveRow {
  return { case: name, program, rate, ratio, ms: null }
}

/** The same program, each call scheduled by fast-check in an order drawn by chance. */
async function fastCheck(orders: number): Promise<number> {
  const property = fc.asyncProperty(fc.scheduler(), async scheduler => {
    const own = world()
    const { load, read, write, pay } = portsOf(own)
    const scheduled = <Args extends unknown[], Result>(method: (...args: Args) => Result) =>
      scheduler.scheduleFunction((...args: Args) => Promise.resolve(method(...args)))
    const ports = {
      load: scheduled(load),
      read: scheduled(read),
      write: scheduled(write),
      pay: scheduled(pay),
    }
    const tasks = [withdraw(ports), withdraw(ports), withdraw(ports)]
    await scheduler.waitFor(Promise.all(tasks))
    isWell(own)
  })
  await fc.assert(property, { numRuns: orders })
  return orders
}

async function merged(show: (row: InterleaveRow) => void): Promise<void> {
  const state = ({ balance, paid }: World) => `${balance} ${paid}`
  const startMs = performance.now()
  const { orders } = await explore({ ...copies(withdraw, 4), state })
  const ms = performance.now() - startMs
  const rate = (Number(orders) * 1_000) / ms
  show({ ...row('merged states', 'withdraw, 4 copies, all', rate, null), ms })
}

async function chromium(): Promise<InterleaveRow> {
  const page = fileURLToPath(new URL('./interleave-page.ts', import.meta.url))
  const rate = Number(await inChromium(await bundled(page)))
  return row('every order, in Chromium', 'withdraw, 3 copies', rate, null)
}
