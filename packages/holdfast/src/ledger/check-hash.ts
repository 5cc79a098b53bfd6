import type { Entry } from './movement.ts'

const MASK_START = [0x811c9dc5, 0x9e3779b1] as const
const MULTIPLIERS = [0x01000193, 0x85ebca6b] as const

/**
 * 64 bits over the entries of one account, in order: FNV-1a in two lanes. Each step can be undone,
 * so one entry that differs never fades. It is made against faults and slips, not against somebody
 * who computes entries to fit it.
 */
export class EntryHash {
  #first: number = MASK_START[0]
  #second: number = MASK_START[1]

  add(entry: Omit<Entry, 'book' | 'account'>): void {
    const { version, key, part, posted, held, recorded } = entry
    const text = `${version} ${key} ${part} ${posted} ${held} ${recorded}\n`
    let first = this.#first
    let second = this.#second
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      first = Math.imul(first ^ code, MULTIPLIERS[0])
      second = Math.imul(second ^ code, MULTIPLIERS[1])
    }
    this.#first = first
    this.#second = second
  }

  equals(other: EntryHash): boolean {
    return this.#first === other.#first && this.#second === other.#second
  }
}
