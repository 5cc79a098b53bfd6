import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { rolldown } from 'rolldown'

const COMMAND = 'chromium'
const ANSWER_MS_MAX = 90_000
const REMOVALS_MAX = 10
/** A browser that does nothing but show a page: it asks nobody for anything. */
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Whether Debian's package `chromium`, or another build of it, is on this machine. */
export const HAS_CHROMIUM: boolean = spawnSync(COMMAND, ['--version']).status === 0

/** A module and all that it imports, as one module for browsers. */
export async function bundled(input: string): Promise<string> {
  const bundle = await rolldown({ input, platform: 'browser' })
  try {
    const { output } = await bundle.generate({ format: 'esm', minify: true })
    return output[0].code
  } finally {
    await bundle.close()
  }
}

/** Runs a script in a page of a browser of its own, until it posts what it found to `/answer`. */
export async function inChromium(script: string): Promise<string> {
  const { url, answer, close } = await servePage(script)
  const profile = mkdtempSync(join(tmpdir(), 'holdfast-chromium-'))
  const browser = spawn(COMMAND, [...ARGUMENTS, `--user-data-dir=${profile}`, url], {
    stdio: 'ignore',
    // It starts processes of its own, which end with it only as one group.
    detached: true,
  })
  const exited = once(browser, 'exit')
  const timeout = AbortSignal.timeout(ANSWER_MS_MAX)
  try {
    return await Promise.race([
      answer,
      exited.then(([code]) => {
        throw new Error(`${COMMAND} ended with ${String(code)} before the page answered`)
      }),
      once(timeout, 'abort').then(() => {
        throw new Error(`The page did not answer within ${ANSWER_MS_MAX} ms`)
      }),
    ])
  } finally {
    if (browser.pid !== undefined && browser.exitCode === null)
      process.kill(-browser.pid, 'SIGKILL')
    await exited
    await close()
    rmSync(profile, { recursive: true, force: true, maxRetries: REMOVALS_MAX })
  }
}

interface Page {
  readonly url: string
  readonly answer: Promise<string>
  readonly close: () => Promise<void>
}

async function servePage(script: string): Promise<Page> {
  const { promise: answer, resolve, reject } = withResolvers<string>()
  const reply = async (request: IncomingMessage): Promise<[type: string, body: string]> => {
    if (request.url === '/script.js') return ['text/javascript', script]
    if (request.url !== '/answer')
      return ['text/html', '<script type="module" src="/script.js"></script>']
    resolve(await text(request))
    return ['text/plain', '']
  }
  const server = createServer((request, response) => {
    reply(request).then(([type, body]) => {
      response.writeHead(200, { 'content-type': `${type}; charset=utf-8` }).end(body)
    }, reject)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    answer,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** What `Promise.withResolvers` does in newer versions of Node. */
function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => undefined
  let reject: (error: unknown) => void = () => undefined
  const promise = new Promise<Value>((resolveIt, rejectIt) => {
    resolve = resolveIt
    reject = rejectIt
  })
  return { promise, resolve, reject }
}
