import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { unref } from './unref.ts'

/**
 * The program of the watchdog. Its input is a pipe from us: when that ends, we have ended, in
 * whatever way; then it stops the server that the folder's postmaster.pid names, waits until that
 * has taken the file away, and removes the folder. It is text so that it runs the same from the
 * sources and from what is built.
 */
const PROGRAM = `
const { existsSync, readFileSync, rmSync } = require('node:fs')
const [folder] = process.argv.slice(1)
const pidFile = folder + '/data/postmaster.pid'
const WAIT_MS = 50
const WAITS_MAX = 200
process.stdin.resume()
process.stdin.on('error', () => undefined)
process.stdin.on('close', () => {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8').split('\\n')[0]), 'SIGQUIT')
  } catch {
    // No server runs.
  }
  let waits = 0
  const timer = setInterval(() => {
    waits += 1
    if (existsSync(pidFile) && waits < WAITS_MAX) return
    clearInterval(timer)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }, WAIT_MS)
})
`

/**
 * Starts what stops the server in the folder and removes the folder, after the end of this process
 * or when the function that it returns is called.
 */
export function startWatchdog(folder: string): () => void {
  const watchdog = spawn(process.execPath, ['--eval', PROGRAM, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: dirname(folder),
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  // Where it cannot be started, only the cleaning up after a crash is lost.
  watchdog.on('error', () => undefined)
  watchdog.unref()
  unref(watchdog.stdin)
  return () => {
    watchdog.stdin.destroy()
  }
}
