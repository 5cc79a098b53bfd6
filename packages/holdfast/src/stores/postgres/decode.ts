import type { Book } from '../../ledger/command.ts'
import type { Account, Entry } from '../../ledger/movement.ts'
import type { Row } from './database.ts'

/**
 * Every statement gives text, small integers and booleans only, so that a row reads the same
 * through pg, PGlite, Kysely and Drizzle, whatever parsers the caller has set.
 */
export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string')
    throw new TypeError(`column ${column}: text was expected, not ${typeof value}`)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : text(row, column)
}

export function bigintOrNull(row: Row, column: string): bigint | null {
  const value = textOrNull(row, column)
  return value === null ? null : BigInt(value)
}

export function decodeAccount(book: Book, row: Row): Account {
  return {
    book,
    id: text(row, 'id'),
    asset: text(row, 'asset'),
    floor: bigintOrNull(row, 'floor'),
    posted: BigInt(text(row, 'posted')),
    held: BigInt(text(row, 'held')),
    version: BigInt(text(row, 'version')),
    closed: row['closed'] === true,
  }
}

export function decodeEntry(book: Book, row: Row): Entry {
  return {
    book,
    account: text(row, 'account'),
    version: BigInt(text(row, 'version')),
    key: text(row, 'key'),
    part: row['part'] === 1 ? 1 : 0,
    posted: BigInt(text(row, 'posted')),
    held: BigInt(text(row, 'held')),
    recorded: text(row, 'recorded'),
  }
}
