import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#testing/free-port.ts'

/** Fewer than the clients, so that they really share sessions. */
const SESSIONS = 2
const POLL_MS = 20
const POLLS_MAX = 500

/** Whether Debian's package `pgbouncer`, or another build of it, is on this machine. */
export const HAS_PGBOUNCER: boolean = spawnSync('pgbouncer', ['--version']).status === 0

export interface Pgbouncer {
  /** The same database, through pgbouncer in transaction mode. */
  readonly url: string
  close(): Promise<void>
}

/** Starts a pgbouncer of its own before the server of a URL, with sessions lent by the transaction. */
export async function startPgbouncer(database: string): Promise<Pgbouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pgbouncer-'))
  const port = await freePort()
  const { hostname, port: serverPort, username, password } = new URL(database)
  const server = [`host=${hostname}`, `port=${serverPort || '5432'}`, `user=${username}`]
  if (password !== '') server.push(`password=${decodeURIComponent(password)}`)
  const file = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `* = ${server.join(' ')}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    `default_pool_size = ${SESSIONS}`,
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
  ]
  writeFileSync(file, `${settings.join('\n')}\n`)
  const child = spawn('pgbouncer', [...asWhom(folder), '-q', file], { stdio: 'ignore' })
  await listening(child, port)
  const url = new URL(database)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    async close() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

/** It does not run as root: there it becomes nobody, who then has to read its file. */
function asWhom(folder: string): string[] {
  if (process.getuid?.() !== 0) return []
  spawnSync('chmod', ['755', folder])
  return ['-u', 'nobody']
}

async function listening(child: ChildProcess, port: number): Promise<void> {
  for (let polls = 0; polls < POLLS_MAX && child.exitCode === null; polls += 1) {
    const socket = connect(port, '127.0.0.1')
    const open = await new Promise<boolean>(resolve => {
      socket.once('connect', () => {
        resolve(true)
      })
      socket.once('error', () => {
        resolve(false)
      })
    })
    socket.destroy()
    if (open) return
    await sleep(POLL_MS)
  }
  throw new Error('pgbouncer does not start')
}
