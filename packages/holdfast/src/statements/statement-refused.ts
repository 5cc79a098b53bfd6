/**
 * Thrown by a reader: the file is refused whole. `why` is the reason in a few words; `place` is
 * where in the file (a line and an element, a row and a column), null where it is the file as a
 * whole; `format` is what the file was taken for, null where it never said.
 */
export class StatementRefused extends Error {
  override readonly name: string = 'StatementRefused'
  readonly why: string
  readonly place: string | null
  readonly format: string | null

  constructor(why: string, place: string | null, format: string | null = null) {
    super(place === null ? why : `${why} (${place})`)
    this.why = why
    this.place = place
    this.format = format
  }
}

/** A refusal again, with the format of the file; any other error as it is. */
export function withFormat(error: unknown, format: string | null): unknown {
  if (!(error instanceof StatementRefused)) return error
  return new StatementRefused(error.why, error.place, format)
}
