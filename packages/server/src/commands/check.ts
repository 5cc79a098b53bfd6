import { check as prove, toWireJson, type Book, type Difference, type Store } from 'holdfast'
import { counted } from '../counted.ts'
import { requireBook } from '../existing-book.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { ProgressLine } from '../progress.ts'
import type { Register } from '../run.ts'
import { printable } from '../table.ts'
import { readBook, withWhere, type WhereOptions } from '../where.ts'
import { openLedgers } from '../wiring.ts'

interface CheckOptions extends WhereOptions {
  readonly book?: Book
  readonly json?: true
}

/** `holdfast check`: re-proves every invariant of the books from their movements and entries. */
export const registerCheck: Register = (program, run) => {
  withWhere(program.command('check'))
    .description('Re-prove the invariants from movements and entries')
    .option('--book <name>', 'only this book (default: all)', readBook)
    .option('--json', 'machine-readable output, one JSON object a line')
    .action((options: CheckOptions) => run(io => check(options, io)))
}

async function check(options: CheckOptions, io: Io): Promise<ExitCode> {
  const ledgers = await openLedgers(options, { create: false })
  try {
    const { store } = ledgers
    if (options.book !== undefined) await requireBook(store, options.book)
    const books = options.book === undefined ? await store.books() : [options.book]
    let differences = 0
    for (const book of books) differences += await checkBook(store, book, options, io)
    if (books.length === 0) io.note('There are no books')
    return differences === 0 ? EXIT.clean : EXIT.findings
  } finally {
    await ledgers.close()
  }
}

/** Prints the differences of a book as they are found, and a line about all of it. */
async function checkBook(
  store: Store,
  book: Book,
  { json }: CheckOptions,
  io: Io,
): Promise<number> {
  const counts = { accounts: 0, movements: 0, entries: 0 }
  let differences = 0
  const progress = new ProgressLine(io)
  const found = prove(store, book, ({ reading, count }) => {
    if (reading !== 'differences') counts[reading] = count
    progress.show(() => `${book}: ${reading}: ${count}`)
  })
  for await (const difference of found) {
    differences += 1
    await io.print(json ? toWireJson({ book, ...difference }) : inWords(book, difference))
  }
  progress.end()
  const { accounts, movements, entries } = counts
  const read = [
    counted(accounts, 'account'),
    counted(movements, 'movement'),
    counted(entries, 'entry', 'entries'),
  ].join(', ')
  const result = differences === 0 ? 'no difference' : counted(differences, 'difference')
  await io.print(
    json ? JSON.stringify({ book, ...counts, differences }) : `${book}: ${read}: ${result}`,
  )
  return differences
}

function inWords(book: Book, { code, message, expected, found }: Difference): string {
  const values =
    expected === undefined && found === undefined
      ? ''
      : ` (expected ${expected ?? 'nothing'}, found ${found ?? 'nothing'})`
  return printable(`${book}: ${code}: ${message}${values}`)
}
