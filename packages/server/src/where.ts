import { isName, NAME_RULE, type Book } from 'holdfast'
import type { Command } from 'commander'
import { BadInput } from './bad-input.ts'

/** Where the books are kept when nobody says: a folder in the current one. */
export const DEFAULT_FOLDER = '.holdfast'
/** Says where the books are, when no option does. */
const URL_VARIABLE = 'HOLDFAST_DATABASE_URL'

/** Where the books are: in this process only, in a folder (embedded), or on a Postgres server. */
export type Where =
  | { readonly kind: 'memory' }
  | { readonly kind: 'folder'; readonly folder: string }
  | { readonly kind: 'server'; readonly url: string }

/** The options that say where the books are, as the command line gives them. */
export interface WhereOptions {
  readonly data?: string
  readonly databaseUrl?: string
  readonly memory?: true
  readonly schema?: string
}

/** The options of every command that works on one book. */
export interface BookOptions extends WhereOptions {
  readonly book: Book
  readonly json?: true
}

/** Adds the options that say where the books are. */
export function withWhere(command: Command): Command {
  return command
    .option('--data <dir>', `books in a folder, embedded (default: ${DEFAULT_FOLDER})`)
    .option('--database-url <url>', `books on a Postgres server (or ${URL_VARIABLE})`)
    .option('--memory', 'books in this process only, to try things')
    .option('--schema <name>', 'the schema of the database (default: holdfast)')
}

/** Adds the options of every command that works on one book. */
export function withBook(command: Command): Command {
  return withWhere(command)
    .option('--book <name>', 'the book', readBook, 'main')
    .option('--json', 'machine-readable output, one JSON object a line')
}

/** Reads where the books are. An option goes before the environment. Throws {@link BadInput}. */
export function readWhere(options: WhereOptions): Where {
  const { data, databaseUrl, memory } = options
  const given = [data, databaseUrl, memory].filter(option => option !== undefined)
  if (given.length > 1)
    throw new BadInput('--data, --database-url and --memory: only one of them can be given')
  if (memory) return { kind: 'memory' }
  if (data !== undefined) return { kind: 'folder', folder: readFolder(data) }
  if (databaseUrl !== undefined) return { kind: 'server', url: readDatabaseUrl(databaseUrl) }
  const fromEnvironment = process.env[URL_VARIABLE]
  if (fromEnvironment) return { kind: 'server', url: readUrl(URL_VARIABLE, fromEnvironment) }
  return { kind: 'folder', folder: DEFAULT_FOLDER }
}

/** Reads the name of a book. Throws {@link BadInput}. */
export function readBook(name: string): Book {
  if (!isName(name)) throw new BadInput(`--book: ${NAME_RULE}`)
  return name
}

function readFolder(folder: string): string {
  if (folder === '' || folder.includes('\0')) throw new BadInput('--data: the path of a folder')
  return folder
}

/** Reads the URL of a Postgres server. Throws {@link BadInput}. */
export function readDatabaseUrl(text: string): string {
  return readUrl('--database-url', text)
}

function readUrl(option: string, text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text))
    throw new BadInput(`${option}: a URL that begins with postgres://`)
  return text
}
