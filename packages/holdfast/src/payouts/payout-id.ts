import { createHash } from 'node:crypto'
import type { Book } from '../ledger/command.ts'

const ID_LENGTH = 15
const ID = /^[A-Z0-9]{15}$/
const ID_IN_TEXT = /(?<![A-Za-z0-9])[A-Z0-9]{15}(?![A-Za-z0-9])/g

/**
 * The id of a payout: 15 characters of `A-Z0-9` out of the SHA-256 of the book and the request key.
 * It fits MT940 (16), NACHA (15) and a card descriptor (22), and the same request always gets it.
 */
export function payoutId(book: Book, requestKey: string): string {
  // JSON, because no two pairs may look alike once they stand side by side.
  const hash = createHash('sha256')
    .update(JSON.stringify([book, requestKey]))
    .digest('hex')
  const digits = (BigInt(`0x${hash}`) % 36n ** BigInt(ID_LENGTH)).toString(36)
  return digits.toUpperCase().padStart(ID_LENGTH, '0')
}

/** Whether a text has the form of a payout's id. */
export function isPayoutId(text: unknown): text is string {
  return typeof text === 'string' && ID.test(text)
}

/** What has the form of a payout's id and stands by itself in a text. */
export function payoutIdsIn(text: string): string[] {
  return text.match(ID_IN_TEXT) ?? []
}
