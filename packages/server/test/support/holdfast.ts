import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

/** The command as it is installed: it needs the packages to be built. */
export const COMMAND_FILE: string = fileURLToPath(new URL('../../bin/holdfast.js', import.meta.url))

/** How a run of the command ended. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** What it reads from standard input. */
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Runs `holdfast ARGS…` in a process of its own, to its end. */
export async function holdfast(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [COMMAND_FILE, ...args], {
    env: environment(options.env),
    cwd: options.cwd,
  })
  // A command that does not read its input closes it.
  child.stdin.on('error', () => undefined).end(options.input ?? '')
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/** The environment of this process without what would steer the command. */
export function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('HOLDFAST_'))
  return { ...Object.fromEntries(own), ...more }
}

/** A folder of the test file's own, which is removed at its end. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-command-'))
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

/** Writes a file and returns its path. */
export function write(folder: string, name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

/** The objects of JSON lines. */
export function objects(stdout: string): Record<string, unknown>[] {
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Record<string, unknown>)
}
