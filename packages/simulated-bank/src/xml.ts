/** An element: its name, and its text or its children. What is null is left out. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly content: string | readonly (Element | null)[]
}

/** Makes an element. */
export function element(
  name: string,
  content: Element['content'],
  attributes: Element['attributes'] = {},
): Element {
  return { name, attributes, content }
}

/** Elements inside one another, `nested(['Domn', 'Fmly', 'Cd'], 'ICDT')`. */
export function nested(names: readonly string[], content: Element['content']): Element {
  const [name = '', ...inner] = names
  return element(name, inner.length === 0 ? content : [nested(inner, content)])
}

/** Prints an element, indented, with its text escaped. */
export function printXml(node: Element, indent = ''): string {
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => ` ${name}="${escape(value)}"`)
    .join('')
  const open = `${indent}<${node.name}${attributes}>`
  const close = `</${node.name}>\n`
  if (typeof node.content === 'string') return open + escape(node.content) + close
  const children = node.content.map(child => (child ? printXml(child, `${indent}  `) : ''))
  return `${open}\n${children.join('')}${indent}${close}`
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, sign => ESCAPES[sign] ?? sign)
}
