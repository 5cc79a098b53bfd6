import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A script as Redis knows it: by its text, and by the SHA-1 of its text. */
export interface Script {
  readonly text: string
  readonly sha1: string
}

/** What a script is given: the keys that it touches, all in one hash slot, and all else. */
export interface ScriptArguments {
  keys: string[]
  arguments: string[]
}

/** Whatever runs scripts on Redis: a client or a cluster of the package `redis`, connected. */
export interface RedisClient {
  evalSha(sha1: string, options: ScriptArguments): Promise<unknown>
  eval(text: string, options: ScriptArguments): Promise<unknown>
}

const scripts: Map<string, Script> = new Map()

/** The script that the .lua files of these names make, one after the other. */
export function loadScript(...names: readonly string[]): Script {
  const known = scripts.get(names.join())
  if (known) return known
  const files = names.map(name => new URL(`./lua/${name}.lua`, import.meta.url))
  const text = files.map(file => readFileSync(file, 'utf8')).join('\n')
  const script = { text, sha1: createHash('sha1').update(text).digest('hex') }
  scripts.set(names.join(), script)
  return script
}

/** Runs a script; its text is sent only where the server does not know it yet. */
export async function runScript(
  client: RedisClient,
  script: Script,
  keys: string[],
  texts: string[],
): Promise<unknown> {
  const given = { keys, arguments: texts }
  try {
    return await client.evalSha(script.sha1, given)
  } catch (error) {
    if (errorCode(error) !== 'NOSCRIPT') throw error
    return client.eval(script.text, given)
  }
}

/** The word that an error reply of Redis begins with; null for what is no such reply. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error ? (/^[A-Z]+(?= |$)/.exec(error.message)?.[0] ?? null) : null
}
