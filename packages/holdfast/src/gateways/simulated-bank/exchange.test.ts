import { createServer } from 'node:http'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { exchange } from './exchange.ts'
import type { Answer, Lost } from './exchange.ts'

interface Server {
  readonly url: URL
  readonly requests: () => number
  readonly connections: () => number
}

/** A server that counts what reaches it and goes away with the test. */
async function serve(listener: RequestListener): Promise<Server> {
  let requests = 0
  let connections = 0
  const server = createServer((request, response) => {
    requests += 1
    listener(request, response)
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = new URL(`http://127.0.0.1:${port}/`)
  return { url, requests: () => requests, connections: () => connections }
}

function post(url: URL, timeoutMs = 5_000): Promise<Answer | Lost> {
  return exchange({ method: 'POST', url, headers: {}, body: '{}', timeoutMs })
}

test('a whole answer is given as it is', async () => {
  const { url } = await serve((_, response) => response.writeHead(418).end('té'))
  expect(await post(url)).toEqual({ status: 418, body: 'té' })
})

test('every exchange has a connection of its own', async () => {
  const { url, connections } = await serve((_, response) => response.end('{}'))
  for (let sent = 1; sent <= 3; sent += 1) expect(await post(url)).toMatchObject({ status: 200 })
  expect(connections()).toBe(3)
})

test('the time-out covers the wait for the head', async () => {
  const { url } = await serve(() => undefined)
  expect(await post(url, 100)).toEqual({ lost: 'no whole answer within 100 ms' })
})

test('the time-out covers a body that never ends, byte by byte', async () => {
  const { url } = await serve((_, response) => {
    response.writeHead(201)
    const drip = setInterval(() => response.write(' '), 10)
    response.on('close', () => {
      clearInterval(drip)
    })
  })
  expect(await post(url, 100)).toEqual({ lost: 'no whole answer within 100 ms' })
})

test.each([
  ['before the head', (response: ServerResponse): unknown => response.destroy()],
  [
    'in the middle of a body of known length',
    (response: ServerResponse): unknown =>
      response.writeHead(201, { 'content-length': 20 }).write('{"id":', () => response.destroy()),
  ],
  [
    'in the middle of a chunked body',
    (response: ServerResponse): unknown =>
      response.writeHead(201).write('{}', () => response.destroy()),
  ],
])('a connection that is cut %s is lost, and nothing is sent again', async (_, cut) => {
  const { url, requests } = await serve((_request: IncomingMessage, response) => cut(response))
  expect(await post(url)).toEqual({ lost: 'ECONNRESET' })
  expect(await post(url)).toEqual({ lost: 'ECONNRESET' })
  expect(requests()).toBe(2)
})

test('a body without end is not read to its end', async () => {
  let written = 0
  const { url } = await serve((_, response) => {
    response.writeHead(201)
    const more = (): void => {
      written += 65_536
      if (!response.destroyed && written < 500_000_000) response.write('x'.repeat(65_536), more)
    }
    more()
  })
  expect(await post(url)).toEqual({ lost: 'the answer is longer than 65536 bytes' })
  expect(written).toBeLessThan(500_000_000)
})

test('a port on which nothing listens is lost', async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  const url = new URL(`http://127.0.0.1:${port}/`)
  expect(await post(url)).toEqual({ lost: 'ECONNREFUSED' })
})
