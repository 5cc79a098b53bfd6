import type { Message, MessageReader } from './tcp-proxy.ts'

const LINE_END = '\r\n'
/** Kinds of RESP whose line says how many values follow it. */
const AGGREGATES = '*%~>'
const TEXT = '$'

/** Lines of the protocol of Redis; an answer ends where its last value does. */
export class RedisMessages implements MessageReader {
  #rest: Buffer = Buffer.alloc(0)
  #valuesLeft = 0
  #inText = false

  read(bytes: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const messages: Message[] = []
    for (;;) {
      const end = this.#rest.indexOf(LINE_END)
      if (end < 0) return messages
      const line = this.#rest.subarray(0, end + LINE_END.length)
      messages.push({ bytes: line, last: this.#ends(line.toString()) })
      this.#rest = this.#rest.subarray(line.length)
    }
  }

  #ends(line: string): boolean {
    if (!this.#inText && this.#valuesLeft === 0) this.#valuesLeft = 1
    const kind = line.charAt(0)
    const count = Number.parseInt(line.slice(1), 10)
    if (this.#inText) this.#valuesLeft -= 1
    else if (AGGREGATES.includes(kind)) this.#valuesLeft += (kind === '%' ? 2 : 1) * count - 1
    else if (kind !== TEXT || count < 0) this.#valuesLeft -= 1
    this.#inText = !this.#inText && kind === TEXT && count >= 0
    return this.#valuesLeft === 0
  }
}
