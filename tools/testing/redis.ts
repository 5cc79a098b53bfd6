import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

const COMMAND = 'redis-server'
const READY = 'Ready to accept connections'
const START_MS_MAX = 20_000

/** Whether Debian's package `redis-server`, or another build of it, is in the PATH. */
export const HAS_REDIS: boolean = spawnSync(COMMAND, ['--version']).status === 0

/** A Redis of a test file's own, which keeps nothing. */
export interface PrivateRedis {
  readonly port: number
  stop(): Promise<void>
}

/** Starts a Redis on a free port; rejects with what it said where it does not start in time. */
export async function startRedis(): Promise<PrivateRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-redis-'))
  const port = await freePort()
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const server = spawn(COMMAND, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const exited = once(server, 'exit')
  let said = ''
  const ready = new Promise<void>(resolve => {
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes(READY)) resolve()
    })
  })
  const late = once(AbortSignal.timeout(START_MS_MAX), 'abort')
  const failed = Promise.race([exited, late]).then(() => {
    server.kill('SIGKILL')
    throw new Error(`${COMMAND} did not start: ${said}`)
  })
  await Promise.race([ready, failed])
  failed.catch(() => undefined)
  return {
    port,
    async stop() {
      server.kill('SIGTERM')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
