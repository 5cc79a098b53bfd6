/** How many problems of one input are printed; the rest is counted. */
const PROBLEMS_SHOWN_MAX = 100

/**
 * Thrown for what the user can put right: an option, a file, a row. Each problem is one line that
 * names the place and the rule. Ends the command with exit code 2 before anything has been done.
 */
export class BadInput extends Error {
  override readonly name: string = 'BadInput'

  constructor(problems: string | readonly string[]) {
    const all = typeof problems === 'string' ? [problems] : problems
    const shown = all.slice(0, PROBLEMS_SHOWN_MAX)
    const more = all.length - shown.length
    super([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
  }
}
