import { Tally } from '../check.ts'
import { StatementRefused, withFormat } from '../statement-refused.ts'
import type { StatementEvent } from '../statement.ts'
import { readXml, type XmlElement, type XmlHandler } from '../xml.ts'
import { Entry } from './entry.ts'
import { readHead } from './head.ts'

/** The name of an ISO 20022 message inside its namespace, whatever stands around it. */
const MESSAGE_NAME = /\b[a-z]{4}\.\d{3}\.\d{3}\.\d{2}\b/

/**
 * Reads a camt.053 (ISO 20022 bank to customer statement), versions 02 to 14, by local names.
 * Memory does not grow with the number of entries. Throws a `StatementRefused` for a file that is
 * not whole, not exact or does not add up.
 */
export async function* readCamt053(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<StatementEvent> {
  const message = new Message()
  try {
    yield* readXml(chunks, message)
    if (message.statements === 0) throw new StatementRefused('no statement in the message', null)
  } catch (error) {
    throw withFormat(error, message.format)
  }
}

class Message implements XmlHandler<StatementEvent> {
  format: string | null = null
  statements = 0
  #container: XmlElement | null = null
  #statement: XmlElement | null = null
  #tally = new Tally()
  #entry: Entry | null = null
  #events: StatementEvent[] = []

  take(): readonly StatementEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  opened(element: XmlElement): void {
    if (this.#container === null) {
      this.format = messageName(element) ?? this.format
      if (element.name === 'BkToCstmrStmt') this.#container = element
    } else if (element.name === 'Stmt' && element.parent === this.#container) {
      this.#statement = element
      this.#tally = new Tally()
      this.#emit({ type: 'statement', statement: this.statements, format: this.#formatName() })
    } else if (element.name === 'Ntry' && element.parent === this.#statement)
      this.#entry = new Entry(element)
  }

  closed(element: XmlElement): boolean {
    if (element === this.#container) this.#container = null
    if (this.#statement === null) return false
    if (element === this.#statement) {
      this.#endStatement(element)
      return false
    }
    return this.#entry === null || this.#closedInEntry(element, this.#entry)
  }

  #closedInEntry(element: XmlElement, entry: Entry): boolean {
    if (element === entry.element) {
      const line = entry.line()
      this.#entry = null
      this.#tally.add(line)
      this.#emit({ type: 'line', statement: this.statements, line })
      return false
    }
    const group = element.name === 'NtryDtls' ? element : element.parent
    if (group?.name !== 'NtryDtls' || group.parent !== entry.element) return true
    if (element === group) entry.addGroup(element)
    else if (element.name === 'TxDtls') entry.addDetail(element)
    else return true
    return false
  }

  #endStatement(element: XmlElement): void {
    const head = readHead(element, this.#tally)
    this.#emit({ type: 'end', statement: this.statements, head })
    this.#statement = null
    this.statements += 1
  }

  #emit(event: StatementEvent): void {
    this.#events.push(event)
  }

  #formatName(): string {
    return (this.format ??= 'camt.053')
  }
}

/**
 * The message that an element's namespace names: its own first, then any that is declared on it.
 */
function messageName(element: XmlElement): string | null {
  const own = element.prefix === '' ? 'xmlns' : `xmlns:${element.prefix}`
  const declared = Object.entries(element.attributes)
    .filter(([name]) => /^xmlns(?::|$)/i.test(name))
    .toSorted(([left], [right]) => Number(right === own) - Number(left === own))
  return declared.map(([, uri]) => MESSAGE_NAME.exec(uri)?.[0]).find(Boolean) ?? null
}
