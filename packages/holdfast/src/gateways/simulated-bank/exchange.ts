import { request } from 'node:http'
import type { IncomingMessage, RequestOptions } from 'node:http'

/** One HTTP request. */
export interface Exchange {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** For the exchange as a whole, to the last byte of the answer, in milliseconds. */
  readonly timeoutMs: number
}

/** A whole answer. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** No whole answer came: whether the other side acted is unknown. */
export interface Lost {
  readonly lost: string
}

const BODY_BYTES_MAX = 65_536

/**
 * Sends a request exactly once, on a connection of its own: a client that keeps connections open
 * may send again by itself where it finds one closed.
 */
export async function exchange(asked: Exchange): Promise<Answer | Lost> {
  const { method, url, headers, body, timeoutMs } = asked
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const response = await send(url, { method, headers, agent: false, signal }, body)
    return { status: response.statusCode ?? 0, body: await readBody(response) }
  } catch (error) {
    if (signal.aborted) return { lost: `no whole answer within ${timeoutMs} ms` }
    const { message, code } = error as NodeJS.ErrnoException
    return { lost: code ?? message }
  }
}

function send(url: URL, options: RequestOptions, body: string | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, resolve)
    sent.on('error', reject)
    sent.end(body ?? undefined)
  })
}

/** A connection that is cut before the announced end makes the loop throw. */
async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error(`the answer is longer than ${BODY_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
