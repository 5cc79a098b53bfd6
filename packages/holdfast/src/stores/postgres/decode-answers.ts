import { NO_DETAILS, type Answer, type Details } from '../../ledger/answer.ts'
import type { Row } from './database.ts'
import { text, textOrNull } from './decode.ts'

/** The answers of `apply_v1` to a list, in order. */
export function decodeAnswers(row: Row): Answer[] {
  const recorded = text(row, 'recorded')
  const moved = text(row, 'moved').split(';')
  const more = JSON.parse(textOrNull(row, 'more') ?? '[]') as (Details & { n: number })[]
  const details = new Map(more.map(each => [each.n, each]))
  return text(row, 'codes')
    .split(',')
    .map((code, index) => ({
      code,
      recorded,
      moved: (moved[index] ?? '').slice(1, -1).split(','),
      details: details.get(index + 1) ?? NO_DETAILS,
    }))
}
