import { readFileSync } from 'node:fs'

/** The schema that everything lives in where no other is named. */
export const DEFAULT_SCHEMA = 'holdfast'

const IDENTIFIER = /^[a-z_][a-z0-9_]{0,62}$/

const texts: Map<string, string> = new Map()

/** Whether a text can name a schema or a role here: 1 to 63 of `a-z0-9_`, no digit first. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER.test(text)
}

/**
 * The text of a .sql file with `{schema}` replaced by the name of the schema. A schema's name is
 * 1 to 63 of `a-z0-9_` and does not begin with a digit; throws a RangeError for any other.
 */
export function loadSql(file: URL, schema: string): string {
  if (!isIdentifier(schema))
    throw new RangeError(`schema: 1 to 63 of a-z0-9_, not beginning with a digit: ${schema}`)
  const text = texts.get(file.href) ?? readFileSync(file, 'utf8')
  texts.set(file.href, text)
  return text.replaceAll('{schema}', `"${schema}"`)
}

/**
 * As {@link loadSql}, for files of one statement each, by name. Lines of comment are left out: they
 * name `$1`, `$2`, ... too and would mislead the toolkits that look for them.
 */
export function loadStatements<Name extends string>(
  folder: URL,
  names: readonly Name[],
  schema: string,
): Readonly<Record<Name, string>> {
  const texts = names.map(name => {
    const text = loadSql(new URL(`${name}.sql`, folder), schema)
    return [name, text.replaceAll(/^\s*--.*\n/gm, '')]
  })
  return Object.fromEntries(texts) as Record<Name, string>
}
