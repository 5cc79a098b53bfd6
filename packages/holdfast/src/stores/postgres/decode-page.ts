import type { Book } from '../../ledger/command.ts'
import type { Entry, Movement } from '../../ledger/movement.ts'
import type { Row } from './database.ts'
import { readMovement, textOrNull, type MovementJson } from './decode.ts'

/** Reads a page of entries, each column of which is one JSON array. */
export function decodeEntries(book: Book, row: Row): Entry[] {
  const read = <Value>(name: string) => column<Value>(row, name)
  const [account, version, key] = [
    read<string>('account'),
    read<string>('version'),
    read<string>('key'),
  ]
  const [part, posted, held] = [read<0 | 1>('part'), read<string>('posted'), read<string>('held')]
  const recorded = read<string>('recorded')
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
    column<MovementJson[Name]>(row, name)
  const [key, part, kind, legs] = [read('key'), read('part'), read('kind'), read('legs')]
  const [moved, amounts] = [column<string>(row, 'moved'), column<string | null>(row, 'amounts')]
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
function column<Value>(row: Row, name: string): readonly Value[] {
  return JSON.parse(textOrNull(row, name) ?? '[]') as Value[]
}

/** All columns of a page are equally long. */
function at<Value>(values: readonly Value[], index: number): Value {
  return values[index] as Value
}

/** The elements of an array of integers as Postgres prints it. */
function elements(array: string): string[] {
  return array === '{}' ? [] : array.slice(1, -1).split(',')
}
