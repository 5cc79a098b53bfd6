import type { Answering } from './faults.ts'

/** What the bank answers to a request. */
export interface Reply {
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How it is delivered. */
  readonly answering: Answering
  /** For a late one. */
  readonly delayMs: number
}

/** Why an answer is no success. */
export type ErrorCode =
  | 'INVALID_REQUEST'
  | 'NOT_FOUND'
  | 'NO_SUCH_ROUTE'
  | 'IN_FLIGHT'
  | 'TOO_LARGE'
  | 'KEY_REUSED'
  | 'SIMULATED_FAULT'
  | 'INTERNAL_ERROR'

/** The HTTP status of each code. */
export const ERRORS: Readonly<Record<ErrorCode, number>> = {
  INVALID_REQUEST: 400,
  NOT_FOUND: 404,
  NO_SUCH_ROUTE: 404,
  IN_FLIGHT: 409,
  TOO_LARGE: 413,
  KEY_REUSED: 422,
  SIMULATED_FAULT: 500,
  INTERNAL_ERROR: 500,
}

/** A JSON answer; amounts in `value` are decimal strings. */
export function json(status: number, value: object, headers: Reply['headers'] = {}): Reply {
  return text(status, 'application/json', `${JSON.stringify(value)}\n`, headers)
}

/** An answer of another type. */
export function text(
  status: number,
  type: string,
  body: string,
  headers: Reply['headers'] = {},
): Reply {
  return { status, type, headers, body, answering: 'plain', delayMs: 0 }
}

/** An answer that is no success: it says nothing about whether money moved. */
export function failure(code: ErrorCode, message: string, more: object = {}): Reply {
  return json(ERRORS[code], { error: code, message, ...more })
}
