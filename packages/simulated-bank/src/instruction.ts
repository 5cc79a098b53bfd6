import { isPrintable } from './account.ts'
import type { Account } from './account.ts'
import { fieldsOf } from './refusal.ts'
import type { Problem } from './refusal.ts'

/** What the bank is asked to pay. */
export interface Instruction {
  readonly id: string
  /** In minor units of the currency. */
  readonly amount: bigint
  readonly currency: string
  /** Digits after the point that the caller counts with; null where the caller does not say. */
  readonly scale: number | null
  readonly payeeName: string
  /** An IBAN, or any other account id. */
  readonly destination: string
  /** Comes back on the statement as `EndToEndId`. */
  readonly endToEndId: string
}

/** An instruction as JSON carries it: the amount as a decimal string. */
export type InstructionRecord = Omit<Instruction, 'amount'> & { readonly amount: string }

/** Fits `Max35Text` of ISO 20022 and needs no escape in a URL. */
const ID = /^[A-Za-z0-9._:-]{1,35}$/
const AMOUNT = /^[1-9]\d{0,39}$/
/** What an amount may have in ISO 20022. */
const DIGITS_MAX = 18

/** Reads the body of `POST /payments`, or says which field is wrong. */
export function readInstruction(body: unknown): Instruction | Problem {
  const fields = fieldsOf(body)
  if (!fields) return { problem: 'the body must be a JSON object' }
  const { id, amount, currency, payeeName, destination, endToEndId } = fields
  const scale = fields['scale'] ?? null
  if (!isText(id) || !ID.test(id)) return { problem: 'id must be 1 to 35 of A-Z a-z 0-9 . _ : -' }
  if (!isText(amount) || !AMOUNT.test(amount)) {
    return { problem: 'amount must be a string of digits, in minor units, above 0' }
  }
  if (!isText(currency)) return { problem: 'currency must be a string' }
  if (scale !== null && typeof scale !== 'number') return { problem: 'scale must be a number' }
  if (!isText(payeeName)) return { problem: 'payeeName must be a string' }
  if (!isText(destination)) return { problem: 'destination must be a string' }
  if (!isText(endToEndId)) return { problem: 'endToEndId must be a string' }
  return { id, amount: BigInt(amount), currency, scale, payeeName, destination, endToEndId }
}

/** Why the bank cannot pay this, or null. Such a refusal proves that no money moved. */
export function refusalOf(account: Account, instruction: Instruction): string | null {
  const { amount, currency, scale, payeeName, destination, endToEndId } = instruction
  if (currency !== account.currency) return `the account holds ${account.currency}`
  if (scale !== null && scale !== account.scale) {
    return `${currency} has ${account.scale} digits after the point, not ${scale}`
  }
  if (String(amount).length > DIGITS_MAX) return `amount has more than ${DIGITS_MAX} digits`
  if (!isPrintable(payeeName, 140)) return 'payeeName must be 1 to 140 printable characters'
  if (!isPrintable(destination, 34)) return 'destination must be 1 to 34 printable characters'
  if (!isPrintable(endToEndId, 35)) return 'endToEndId must be 1 to 35 printable characters'
  return null
}

/** The form in which an instruction is kept and compared. */
export function toRecord(instruction: Instruction): InstructionRecord {
  return { ...instruction, amount: String(instruction.amount) }
}

/** The instruction that was kept. */
export function fromRecord(record: InstructionRecord): Instruction {
  return { ...record, amount: BigInt(record.amount) }
}

/** Whether two instructions under one key ask for the same. */
export function isSame(one: Instruction, other: Instruction): boolean {
  return (
    one.id === other.id &&
    one.amount === other.amount &&
    one.currency === other.currency &&
    one.scale === other.scale &&
    one.payeeName === other.payeeName &&
    one.destination === other.destination &&
    one.endToEndId === other.endToEndId
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
