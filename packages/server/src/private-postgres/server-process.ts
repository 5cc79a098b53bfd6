import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { environment, type Cluster } from './cluster.ts'
import { unref } from './unref.ts'

/** How long a server may take to start: after a crash it reads its whole log. */
const START_TIMEOUT_MS = 60_000
/** A port that was free may be taken a moment later: then another one is tried. */
const START_ATTEMPTS_MAX = 5
/** How many of the last characters of the server's log stand in an error. */
const LOG_CHARACTERS_MAX = 2_000
const CONNECTIONS_MAX = 200
const READY = 'database system is ready to accept connections'

/** Starts a server for the cluster on a port that is free. */
export async function startOnFreePort(
  cluster: Cluster,
): Promise<{ server: ChildProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort()
    try {
      return { server: await startServer(cluster, port), port }
    } catch (error) {
      if (attempt >= START_ATTEMPTS_MAX) throw error
    }
  }
}

/** Starts a server for the cluster; resolves when it takes connections. */
export async function startServer(cluster: Cluster, port: number): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: CONNECTIONS_MAX,
    fsync: 'on',
    timezone: 'UTC',
  }
  const server = spawn(
    cluster.postgres,
    [
      ...['-D', join(cluster.folder, 'data'), '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      ...cluster.user,
      cwd: cluster.folder,
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
      // A Ctrl-C at the terminal is for us: the server ends after us, and not before.
      detached: true,
    },
  )
  await ready(server)
  // A server that is never stopped must not keep this process alive.
  server.unref()
  unref(server.stderr)
  return server
}

/** Sends the signal that ends a server, and waits for its end. */
export async function endServer(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.ref()
  server.kill(signal)
  await ended
}

function ready(server: ChildProcess): Promise<void> {
  let log = ''
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: unknown) => {
      clearTimeout(timer)
      server.kill('SIGQUIT')
      reject(new Error(`A private Postgres did not start: ${reason}\n${log}`, { cause }))
    }
    const timer = setTimeout(() => {
      fail('it took too long')
    }, START_TIMEOUT_MS)
    server.once('error', error => {
      fail('it could not be run', error)
    })
    server.once('exit', () => {
      fail('it ended')
    })
    // Read to the end of its life: a server whose log nobody reads stands still.
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-LOG_CHARACTERS_MAX)
      if (!log.includes(READY)) return
      clearTimeout(timer)
      resolve()
    })
  })
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
