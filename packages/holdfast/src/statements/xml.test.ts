import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { StatementRefused } from './statement-refused.ts'
import { elementAt, elementsAt, readXml, textAt, type XmlElement, type XmlHandler } from './xml.ts'

/** Keeps the whole document and hands over its root. */
class Whole implements XmlHandler<XmlElement> {
  readonly #roots: XmlElement[] = []
  readonly #keep: boolean
  constructor(keep: boolean) {
    this.#keep = keep
  }
  opened(): void {
    return
  }
  closed(element: XmlElement): boolean {
    if (element.parent === null) this.#roots.push(element)
    return this.#keep
  }
  take(): XmlElement[] {
    return this.#roots.splice(0)
  }
}

async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size)
    yield await Promise.resolve(bytes.subarray(start, start + size))
}

async function listOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const list: Item[] = []
  for await (const item of items) list.push(item)
  return list
}

async function root(xml: string | Uint8Array, size = 7, keep = true): Promise<XmlElement> {
  const chunks = inChunks(typeof xml === 'string' ? Buffer.from(xml) : xml, size)
  const [element] = await listOf(readXml(chunks, new Whole(keep)))
  if (element === undefined) throw new Error('no root')
  return element
}

async function refusal(xml: string, size = 65_536, keep = true): Promise<StatementRefused> {
  const error = await root(xml, size, keep).catch((thrown: unknown) => thrown)
  if (error instanceof StatementRefused) return error
  throw new Error('not refused', { cause: error })
}

describe('readXml', () => {
  test('gives elements by local name, with text and attributes', async () => {
    const element = await root(
      '<?xml version="1.0"?>\n<n:a xmlns:n="urn:x">\n <b Ccy="EUR"> 1<![CDATA[<2>]]>&amp;&#65; </b><n:b>3</n:b></n:a>',
    )
    expect(element).toMatchObject({ name: 'a', prefix: 'n', line: 2 })
    expect(elementsAt(element, 'b').map(b => b.text)).toEqual([' 1<2>&A ', '3'])
    expect(elementAt(element, 'b')?.attributes['Ccy']).toBe('EUR')
    expect(textAt(element, 'b')).toBe('1<2>&A')
    expect(textAt(element, 'c', 'd')).toBeNull()
  })

  test.each([
    ['windows-1252', 'windows-1252', '€'],
    ['ISO-8859-1', 'latin1', 'é'],
    ['UTF-8', 'utf-8', '日本'],
    ['a declaration of UTF-16 on a file that is not', 'utf-8', 'é'],
    ['an encoding that nobody knows', 'utf-8', 'é'],
  ])('decodes %s', async (declared, actual, text) => {
    const name = declared.startsWith('a declaration') ? 'UTF-16' : declared.replaceAll(' ', '-')
    const { default: iconv } = await import('iconv-lite')
    const xml = iconv.encode(`<?xml version="1.0" encoding="${name}"?><a>${text}</a>`, actual)
    expect((await root(xml)).text).toBe(text)
  })

  test('blank lines before the declaration and characters outside XML are harmless', async () => {
    const element = await root('\r\n \n<?xml version="1.0"?><a>x\u0003\u0000y\uffff</a>\n')
    expect(element.text).toBe('x\ufffd\ufffdy\ufffd')
    expect(element.line).toBe(3)
  })

  test.each([
    ['DOCTYPE', '<!DOCTYPE d [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><d>&b;</d>'],
    ['DOCTYPE', '<?xml version="1.0"?><!-- c --><!DOCTYPE d SYSTEM "file:///etc/passwd"><d/>'],
    ['DOCTYPE', '<d><!DOCTYPE d></d>'],
    ['empty file', ''],
    ['empty file', ' \n\t'],
    ['not an XML file', 'Date;Amount\n'],
    ['cut off: the XML ends before its first element', '<?xml version="1.0"?>\n'],
    ['cut off: the XML ends before its first element', '<Docum'],
    ['cut off: the XML ends inside an element', '<a><b>1</b>'],
    ['cut off: the XML ends inside an element', '<a><b>1</b></a'],
    ['cut off: the XML ends inside an element', '<a>&am'],
    ['cut off: the XML ends in the middle of something', '<a></a><!-- '],
    ['not well-formed XML: unexpected close tag', '<a><b></a></b>'],
    ['not well-formed XML: documents may contain only one root', '<a/><a/>'],
    ['not well-formed XML: text data outside of root node', '<a/>x'],
    ['not well-formed XML: undefined entity', '<a>&nbsp;</a>'],
    ['not well-formed XML: duplicate attribute: b', '<a b="1" b="2"/>'],
    ['not well-formed XML: malformed character entity', '<a>&#0;</a>'],
  ])('refuses with %j: %s', async (why, xml) => {
    for (const size of [1, 65_536]) expect((await refusal(xml, size)).why).toBe(why)
  })

  test('says where', async () => {
    expect((await refusal('<a>\n <b>\n')).place).toBe('line 3, column 0, in a/b')
  })

  test.each([
    ['UTF-16', [0xff, 0xfe], 'utf16le', [0x3d, 0xd8]],
    ['GB18030', [], 'latin1', [0xe3, 0x32, 0x9a, 0x36]],
    ['CESU-8', [], 'latin1', [0xed, 0xa0, 0xbd]],
  ] as const)('half a surrogate pair is harmless: %s', async (name, mark, as, half) => {
    const bytes = Buffer.concat([
      Buffer.from(mark),
      Buffer.from(`<?xml version="1.0" encoding="${name}"?><a>x`, as),
      Buffer.from(half),
      Buffer.from('<b/></a>', as),
    ])
    for (const size of [1, 65_536]) {
      const element = await root(bytes, size)
      expect(element.text).toMatch(/^x\ufffd+$/)
      expect(element.children).toHaveLength(1)
    }
  })

  test.each([
    ['a text or a tag of more than 1048576 characters', `<a>${'x'.repeat(1_200_000)}</a>`],
    ['a text or a tag of more than 1048576 characters', `<!--${'x'.repeat(1_200_000)}--><a/>`],
    ['a text or a tag of more than 1048576 characters', `<a b="${'x'.repeat(1_200_000)}"/>`],
    ['a text or a tag of more than 1048576 characters', `<!DOCTYPE ${'x'.repeat(1_200_000)}`],
    ['elements nested deeper than 64', '<a>'.repeat(100)],
    ['an element of more than 8388608 characters', `<a>${'<b/>'.repeat(140_000)}</a>`],
  ])('keeps its maximum: %s', async (why, xml) => {
    expect((await refusal(xml)).why).toBe(why)
  })

  test('what the handler does not keep does not count', async () => {
    const element = await root(`<a>${'<b/>'.repeat(140_000)}</a>`, 65_536, false)
    expect(element.children).toHaveLength(0)
  })
})
