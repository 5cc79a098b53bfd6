import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** What becomes of the next request that contains the watched text. */
export type Cut =
  /** The connection breaks before the server sees any of it. */
  | { readonly what: 'request' }
  /** The server gets it; of its answer so many messages arrive, then the connection breaks. */
  | { readonly what: 'reply'; readonly afterMessages: number }
  /** The connection breaks, and the server gets the request when it is let go. */
  | { readonly what: 'stuck' }

export interface Proxy {
  /** The same server, through the proxy. */
  readonly url: string
  /** The fates of the watched requests to come, in order; when they run out, nothing is cut. */
  readonly cuts: Cut[]
  /** How many watched requests have come. */
  readonly watched: () => number
  /** How many of them have been answered to the end. */
  readonly answered: () => number
  /** Lets the server have what is stuck; resolves when it has answered. */
  readonly letGo: () => Promise<void>
  /** Breaks all connections and takes no new one, until it is up again. */
  readonly setDown: (down: boolean) => void
  readonly close: () => Promise<void>
}

interface State {
  readonly cuts: Cut[]
  readonly stuck: (() => Promise<void>)[]
  readonly sockets: Set<Socket>
  watched: number
  answered: number
  down: boolean
}

/** What a server sends, cut where the connection may break. */
export interface Message {
  readonly bytes: Buffer
  /** Whether the answer to a request ends here. */
  readonly last: boolean
}

/** Cuts what one connection brings into messages. */
export interface MessageReader {
  read(bytes: Buffer): Message[]
}

/** A proxy in front of a server, which breaks connections at chosen moments. */
export async function startProxy(
  serverUrl: string,
  watchFor: string,
  newReader: () => MessageReader,
): Promise<Proxy> {
  const target = new URL(serverUrl)
  const state: State = {
    cuts: [],
    stuck: [],
    sockets: new Set(),
    watched: 0,
    answered: 0,
    down: false,
  }
  const server = createServer(client => {
    if (state.down) client.destroy()
    else relay(client, target, { watchFor, messages: newReader() }, state)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const breakAll = () => {
    for (const socket of state.sockets) socket.destroy()
  }
  return {
    url: url.href,
    cuts: state.cuts,
    watched: () => state.watched,
    answered: () => state.answered,
    letGo: async () => {
      await Promise.all(state.stuck.splice(0).map(go => go()))
    },
    setDown: down => {
      state.down = down
      if (down) breakAll()
    },
    close: async () => {
      breakAll()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Watch {
  readonly watchFor: string
  readonly messages: MessageReader
}

function relay(client: Socket, target: URL, { watchFor, messages }: Watch, state: State): void {
  const server = connect(Number(target.port), target.hostname)
  for (const socket of [client, server]) {
    state.sockets.add(socket)
    socket.on('close', () => state.sockets.delete(socket))
    // A broken connection is what this is for.
    socket.on('error', () => undefined)
  }
  client.on('close', () => {
    if (!stuck) server.destroy()
  })
  server.on('close', () => client.destroy())

  let stuck = false
  /** Messages that the client may still have; null: all of them. */
  let messagesLeft: number | null = null
  let answering = false

  client.on('data', request => {
    if (!request.includes(watchFor)) {
      server.write(request)
      return
    }
    state.watched += 1
    answering = true
    const cut = state.cuts.shift()
    if (cut?.what === 'reply') messagesLeft = cut.afterMessages
    if (cut?.what === 'stuck') {
      stuck = true
      state.stuck.push(async () => {
        server.write(request)
        await once(server, 'data')
        server.destroy()
      })
    }
    if (cut && cut.what !== 'reply') client.destroy()
    else server.write(request)
  })

  server.on('data', reply => {
    for (const message of messages.read(reply)) {
      if (messagesLeft === 0) {
        client.destroy()
        return
      }
      if (messagesLeft !== null) messagesLeft -= 1
      if (!client.destroyed) client.write(message.bytes)
      if (answering && message.last) {
        answering = false
        state.answered += 1
      }
    }
  })
}
