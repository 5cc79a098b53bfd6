import { calendarDay } from '../dates.ts'

/** Makes a calendar day, `2026-11-30`, of a text in one format; null where it is none. */
export type DateReader = (text: string) => string | null

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** What a format is made of, and how it looks in a text. A time of day is read over. */
const TOKENS: Readonly<Record<string, string>> = {
  'hh:mm:ss': '\\d{2}:\\d{2}:\\d{2}',
  'hh:mm': '\\d{2}:\\d{2}',
  yyyy: '(?<yyyy>\\d{4})',
  yy: '(?<yy>\\d{2})',
  mmm: `(?<mmm>${MONTHS.join('|')})`,
  mm: '(?<mm>\\d{2})',
  m: '(?<mm>\\d{1,2})',
  dd: '(?<dd>\\d{2})',
  d: '(?<dd>\\d{1,2})',
}
const TOKEN = new RegExp(Object.keys(TOKENS).join('|'), 'g')

/**
 * A reader for days in a format such as `dd/mm/yyyy`, `yyyymmdd`, `d.m.yy`, `dd-mmm-yyyy` (English
 * months) or `yyyy-mm-dd hh:mm:ss`; `yy` is 2000 to 2099. Null where the format is not one: it must
 * have a year, a month and a day once each, and nothing else but separators.
 */
export function dateReader(format: string): DateReader | null {
  const lower = format.toLowerCase()
  const tokens = lower.match(TOKEN) ?? []
  const separators = lower.split(TOKEN)
  const kinds = tokens.map(token => token.charAt(0)).filter(kind => kind !== 'h')
  if (kinds.toSorted().join('') !== 'dmy') return null
  if (!separators.every(separator => /^(?:[^\p{L}\p{N}]*|t)$/u.test(separator))) return null
  const pattern = tokens.reduce(
    (made, token, index) => made + (TOKENS[token] ?? '') + literal(separators[index + 1]),
    literal(separators[0]),
  )
  const expression = new RegExp(`^${pattern}$`, 'i')
  return text => dayOf(expression.exec(text)?.groups)
}

function dayOf(groups: Record<string, string | undefined> | undefined): string | null {
  if (groups === undefined) return null
  const { yyyy, yy, mmm, mm, dd } = groups
  const year = yyyy ?? (yy === undefined ? undefined : `20${yy}`)
  const month = mm ?? String(MONTHS.indexOf(mmm?.toLowerCase() ?? '') + 1)
  return calendarDay(year, month, dd)
}

function literal(text = ''): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
