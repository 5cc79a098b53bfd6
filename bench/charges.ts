import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Ledger } from 'holdfast'
import { migrate, openPostgres, PostgresStore } from 'holdfast/postgres'
import { RedisStore } from 'holdfast/redis'
import { createClient } from 'redis'
import { startPrivatePostgres } from '../packages/server/src/private-postgres/private-postgres.ts'
import { startRedis } from '../tools/testing/redis.ts'
import { callsOf } from './calls.ts'
import { load, type Load } from './load.ts'
import { ACCOUNTS, anyBuyer, CHARGE, FUNDS, preparation } from './shapes.ts'

const CALLERS = [1, 20, 500]
const BOOK = 'bench'
const PRICE = '10'
const BY_HAND = readFileSync(new URL('./charge-by-hand.lua', import.meta.url), 'utf8')

/** One row of the table. */
export interface ChargesRow extends Load {
  readonly case: string
  readonly callers: number
  /** The rate over that of the script written by hand, with as many callers. */
  readonly ratio: number
}

/**
 * Measures charges of three legs, with entries, on Redis and on Postgres, beside a script that only
 * takes a price off one balance: one run, and one Redis that syncs its append-only file every second.
 */
export async function benchCharges(
  durationMs: number,
  take: (row: ChargesRow) => void,
): Promise<void> {
  const redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'everysec')
  const postgres = await startPrivatePostgres()
  const client = await connected(redis.url)
  const database = await openPostgres(postgres.url)
  try {
    await migrate(database)
    const onRedis = await prepared(
      new Ledger({ store: await RedisStore.open({ client }), book: BOOK }),
    )
    const onPostgres = await prepared(
      new Ledger({ store: new PostgresStore(database), book: BOOK }),
    )
    const byHand = await chargeByHand(client)
    const cases: [name: string, call: (caller: number) => Promise<unknown>][] = [
      ['EVALSHA by hand', byHand],
      ['ledger on Redis', callsOf(onRedis, CHARGE)],
      ['ledger on Postgres', callsOf(onPostgres, CHARGE)],
    ]
    for (const callers of CALLERS) {
      let first: number | null = null
      for (const [name, call] of cases) {
        const found = await load(callers, durationMs, call)
        first ??= found.rate
        take({ case: name, callers, ...found, ratio: found.rate / first })
      }
    }
  } finally {
    client.destroy()
    await database.close()
    await postgres.stop()
    await redis.remove()
  }
}

async function prepared(ledger: Ledger): Promise<Ledger> {
  const outcomes = await ledger.apply(preparation())
  const refused = outcomes.find(outcome => !outcome.ok)
  if (refused) throw new Error(`the accounts were not prepared: ${JSON.stringify(refused)}`)
  return ledger
}

function connected(url: string) {
  const client = createClient({ url })
  // What breaks fails the call that it breaks.
  client.on('error', () => undefined)
  return client.connect()
}

async function chargeByHand(
  client: Awaited<ReturnType<typeof connected>>,
): Promise<(caller: number) => Promise<void>> {
  const sha1 = createHash('sha1').update(BY_HAND).digest('hex')
  await client.scriptLoad(BY_HAND)
  const balances = Array.from({ length: ACCOUNTS }, (_, n) => [`a${n}`, FUNDS.toString()] as const)
  await client.hSet('by-hand:balances', Object.fromEntries(balances))
  const keys = ['by-hand:balances', 'by-hand:ids']
  let count = 0
  return async () => {
    const charged = await client.evalSha(sha1, {
      keys,
      arguments: [anyBuyer(), PRICE, `charge-${(count += 1)}`],
    })
    if (charged !== 1) throw new Error('a charge by hand was refused')
  }
}
