/** How a negative number is marked. A plus in front is always allowed. */
export type NegativeMark = 'leading-minus' | 'trailing-minus' | 'parentheses'

/** How numbers are written. */
export interface NumberFormat {
  readonly decimal: string
  /**
   * Between groups of three digits, which a number may also do without; null where there is none.
   */
  readonly thousands: string | null
  readonly negative: readonly NegativeMark[]
}

/** A number without its sign as a plain decimal number, `1234.50`. */
export interface PrintedNumber {
  readonly negative: boolean
  readonly decimal: string
}

/** What stands around the digits, and the mark that it is; null for no mark. */
const MARKS: ReadonlyMap<string, NegativeMark | null> = new Map([
  ['', null],
  ['+', null],
  ['-', 'leading-minus'],
  ['…-', 'trailing-minus'],
  ['(…)', 'parentheses'],
])

/**
 * A reader for numbers in a format. It gives null where a text is none: a separator that does not
 * stand between groups of three digits, a mark that the format does not know, two marks, no digit.
 */
export function numberReader(format: NumberFormat): (text: string) => PrintedNumber | null {
  const decimal = escape(format.decimal)
  const grouped = format.thousands === null ? '' : `|\\d{1,3}(?:${escape(format.thousands)}\\d{3})+`
  const digits = `(?<whole>\\d+${grouped})?(?:${decimal}(?<fraction>\\d+))?`
  const expression = new RegExp(`^(?<before>[-+(]?)(?=\\d|${decimal}\\d)${digits}(?<after>[-)]?)$`)
  return text => {
    const groups = expression.exec(text)?.groups
    if (groups === undefined) return null
    const { before = '', whole = '0', fraction, after = '' } = groups
    const mark = MARKS.get(after === '' ? before : `${before}…${after}`)
    if (mark === undefined || (mark !== null && !format.negative.includes(mark))) return null
    const integer = format.thousands === null ? whole : whole.replaceAll(format.thousands, '')
    return {
      negative: mark !== null,
      decimal: fraction === undefined ? integer : `${integer}.${fraction}`,
    }
  }
}

function escape(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
