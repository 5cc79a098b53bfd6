import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { COMMAND_FILE } from './command-file.ts'

/** What a command of a process of its own came to. `exitCode` is null where it was killed. */
export interface Finished {
  readonly exitCode: number | null
  readonly stdout: string
}

/** `holdfast` in a process of its own. */
export interface CommandProcess {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
}

/** Starts `holdfast ARGS…`; what it says on stderr is shown as it is. */
export function startCommand(args: readonly string[]): CommandProcess {
  const child = spawn(process.execPath, [COMMAND_FILE, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const finished = once(child, 'close').then(([exitCode]: (number | null)[]) => ({
    exitCode: exitCode ?? null,
    stdout: Buffer.concat(chunks).toString().trimEnd(),
  }))
  return { child, finished }
}
