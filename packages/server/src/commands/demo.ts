import type { Register } from '../run.ts'
import { readConcurrency, readCount } from '../read-count.ts'
import { readDatabaseUrl } from '../where.ts'

interface DemoOptions {
  readonly databaseUrl?: string | null
  readonly json?: boolean
}

interface PaydayOptions extends DemoOptions {
  readonly payouts: number
  readonly concurrency: number
  readonly seed: number
}

const PAYOUTS_MAX = 10_000
const SEED_MAX = 999_999_999

/** `holdfast demo`: what the product is for, in one command. What a demo needs is loaded by it. */
export const registerDemo: Register = (program, run) => {
  const demo = program.command('demo').description('See it work')
  demo
    .command('payday')
    .description('Pay many creators through a bank that misbehaves, across a crash, and reconcile')
    .option('--payouts <count>', 'how many', readCount('--payouts', PAYOUTS_MAX), 200)
    .option('--concurrency <count>', 'how many at the same moment', readConcurrency, 40)
    .option('--seed <seed>', 'which faults the bank has', readCount('--seed', SEED_MAX, 0), 7)
    .option(
      '--database-url <url>',
      'a migrated Postgres server (default: embedded)',
      readDatabaseUrl,
    )
    .option('--json', 'machine-readable output')
    .action((options: PaydayOptions) =>
      run(async io => {
        const { runPayday } = await import('../demo/payday.ts')
        return runPayday({ ...options, ...common(options) }, io)
      }),
    )
  demo
    .command('race')
    .description('Twenty withdrawals at once, as people write them and through the ledger')
    .option('--database-url <url>', 'a Postgres server (default: a private one)', readDatabaseUrl)
    .option('--json', 'machine-readable output')
    .action((options: DemoOptions) =>
      run(async io => {
        const { runRace } = await import('../demo/race.ts')
        return runRace(common(options), io)
      }),
    )
}

function common({ databaseUrl = null, json = false }: DemoOptions): {
  readonly databaseUrl: string | null
  readonly json: boolean
} {
  return { databaseUrl, json }
}
