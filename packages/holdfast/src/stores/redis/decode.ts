import { NO_DETAILS, type Answer } from '../../ledger/answer.ts'
import type { AccountId, Book } from '../../ledger/command.ts'
import type { Account, Entry } from '../../ledger/movement.ts'
import type { Prepared } from '../../ledger/prepare.ts'
import { instantOfMs } from './instant-of-ms.ts'
import { movementJson } from './movement-text.ts'

/** A list of texts out of a reply; throws a TypeError for anything else. */
export function texts(reply: unknown): string[] {
  if (!Array.isArray(reply)) throw new TypeError('a list was expected of Redis')
  return reply.map(text)
}

export function text(reply: unknown): string {
  if (typeof reply !== 'string')
    throw new TypeError(`a text was expected of Redis, not ${typeof reply}`)
  return reply
}

function textOrNull(reply: unknown): string | null {
  return reply === null ? null : text(reply)
}

/** The parts of a reply that is a list of several things. */
export function parts(reply: unknown): readonly unknown[] {
  if (!Array.isArray(reply)) throw new TypeError('a list was expected of Redis')
  return reply
}

/** An account, `asset floor closed posted held version`; as of an entry, where one is given. */
export function decodeAccount(book: Book, id: AccountId, account: string, entry?: string): Account {
  const [asset = '', floor = '', closed, ...now] = account.split(' ')
  const [posted = '', held = '', version = ''] = entry?.split(' ') ?? now
  return {
    book,
    id,
    asset,
    floor: floor === '-' ? null : BigInt(floor),
    posted: BigInt(posted),
    held: BigInt(held),
    version: BigInt(version),
    closed: closed === '1',
  }
}

/** An entry, `posted held recorded part key`. */
export function decodeEntry(book: Book, account: AccountId, version: bigint, entry: string): Entry {
  const [posted = '', held = '', recorded = '', part, key = ''] = entry.split(' ')
  return {
    book,
    account,
    version,
    key,
    part: part === '1' ? 1 : 0,
    posted: BigInt(posted),
    held: BigInt(held),
    recorded: instantOfMs(recorded),
  }
}

/** The answers to a list, in order, out of what `apply` says after `OK`. */
export function decodeAnswers(
  book: Book,
  commands: readonly Prepared[],
  [recorded, codes, moved, ...more]: readonly unknown[],
): Answer[] {
  const at = instantOfMs(text(recorded))
  const movedTexts = text(moved).split(';')
  const details = new Map(more.map(parts).map(each => [Number(each[0]), each]))
  return text(codes)
    .split(',')
    .map((code, index) => {
      const answer = {
        code,
        recorded: at,
        moved: movedTexts[index] ? movedTexts[index].split(',') : [],
        details: NO_DETAILS,
      }
      const each = details.get(index)
      const command = commands[index]
      if (!each || !command) return answer
      const [, leg, account, available, asked, stored] = each
      const storedText = textOrNull(stored)
      return {
        ...answer,
        details: {
          leg: leg === null ? null : Number(leg),
          account: textOrNull(account),
          available: textOrNull(available),
          asked: textOrNull(asked) ?? askedOf(command, Number(leg)),
          stored: storedText === null ? null : movementJson(book, storedText),
        },
      }
    })
}

/** What a command asks of a leg, which may be more than a number of Redis can say. */
function askedOf(command: Prepared, leg: number): string | null {
  if (command.do === 'transfer' || command.do === 'hold')
    return command.legs[leg]?.atLeast.toString() ?? null
  return 'amounts' in command ? (command.amounts?.[leg]?.toString() ?? null) : null
}
