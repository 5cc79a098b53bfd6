/** A column of a table: its title, and on which side its cells stand. */
export interface Column {
  readonly title: string
  readonly right?: true
}

/** Lays out rows under their titles, columns two spaces apart. Cells are made {@link printable}. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map(column => column.title)
  const lines = [titles, ...rows].map(row => row.map(printable))
  const widths = columns.map((_, at) =>
    lines.reduce((widest, line) => Math.max(widest, line[at]?.length ?? 0), 0),
  )
  return lines
    .map(line =>
      line
        .map((cell, at) =>
          columns[at]?.right ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Control characters, line separators, and what turns the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A text from a file or a bank as it may stand on a terminal. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\ufffd')
}
