import type { Bank } from './bank.ts'
import { latest } from './book.ts'
import type { Payment } from './book.ts'
import { printCamt053 } from './camt053.ts'
import { csvMapping, printCsv } from './csv.ts'
import { FAULTS, readFault, readSeededFaults } from './faults.ts'
import { dayOf, isDay } from './instant.ts'
import { readInstruction } from './instruction.ts'
import { fieldsOf, isProblem } from './refusal.ts'
import { failure, json, text } from './reply.ts'
import type { Reply } from './reply.ts'
import { statementOf } from './statement.ts'
import { ledgerView, paymentView } from './views.ts'

/** A request as far as the bank looks at it. `body` is undefined where it is no JSON. */
export interface BankRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly idempotencyKey: string | null
  readonly body: unknown
}

/** Answers a request. The answer may be given once the bank's journal is durable. */
export function route(bank: Bank, request: BankRequest): Reply {
  const { method, path } = request
  const status = /^\/payments\/([^/]+)$/.exec(path)
  if (method === 'GET' && status) return getPayment(bank, status[1] ?? '')
  switch (`${method} ${path}`) {
    case 'POST /payments':
      return postPayment(bank, request)
    case 'GET /statement':
      return getStatement(bank, request.query)
    case 'GET /statement/csv-mapping':
      return json(200, csvMapping)
    case 'POST /faults':
      return postFaults(bank, request.body)
    case 'DELETE /faults':
      bank.clearFaults()
      return json(200, { cleared: true })
    case 'POST /advance':
      return postAdvance(bank, request.body)
    case 'GET /ledger':
      bank.tick()
      return json(200, ledgerView(bank.book))
    case 'GET /health':
      return json(200, { status: 'ok' })
    default:
      return failure('NO_SUCH_ROUTE', `There is no ${method} ${path}`)
  }
}

function postPayment(bank: Bank, request: BankRequest): Reply {
  const instruction = readInstruction(request.body)
  if (isProblem(instruction)) return failure('INVALID_REQUEST', instruction.problem)
  const { id } = instruction
  if (request.idempotencyKey !== id) {
    return failure('INVALID_REQUEST', 'the header Idempotency-Key must be the id of the payment')
  }
  const { payment, replayed, keyReused, fault } = bank.receive(instruction)
  if (keyReused) {
    return failure('KEY_REUSED', 'this id was used before for a payment that differs', { id })
  }
  // A fault that leaves the money alone never answers, so what stands here is not seen.
  const plain = payment
    ? sendReply(payment, replayed)
    : failure('SIMULATED_FAULT', 'not taken', { id })
  if (!fault) return plain
  return { ...plain, answering: FAULTS[fault.kind].answer, delayMs: fault.delayMs ?? 0 }
}

function sendReply(payment: Payment, replayed: boolean): Reply {
  const view = paymentView(payment)
  if (view.status === 'processing' && payment.shows === 'conflict') {
    return failure('IN_FLIGHT', 'a request with this key is in flight', { id: view.id })
  }
  const headers = replayed ? { 'idempotent-replayed': 'true' } : {}
  return json(view.status === 'refused' ? 422 : 201, view, headers)
}

function getPayment(bank: Bank, id: string): Reply {
  bank.tick()
  const payment = latest(bank.book, id)
  const hidden = payment?.state === 'working' && payment.shows === 'not-found'
  if (payment && !hidden) return json(200, paymentView(payment))
  return failure('NOT_FOUND', 'the bank knows no payment with this id', { id })
}

function getStatement(bank: Bank, query: URLSearchParams): Reply {
  const now = bank.tick()
  const date = query.get('date') ?? dayOf(now)
  const format = query.get('format') ?? 'camt053'
  if (!isDay(date)) return failure('INVALID_REQUEST', 'date must be a day, 2026-11-30')
  if (format !== 'camt053' && format !== 'csv') {
    return failure('INVALID_REQUEST', 'format must be camt053 or csv')
  }
  const statement = statementOf(bank.book, date, now)
  if (!statement) {
    const opened = dayOf(bank.book.openedAt)
    return failure('NOT_FOUND', `there are statements from ${opened} to ${dayOf(now)}`)
  }
  return format === 'csv'
    ? text(200, 'text/csv; charset=utf-8; header=present', printCsv(statement))
    : text(200, 'application/xml; charset=utf-8', printCamt053(statement))
}

function postFaults(bank: Bank, body: unknown): Reply {
  if (fieldsOf(body)?.['seed'] !== undefined) {
    const seeded = readSeededFaults(body)
    if (isProblem(seeded)) return failure('INVALID_REQUEST', seeded.problem)
    bank.setSeeded(seeded)
    return json(200, seeded)
  }
  const read = readFault(body)
  if (isProblem(read)) return failure('INVALID_REQUEST', read.problem)
  bank.setFault(read.id, read.fault)
  return json(200, { id: read.id, ...read.fault })
}

function postAdvance(bank: Bank, body: unknown): Reply {
  const id = fieldsOf(body)?.['id'] ?? null
  if (id !== null && typeof id !== 'string') {
    return failure('INVALID_REQUEST', 'id must be the id of a payment')
  }
  const before = bank.book.lines.length
  bank.advance(id)
  return json(200, { lines: bank.book.lines.slice(before).map(line => line.reference) })
}
