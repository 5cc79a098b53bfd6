import type { Reference } from './statement.ts'

/**
 * What banks print where there is no reference; ISO 20022 and SWIFT demand that something stands
 * there.
 */
const MEANINGLESS: ReadonlySet<string> = new Set(['NOTPROVIDED', 'NONREF'])

/** A reference's name and what was printed, null or empty where nothing was. */
export type NamedReference = readonly [name: string, text: string | null]

/**
 * Gathers references by name, in the order in which they come: those that are there and mean
 * something, each text once. One is a text, several are a list; a name in `lists` always is a list.
 */
export function gatherReferences(
  named: Iterable<NamedReference>,
  lists: ReadonlySet<string> = new Set(),
): Record<string, Reference> {
  const gathered = new Map<string, Set<string>>()
  for (const [name, text] of named) {
    if (text === null || text.trim() === '' || MEANINGLESS.has(text.trim().toUpperCase())) continue
    const texts = gathered.get(name)
    if (texts === undefined) gathered.set(name, new Set([text]))
    else texts.add(text)
  }
  return Object.fromEntries(
    Array.from(gathered, ([name, texts]) => {
      const [only, second] = texts
      return [
        name,
        only !== undefined && second === undefined && !lists.has(name) ? only : [...texts],
      ]
    }),
  )
}
