import type { Entry } from './movement.ts'

const MASK_START = [0x811c9dc5, 0x9e3779b1] as const
const WORD = 2 ** 32
const MULTIPLIERS = [0x01000193, 0x85ebca6b] as const

/**
 * 64 bits over the entries of one account, in order: FNV-1a in two lanes, by words. Each step can be undone,
 * so one entry that differs never fades. It is made against faults and slips, not against somebody
 * who computes entries to fit it.
 */
export class EntryHash {
  #first: number = MASK_START[0]
  #second: number = MASK_START[1]

  add(entry: Omit<Entry, 'book' | 'account'>): void {
    this.#amount(entry.version)
    this.#text(entry.key)
    this.#word(entry.part)
    this.#amount(entry.posted)
    this.#amount(entry.held)
    this.#text(entry.recorded)
  }

  equals(other: EntryHash): boolean {
    return this.#first === other.#first && this.#second === other.#second
  }

  /** Its two words where a number holds it exactly: a tenth of what its digits take. */
  #amount(amount: bigint): void {
    const number = Number(amount)
    if (Number.isSafeInteger(number)) {
      this.#word(number | 0)
      this.#word(Math.floor(number / WORD))
    } else this.#text(String(amount))
  }

  #text(text: string): void {
    this.#word(text.length)
    for (let index = 0; index < text.length; index += 1) this.#word(text.charCodeAt(index))
  }

  #word(word: number): void {
    this.#first = Math.imul(this.#first ^ word, MULTIPLIERS[0])
    this.#second = Math.imul(this.#second ^ word, MULTIPLIERS[1])
  }
}
