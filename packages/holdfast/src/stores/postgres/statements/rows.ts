import type { Allocation } from '../../../reconciliation/allocation.ts'
import { FINDING_KINDS, type Finding } from '../../../reconciliation/finding.ts'
import type {
  AcceptedStatement,
  MatchCursor,
  MatchedPayout,
  PlaceSum,
  UnpostedReturn,
} from '../../../reconciliation/ports.ts'
import type { Row } from '../database.ts'
import { bigintOrNull, text, textOrNull } from '../decode.ts'

export function decodeStatement(row: Row): AcceptedStatement {
  return {
    intake: text(row, 'intake'),
    hash: text(row, 'hash'),
    number: Number(row['number']),
    id: textOrNull(row, 'id'),
    account: textOrNull(row, 'account'),
    lines: Number(row['lines']),
    bookedLines: Number(row['booked_lines']),
    firstDay: textOrNull(row, 'first_day'),
    lastDay: textOrNull(row, 'last_day'),
    day: textOrNull(row, 'day'),
    opening: bigintOrNull(row, 'opening'),
    closing: bigintOrNull(row, 'closing'),
    closingBefore: bigintOrNull(row, 'closing_before'),
    accepted: text(row, 'accepted'),
    final: row['final'] === true,
    posted: row['posted'] === true,
    books: bigintOrNull(row, 'books'),
  }
}

/** Null where all lines have been matched. */
export function decodeProgress(row: Row): MatchCursor | null {
  if (row['matched'] === true) return null
  return {
    sweep: text(row, 'matched_sweep') as MatchCursor['sweep'],
    line: Number(row['matched_line']),
  }
}

export function decodeMatchedPayout(row: Row): MatchedPayout {
  return {
    payout: text(row, 'payout'),
    paid: row['paid'] === true,
    returned: BigInt(text(row, 'returned')),
  }
}

const PLACES = ['clearing', 'fees', 'suspense'] as const

export function decodeUnpostedReturn(row: Row): UnpostedReturn {
  return {
    place: {
      intake: text(row, 'intake'),
      statement: Number(row['statement']),
      line: Number(row['line']),
      detail: Number(row['detail']),
    },
    hash: text(row, 'hash'),
    matched: { payout: text(row, 'payout'), paid: false, returned: BigInt(text(row, 'returned')) },
    sums: PLACES.map(place => ({ place, books: BigInt(text(row, place)) })),
  }
}

export function decodeSum(row: Row): PlaceSum {
  return {
    place: text(row, 'place') as Allocation['place'],
    role: textOrNull(row, 'role') as Allocation['role'],
    books: BigInt(text(row, 'books')),
    bank: BigInt(text(row, 'bank')),
    booksCount: Number(row['books_count']),
    bankCount: Number(row['bank_count']),
  }
}

export function decodeFinding(row: Row): Finding {
  const kind = FINDING_KINDS.find(each => each === row['kind'])
  if (!kind) throw new Error(`There is no finding ${String(row['kind'])}`)
  return {
    kind,
    place: {
      hash: text(row, 'hash'),
      statement: Number(row['statement']),
      line: Number(row['line']),
      detail: Number(row['detail']),
    },
    payout: text(row, 'payout') || null,
    named: JSON.parse(text(row, 'named')) as string[],
    books: bigintOrNull(row, 'books'),
    bank: bigintOrNull(row, 'bank'),
  }
}
