import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from './reply.ts'
import { failure } from './reply.ts'

const BODY_BYTES_MAX = 65_536

/** The body of a request as JSON: undefined where it is none, null where it is too large. */
export async function readJson(request: IncomingMessage): Promise<{ body: unknown } | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // What is too much is read and forgotten: a client only reads our answer once it has sent all.
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  if (bytes > BODY_BYTES_MAX) return null
  try {
    return { body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown }
  } catch {
    return { body: undefined }
  }
}

/** Delivers a reply as its fault wants it. `hangMs`: how long a socket is held without an answer. */
export async function deliver(
  response: ServerResponse,
  reply: Reply,
  hangMs: number,
): Promise<void> {
  switch (reply.answering) {
    case 'plain':
      send(response, reply)
      break
    case 'late':
      await openFor(response, reply.delayMs)
      send(response, reply)
      break
    case 'never':
      await openFor(response, hangMs)
      response.destroy()
      break
    case 'half':
      sendHalf(response, reply)
      break
    case 'error':
      send(response, failure('SIMULATED_FAULT', 'something went wrong after the payment was taken'))
      break
    case 'nonsense':
      send(response, { ...reply, body: '<html>{"status":' })
      break
  }
}

function send(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, headersOf(reply)).end(reply.body)
}

/** Promises the whole body, sends half of it and cuts the connection. */
function sendHalf(response: ServerResponse, reply: Reply): void {
  const half = reply.body.slice(0, reply.body.length / 2)
  response.writeHead(reply.status, headersOf(reply)).write(half, () => response.destroy())
}

function headersOf(reply: Reply): Record<string, string | number> {
  const length = Buffer.byteLength(reply.body)
  return { 'content-type': reply.type, 'content-length': length, ...reply.headers }
}

/** Waits, but not longer than the connection lives. */
function openFor(response: ServerResponse, ms: number): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer)
      response.off('close', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    response.once('close', done)
  })
}
