import { spawnSync } from 'node:child_process'

/** As whom a program runs: nothing is the user of this process. */
export interface User {
  readonly uid?: number
  readonly gid?: number
}

/** Those that may run a server for root, which Postgres refuses to run as. */
const CANDIDATES = ['postgres', 'nobody']

/**
 * The user that Postgres runs as: our own, or, where we are root, `postgres` if the system has it
 * and `nobody` if not. No user is made: the cluster is gone before anyone could miss it.
 */
export function postgresUser(): User {
  if (process.getuid?.() !== 0) return {}
  for (const name of CANDIDATES) {
    const uid = idOf('-u', name)
    const gid = idOf('-g', name)
    if (uid !== null && gid !== null) return { uid, gid }
  }
  throw new Error(`Postgres does not run as root, and there is no user ${CANDIDATES.join(' or ')}`)
}

function idOf(which: '-u' | '-g', name: string): number | null {
  const { status, stdout } = spawnSync('id', [which, name], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : null
}
