/** Why a bank could not be started. */
export type NotStartedCode =
  'INVALID_OPTION' | 'PORT_IN_USE' | 'FILE_UNUSABLE' | 'FILE_DAMAGED' | 'ACCOUNT_DIFFERS'

/** Thrown by `startBank`: the message is one sentence for a person. */
export class BankNotStarted extends Error {
  override readonly name: string = 'BankNotStarted'
  readonly code: NotStartedCode
  constructor(code: NotStartedCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** A request that the bank does not understand: a code and one sentence that names the field. */
export interface Problem {
  readonly problem: string
}

/** Whether a reader found a problem instead of a value. */
export function isProblem(value: object): value is Problem {
  return 'problem' in value
}

/** The fields of a JSON object; null where the value is none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return value as Record<string, unknown>
}
