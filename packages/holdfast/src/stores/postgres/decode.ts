import type { Book } from '../../ledger/command.ts'
import type { Account, Entry, KeptLeg, Movement } from '../../ledger/movement.ts'
import { UnreadableMovement } from '../../ledger/store.ts'
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

/** A movement as `movement_json` writes it. */
export interface MovementJson extends Omit<Movement, 'legs' | 'moved' | 'amounts'> {
  readonly legs: readonly (Omit<KeptLeg, 'amount' | 'atLeast'> & {
    readonly amount: string
    readonly atLeast: string
  })[]
  readonly moved: readonly string[]
  readonly amounts: readonly string[] | null
}

/**
 * Reads the JSON of a movement; amounts are text in it, so no number is rounded. Throws an
 * {@link UnreadableMovement} for one that no list has written.
 */
export function decodeMovement(json: string): Movement {
  return readMovement(JSON.parse(json) as MovementJson)
}

/** As {@link decodeMovement}, of what was parsed already. */
export function readMovement(stored: MovementJson): Movement {
  try {
    const legs = stored.legs.map(({ from, to, asset, amount, atLeast }) => ({
      from: from.map(String),
      to,
      asset,
      amount: BigInt(amount),
      atLeast: BigInt(atLeast),
    }))
    return {
      ...stored,
      legs,
      moved: byLeg(legs, stored.moved),
      amounts: stored.amounts?.map(BigInt) ?? null,
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new UnreadableMovement(stored.book, stored.key, why)
  }
}

/** What moved is kept in one row, source after source. */
export function byLeg(legs: readonly KeptLeg[], moved: readonly string[]): bigint[][] {
  const sources = legs.reduce((count, leg) => count + leg.from.length, 0)
  if (moved.length !== sources)
    throw new RangeError(`moved has ${moved.length} amounts for ${sources} sources`)
  let next = 0
  return legs.map(leg => leg.from.map(() => BigInt(moved[next++] ?? 0)))
}
