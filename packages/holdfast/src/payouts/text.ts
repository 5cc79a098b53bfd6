import { REASON_CHARS_MAX } from './limits.ts'

/** Control characters, line and paragraph separators, and halves of surrogate pairs. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u
const UNPRINTABLE_ALL = new RegExp(UNPRINTABLE, 'gu')

/** Whether a text has 1 to `charsMax` printable characters, not all of them space. */
export function isPrintable(text: unknown, charsMax: number): text is string {
  return (
    typeof text === 'string' &&
    text.trim() !== '' &&
    text.length <= charsMax &&
    !UNPRINTABLE.test(text)
  )
}

/** What a gateway said, made fit to be kept: printable, and not longer than a reason may be. */
export function cleanText(text: string): string {
  return Array.from(text.slice(0, 2 * REASON_CHARS_MAX).replaceAll(UNPRINTABLE_ALL, '?'))
    .slice(0, REASON_CHARS_MAX)
    .join('')
}
