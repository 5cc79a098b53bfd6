import { parts } from './decode.ts'
import { loadScript, runScript, type RedisClient } from './scripts.ts'

const DURABILITY = loadScript('durability')
const KEEPS_ALL_KEYS = 'noeviction'

/** This Redis can forget what it has acknowledged, and it was not said that it may. */
export class RedisNotDurable extends Error {
  override readonly name: string = 'RedisNotDurable'
  constructor(why: string) {
    super(`${why}; say mayForget where this Redis may lose money`)
  }
}

/**
 * Throws a {@link RedisNotDurable} where the server that has `key` keeps no append-only file, or evicts
 * keys where memory runs out.
 */
export async function assertDurable(client: RedisClient, key: string): Promise<void> {
  const [appendOnly, policy] = parts(await runScript(client, DURABILITY, [key], []))
  if (appendOnly !== '1') throw new RedisNotDurable('appendonly is not yes')
  if (policy !== KEEPS_ALL_KEYS)
    throw new RedisNotDurable(`maxmemory-policy is ${String(policy)}, not ${KEEPS_ALL_KEYS}`)
}
