import { Buffer } from 'node:buffer'
import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { decode, extendsAscii } from './decode.ts'
import { StatementRefused } from './statement-refused.ts'

/** No text, tag, comment or attribute is longer than this. */
const TOKEN_CHARACTERS_MAX = 1_048_576

/** Elements are not nested deeper than this; ISO 20022 needs about 20. */
const DEPTH_MAX = 64

/** What is kept of the document at one moment, in characters; an element itself counts as 64. */
const KEPT_CHARACTERS_MAX = 8_388_608
const CHARACTERS_AN_ELEMENT = 64

/** An element with what was kept of its inside. `name` is the local name, without the prefix. */
export interface XmlElement {
  readonly name: string
  readonly prefix: string
  readonly attributes: Readonly<Record<string, string>>
  readonly parent: XmlElement | null
  readonly children: readonly XmlElement[]
  readonly text: string
  readonly line: number
  readonly column: number
}

/** Who is told of elements while they go by, and makes something of them. */
export interface XmlHandler<Made> {
  /** An element begins; its attributes are known. */
  opened(element: XmlElement): void
  /** An element has ended and is whole. False means that its parent need not keep it. */
  closed(element: XmlElement): boolean
  /** Hands over what was made since the last time. */
  take(): readonly Made[]
}

interface Node extends XmlElement {
  readonly children: Node[]
  text: string
  /** Of this element and all that is kept inside it, in characters. */
  weight: number
}

/**
 * Reads XML strictly and in bounded memory: decodes it by its byte order mark or declaration, tells
 * the handler of each element, and yields what the handler makes of them. Throws a
 * {@link StatementRefused} for a DOCTYPE, for what is not well-formed or not whole, and past a
 * maximum. No entity is ever expanded but XML's own five and character references.
 */
export async function* readXml<Made>(
  chunks: AsyncIterable<Uint8Array>,
  handler: XmlHandler<Made>,
): AsyncGenerator<Made> {
  const document = new XmlDocument(handler)
  for await (const text of decode(chunks, declaredEncoding)) {
    document.write(text)
    yield* handler.take()
  }
  document.end()
  yield* handler.take()
}

/** The encoding that an XML declaration names, where it can be true; UTF-8 in all other cases. */
function declaredEncoding(head: Uint8Array): string {
  const text = Buffer.from(head).toString('latin1')
  const name = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)["']/.exec(text)?.[1]
  return name !== undefined && extendsAscii(name) ? name : 'utf-8'
}

/** Characters that XML does not know, and halves of surrogate pairs. */
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

class XmlDocument {
  readonly #parser = new SaxesParser()
  readonly #handler: XmlHandler<unknown>
  #open: Node | null = null
  #depth = 0
  #kept = 0
  #began = false
  #hasRoot = false
  /** Characters since the last whole token. */
  #pending = 0

