import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkAccount, defaultAccount } from './account.ts'
import type { Account } from './account.ts'
import { Bank, checkSameAccount, openBook } from './bank.ts'
import { readSeededFaults } from './faults.ts'
import type { FaultRates, SeededFaults } from './faults.ts'
import { deliver, readJson } from './http.ts'
import { systemClock } from './instant.ts'
import type { Clock } from './instant.ts'
import { openJournal } from './journal.ts'
import type { Journal } from './journal.ts'
import { BankNotStarted, isProblem } from './refusal.ts'
import { failure } from './reply.ts'
import type { Reply } from './reply.ts'
import { route } from './routes.ts'

/** How to start a bank. Only `file` has no default. */
export interface BankOptions {
  /** The bank's own file; made where it is not there. Its folder must be there. */
  readonly file: string
  /** On 127.0.0.1; 0 takes a free one. */
  readonly port?: number
  /** With `rates`: faults by chance, as `POST /faults` sets them. */
  readonly seed?: number | string
  readonly rates?: FaultRates
  /** The account to open; a file that holds another one is refused. */
  readonly account?: Account
  /** Whether keys are honoured, as a good bank does: true. Without, every send pays. */
  readonly idempotency?: boolean
  /** How long a key is remembered from its first use: 24 hours. */
  readonly keyRetentionMs?: number
  /** How long a socket is held by a fault that never answers: 60 seconds. */
  readonly hangMs?: number
  /** The clock of the machine where absent. */
  readonly clock?: Clock
}

/** A bank that runs. */
export interface RunningBank {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string
  /** Drops every connection, writes what is left and closes the file. */
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const CONNECTIONS_MAX = 1_000
const KEY_RETENTION_MS = 86_400_000
const HANG_MS = 60_000

/** Starts a bank in this process. Throws {@link BankNotStarted} where it cannot. */
export async function startBank(options: BankOptions): Promise<RunningBank> {
  const { port = 0, hangMs = HANG_MS } = options
  checkAccount(options.account ?? defaultAccount)
  const seeded = seededOf(options)
  const server = createServer()
  server.maxConnections = CONNECTIONS_MAX
  // The port comes first: a bank that does not get it makes no file.
  await listen(server, port)
  try {
    const opening = openBank(options, seeded)
    server.on('request', (request, response) => {
      void opening.then(
        ({ bank, journal }) => answer(bank, journal, request, response, hangMs),
        () => response.destroy(),
      )
    })
    const { journal } = await opening
    return {
      url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
      close: async () => {
        await stop(server)
        await journal.close()
      },
    }
  } catch (error) {
    await stop(server)
    throw error
  }
}

/** Opens the bank in its file. */
async function openBank(
  options: BankOptions,
  seeded: SeededFaults | null,
): Promise<{ bank: Bank; journal: Journal }> {
  const { clock = systemClock, account = defaultAccount } = options
  const { idempotency = true, keyRetentionMs = KEY_RETENTION_MS } = options
  const { journal, events } = await openJournal(options.file)
  try {
    const book = openBook(journal, events, account, clock)
    if (options.account) checkSameAccount(book.account, options.account)
    const bank = new Bank(book, journal, clock, { idempotency, keyRetentionMs })
    if (seeded) bank.setSeeded(seeded)
    await journal.durable()
    return { bank, journal }
  } catch (error) {
    await journal.close()
    throw error
  }
}

/** The faults by chance that the options ask for; null for none. */
function seededOf({ seed, rates }: BankOptions): SeededFaults | null {
  if (seed === undefined && rates === undefined) return null
  const seeded = readSeededFaults({ seed, rates })
  if (isProblem(seeded)) throw new BankNotStarted('INVALID_OPTION', seeded.problem)
  return seeded
}

async function answer(
  bank: Bank,
  journal: Journal,
  request: IncomingMessage,
  response: ServerResponse,
  hangMs: number,
): Promise<void> {
  try {
    const reply = await replyTo(bank, request)
    await journal.durable()
    await deliver(response, reply, hangMs)
  } catch (error) {
    if (response.headersSent || response.destroyed) {
      response.destroy()
      return
    }
    await deliver(response, failure('INTERNAL_ERROR', String(error)), hangMs)
  }
}

async function replyTo(bank: Bank, request: IncomingMessage): Promise<Reply> {
  const read = await readJson(request)
  if (!read) return failure('TOO_LARGE', 'the body is too large')
  const [path = '', query] = (request.url ?? '').split('?', 2)
  const key = request.headers['idempotency-key']
  return route(bank, {
    method: request.method ?? 'GET',
    path,
    query: new URLSearchParams(query),
    idempotencyKey: typeof key === 'string' ? key : null,
    body: read.body,
  })
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const message =
        error.code === 'EADDRINUSE'
          ? `Port ${port} is in use: another process listens on ${HOST}:${port}`
          : `The bank cannot listen on ${HOST}:${port}: ${error.message}`
      const code = error.code === 'EADDRINUSE' ? 'PORT_IN_USE' : 'INVALID_OPTION'
      reject(new BankNotStarted(code, message, { cause: error }))
    })
    server.listen(port, HOST, resolve)
  })
}

function stop(server: Server): Promise<void> {
  return new Promise(resolve => {
    server.close(() => {
      resolve()
    })
    server.closeAllConnections()
  })
}
