import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const COMMAND = 'redis-server'
const READY = 'Ready to accept connections'
const START_MS_MAX = 20_000

/** A server that is there already and that the tests may write books into. */
const GIVEN_URL = process.env['REDIS_URL']

/** Whether Debian's package `redis-server`, or another build of it, is in the PATH. */
export const HAS_REDIS_SERVER: boolean = spawnSync(COMMAND, ['--version']).status === 0

/** Whether there is a Redis to write books into, of the tests' own or a given one. */
export const HAS_REDIS: boolean = HAS_REDIS_SERVER || GIVEN_URL !== undefined

/** A Redis of a test's own. */
export interface PrivateRedis {
  readonly port: number
  readonly url: string
  /** Ends as on a shutdown, and keeps its folder. */
  stop(): Promise<void>
  /** Ends at once, as where the machine loses the process, and keeps its folder. */
  kill(): Promise<void>
  /** Starts again on the same port and the same folder. */
  start(): Promise<void>
  /** Ends, and its folder goes too. */
  remove(): Promise<void>
}

/** Starts a Redis on a free port; rejects with what it said where it does not start in time. */
export async function startRedis(...options: readonly string[]): Promise<PrivateRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-redis-'))
  const port = await freePort()
  const placed = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder]
  const args = [...placed, '--save', '', ...options]
  let server = await started(args)
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null || server.signalCode !== null) return
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async start() {
      server = await started(args)
    },
    async remove() {
      await end('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The server at REDIS_URL where one is given, or else one of the test's own. */
export async function testRedis(): Promise<Pick<PrivateRedis, 'url' | 'remove'>> {
  if (GIVEN_URL === undefined) return startRedis()
  return { url: GIVEN_URL, remove: () => Promise.resolve() }
}

async function started(args: readonly string[]) {
  const server = spawn(COMMAND, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(server, 'exit')
  let said = ''
  const ready = new Promise<void>(resolve => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes(READY)) resolve()
    })
  })
  const late = new AbortController()
  const timer = setTimeout(() => {
    late.abort()
  }, START_MS_MAX)
  const failed = Promise.race([exited, once(late.signal, 'abort')]).then(() => {
    server.kill('SIGKILL')
    throw new Error(`${COMMAND} did not start: ${said}`)
  })
  // A server that ends later on, as it is told to, has not failed to start.
  failed.catch(() => undefined)
  await Promise.race([ready, failed]).finally(() => {
    clearTimeout(timer)
  })
  return server
}