  constructor(handler: XmlHandler<unknown>) {
    this.#handler = handler
    this.#parser.on('opentag', tag => {
      this.#opened(tag)
    })
    this.#parser.on('closetag', () => {
      this.#closed()
    })
    this.#parser.on('text', text => {
      this.#text(text)
    })
    this.#parser.on('cdata', text => {
      this.#text(text)
    })
    this.#parser.on('comment', () => (this.#pending = 0))
    this.#parser.on('doctype', () => this.#refuse('DOCTYPE'))
    this.#parser.on('error', error => this.#malformed(error))
  }

  write(text: string): void {
    const piece = this.#began ? text : this.#withoutBlankStart(text)
    this.#pending += piece.length
    this.#parser.write(piece.replace(NOT_IN_XML, '\ufffd'))
    if (this.#pending > TOKEN_CHARACTERS_MAX)
      this.#refuse(`a text or a tag of more than ${TOKEN_CHARACTERS_MAX} characters`)
  }

  end(): void {
    if (!this.#began) this.#refuse('empty file')
    if (!this.#hasRoot) this.#refuse('cut off: the XML ends before its first element')
    if (this.#open) this.#refuse('cut off: the XML ends inside an element')
    this.#parser.close()
  }

  /**
   * Blank lines before the XML declaration are a harmless oddity that the parser does not allow.
   */
  #withoutBlankStart(text: string): string {
    const rest = text.trimStart()
    this.#began = rest !== ''
    this.#parser.line += text.slice(0, text.length - rest.length).split('\n').length - 1
    return rest
  }

  #opened(tag: SaxesTagPlain): void {
    const colon = tag.name.indexOf(':')
    const attributes = Object.entries(tag.attributes)
    const node: Node = {
      name: tag.name.slice(colon + 1),
      prefix: tag.name.slice(0, Math.max(colon, 0)),
      attributes: tag.attributes,
      parent: this.#open,
      children: [],
      text: '',
      line: this.#parser.line,
      column: this.#parser.column,
      weight: attributes.reduce(
        (sum, [name, value]) => sum + name.length + value.length,
        CHARACTERS_AN_ELEMENT,
      ),
    }
    this.#pending = 0
    this.#hasRoot = true
    this.#open = node
    this.#depth += 1
    this.#keep(node.weight)
    if (this.#depth > DEPTH_MAX) this.#refuse(`elements nested deeper than ${DEPTH_MAX}`)
    this.#handler.opened(node)
  }

  #closed(): void {
    const node = this.#open
    if (node === null) return
    const parent = node.parent as Node | null
    this.#pending = 0
    const kept = this.#handler.closed(node) && parent !== null
    if (kept) {
      parent.children.push(node)
      parent.weight += node.weight
    } else this.#kept -= node.weight
    this.#open = parent
    this.#depth -= 1
  }

  #text(text: string): void {
    this.#pending = 0
    if (this.#open === null || text.trim() === '') return
    this.#open.text += text
    this.#open.weight += text.length
    this.#keep(text.length)
  }

  #keep(characters: number): void {
    this.#kept += characters
    if (this.#kept > KEPT_CHARACTERS_MAX)
      this.#refuse(`an element of more than ${KEPT_CHARACTERS_MAX} characters`)
  }

  #malformed(error: Error): never {
    const what = error.message.replace(/^[\d:]+ /, '').replace(/\.$/, '')
    if (what.includes('doctype')) this.#refuse('DOCTYPE')
    if (what === 'unexpected end') this.#refuse('cut off: the XML ends in the middle of something')
    return this.#refuse(
      this.#hasRoot || what !== 'text data outside of root node'
        ? `not well-formed XML: ${what}`
        : 'not an XML file',
    )
  }

  #refuse(why: string): never {
    const { line, column } = this.#parser
    const inside = this.#open === null ? '' : `, in ${pathOf(this.#open)}`
    throw new StatementRefused(why, `line ${line}, column ${column}${inside}`)
  }
}

/** The refusal of an element for what it says; `what` names it where its place alone does not. */
export function refusedAt(element: XmlElement, why: string, what?: string): StatementRefused {
  const place = `line ${element.line}, column ${element.column}, ${pathOf(element)}`
  return new StatementRefused(why, what === undefined ? place : `${what}, ${place}`)
}

function pathOf(element: XmlElement): string {
  return element.parent === null ? element.name : `${pathOf(element.parent)}/${element.name}`
}

/** The elements at a path of local names below an element, in the order of the file. */
export function elementsAt(element: XmlElement, ...path: readonly string[]): XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter(inner => inner.name === name)),
    [element],
  ) as XmlElement[]
}

/** The first child of each name on a path, one below the other, or null. */
export function elementAt(element: XmlElement, ...path: readonly string[]): XmlElement | null {
  let found: XmlElement | undefined = element
  for (const name of path) found = found?.children.find(inner => inner.name === name)
  return found ?? null
}

/** The child of a name that may stand there once, or null; a second one is refused. */
export function onlyChild(element: XmlElement, name: string): XmlElement | null {
  const [only, second] = element.children.filter(inner => inner.name === name)
  if (second) throw refusedAt(second, `a second ${name}`)
  return only ?? null
}

/** The text of an element without the blanks around it; null where there is none. */
export function textOf(element: XmlElement | null): string | null {
  const text = element?.text.trim() ?? ''
  return text === '' ? null : text
}

/** The first text at a path of local names, or null. */
export function textAt(element: XmlElement, ...path: readonly string[]): string | null {
  return textOf(elementAt(element, ...path))
}
