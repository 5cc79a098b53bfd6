import type { Book } from '../../ledger/command.ts'
import type { Entry, Movement } from '../../ledger/movement.ts'
import type { Row } from './database.ts'
import { readMovement, type MovementJson } from '../../ledger/stored-movement.ts'
import { textOrNull } from './decode.ts'

/** Reads a page of entries, each column of which is one JSON array. */
export function decodeEntries(book: Book, row: Row): Entry[] {
  const read = (name: string) => column(row, name) as readonly string[]
  const [account, version, key] = [read('account'), read('version'), read('key')]
  const [posted, held, recorded] = [read('posted'), read('held'), read('recorded')]
  const part = column(row, 'part') as readonly Entry['part'][]
  return account.map((_, index) => ({
    book,
    account: at(account, index),
    version: BigInt(at(version, index)),
    key: at(key, index),
    part: at(part, index),
    posted: BigInt(at(posted, index)),
    held: BigInt(at(held, index)),
    recorded: at(recorded, index),
  }))
}

/** Reads a page of movements, as {@link readMovement} does each of them. */
export function decodeMovements(book: Book, row: Row): Movement[] {
  const read = <Name extends keyof MovementJson>(field: Name, name: string = field) =>
    column(row, name) as readonly MovementJson[Name][]
  const [key, part, kind, legs] = [read('key'), read('part'), read('kind'), read('legs')]
  const moved = column(row, 'moved') as readonly string[]
  const amounts = column(row, 'amounts') as readonly (string | null)[]
  const [of, replaces, effective] = [read('of'), read('replaces'), read('effective')]
  const [meta, reason, recorded] = [read('meta'), read('reason'), read('recorded')]
  const [expiresInMs, mayOwe] = [read('expiresInMs', 'expires_in_ms'), read('mayOwe', 'may_owe')]
  return key.map((_, index) => {
    const asked = at(amounts, index)
    return readMovement({
      book,
      key: at(key, index),
      part: at(part, index),
      kind: at(kind, index),
      legs: at(legs, index),
      moved: elements(at(moved, index)),
      of: at(of, index),
      replaces: at(replaces, index),
      amounts: asked === null ? null : elements(asked),
      expiresInMs: at(expiresInMs, index),
      effective: at(effective, index),
      mayOwe: at(mayOwe, index),
      meta: at(meta, index),
      reason: at(reason, index),
      recorded: at(recorded, index),
    })
  })
}

/** A column of a page; of one without rows there is nothing. */
function column(row: Row, name: string): readonly unknown[] {
  return JSON.parse(textOrNull(row, name) ?? '[]') as unknown[]
}

/** All columns of a page are equally long. */
function at<Value>(values: readonly Value[], index: number): Value {
  return values[index] as Value
}

/** The elements of an array of integers as Postgres prints it. */
function elements(array: string): string[] {
  return array === '{}' ? [] : array.slice(1, -1).split(',')
}
