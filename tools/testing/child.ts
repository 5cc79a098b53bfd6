import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const TYPESCRIPT = new URL('./typescript.mjs', import.meta.url).href

/** How a process ended. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

/** A process that runs a script of the sources. */
export interface Child {
  readonly process: ChildProcess
  /** Everything that it has written to standard output so far. */
  output(): string
  /** Resolves when the output matches; rejects where the process ends before. */
  until(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves when the process has ended and all it wrote has been read. */
  readonly ended: Promise<Ending>
}

/**
 * Runs a script (TypeScript or not) in a process of its own, by the Node that runs the tests. The
 * process is killed at the end of the test that started it.
 */
export function startChild(
  script: URL,
  args: readonly string[] = [],
  options: SpawnOptions = {},
): Child {
  const child = spawn(process.execPath, ['--import', TYPESCRIPT, fileURLToPath(script), ...args], {
    ...options,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    output,
    errors,
  }))
  return {
    process: child,
    output: () => output,
    until: pattern => matched(child, pattern, () => output, ended),
    ended,
  }
}

function matched(
  child: ChildProcess,
  pattern: RegExp,
  output: () => string,
  ended: Promise<Ending>,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(output())
      if (!match) return
      child.stdout?.off('data', look)
      resolve(match)
    }
    child.stdout?.on('data', look)
    look()
    void ended.then(ending => {
      reject(new Error(`The process ended without ${String(pattern)}: ${JSON.stringify(ending)}`))
    })
  })
}
