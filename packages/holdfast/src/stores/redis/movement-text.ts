import type { Book } from '../../ledger/command.ts'
import type { KeptLeg, Movement, MovementKind } from '../../ledger/movement.ts'
import type { MovementJson } from '../../ledger/stored-movement.ts'
import { UnreadableMovement } from '../../ledger/store.ts'
import { bigintAsText } from '../../ledger/wire.ts'
import { instantOfMs } from './instant-of-ms.ts'

/** What only some kinds of movement have; kept where it is not null and not false. */
export type MovementFields = Partial<
  Pick<Movement, 'of' | 'replaces' | 'amounts' | 'effective' | 'mayOwe' | 'meta' | 'reason'>
>

/** A leg as Redis keeps it: sources, receiver, asset, amount, at least. */
type LegText = [from: string[], to: string, asset: string, amount: string, atLeast: string]

/** The fields of a movement as a line of JSON. */
export function fieldsText(fields: MovementFields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== null && value !== false)
  return given.length === 0 ? '{}' : JSON.stringify(Object.fromEntries(given), bigintAsText)
}

/** The legs of a movement as a line of JSON; names have nothing in them that JSON escapes. */
export function legsText(legs: readonly KeptLeg[]): string {
  const each = legs.map(({ from, to, asset, amount, atLeast }) => {
    const sources = from.map(source => `"${source}"`).join()
    return `[[${sources}],"${to}","${asset}","${amount}","${atLeast}"]`
  })
  return `[${each.join()}]`
}

const KINDS: readonly string[] = [
  'transfer',
  'hold',
  'settle',
  'release',
  'reverse',
] satisfies MovementKind[]

/**
 * Reads the text of a movement: its kind, when it was recorded, when it expires, its key and part,
 * and in further lines what moved, the fields and the legs. Throws an {@link UnreadableMovement} for
 * one that no list has written.
 */
export function movementJson(book: Book, text: string): MovementJson {
  const [head = '', moved = '', fields = '{}', legs = '[]'] = text.split('\n')
  const [kind = '', recorded = '', expires = '', key = '', part = ''] = head.split(' ')
  if (!KINDS.includes(kind)) throw new UnreadableMovement(book, key, `no kind: ${kind}`)
  try {
    return {
      of: null,
      replaces: null,
      amounts: null,
      effective: null,
      mayOwe: false,
      meta: null,
      reason: null,
      ...(JSON.parse(fields) as Partial<MovementJson>),
      book,
      key,
      part: part === '1' ? 1 : 0,
      kind: kind as MovementKind,
      legs: (JSON.parse(legs) as LegText[]).map(([from, to, asset, amount, atLeast]) => ({
        from,
        to,
        asset,
        amount,
        atLeast,
      })),
      moved: moved === '' ? [] : moved.split(','),
      expiresInMs: expires === '-' ? null : Number(expires),
      recorded: instantOfMs(recorded),
    }
  } catch (error) {
    throw new UnreadableMovement(book, key, String(error))
  }
}
