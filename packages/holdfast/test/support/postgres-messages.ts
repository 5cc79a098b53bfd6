import type { Message, MessageReader } from './tcp-proxy.ts'

const READY_FOR_QUERY = 'Z'.charCodeAt(0)

/** Messages of Postgres: a letter, and a length that counts itself. */
export class PostgresMessages implements MessageReader {
  #rest: Buffer = Buffer.alloc(0)

  read(bytes: Buffer): Message[] {
    this.#rest = Buffer.concat([this.#rest, bytes])
    const messages: Message[] = []
    while (this.#rest.length >= 5) {
      const length = 1 + this.#rest.readUInt32BE(1)
      if (this.#rest.length < length) break
      messages.push({
        bytes: this.#rest.subarray(0, length),
        last: this.#rest[0] === READY_FOR_QUERY,
      })
      this.#rest = this.#rest.subarray(length)
    }
    return messages
  }
}
