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
  /** The same database, through the proxy. */
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

const READY_FOR_QUERY = 'Z'.charCodeAt(0)

interface State {
  readonly cuts: Cut[]
  readonly stuck: (() => Promise<void>)[]
  readonly sockets: Set<Socket>
  watched: number
  answered: number
  down: boolean
}

/** A proxy in front of a Postgres server, which breaks connections at chosen moments. */
export async function startProxy(databaseUrl: string, watchFor: string): Promise<Proxy> {
  const target = new URL(databaseUrl)
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
    else relay(client, target, watchFor, state)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(databaseUrl)
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

function relay(client: Socket, target: URL, watchFor: string, state: State): void {
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
  const messages = new MessageReader()

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
      if (!client.destroyed) client.write(message)
      if (answering && message[0] === READY_FOR_QUERY) {
        answering = false
        state.answered += 1
      }
    }
  })
}

/** Cuts what a server sends into messages: a letter, and a length that counts itself. */
class MessageReader {
  #rest: Buffer = Buffer.alloc(0)

  read(bytes: Buffer): Buffer[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const messages: Buffer[] = []
    while (this.#rest.length >= 5) {
      const length = 1 + this.#rest.readUInt32BE(1)
      if (this.#rest.length < length) break
      messages.push(this.#rest.subarray(0, length))
      this.#rest = this.#rest.subarray(length)
    }
    return messages
  }
}
