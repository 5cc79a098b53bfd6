import { CONCURRENCY_MAX } from 'holdfast/payouts'
import { BadInput } from './bad-input.ts'

/** Makes a reader of an option's whole number from 1 to `max`. It throws {@link BadInput}. */
export function readCount(option: string, max: number): (text: string) => number {
  return text => {
    const count = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0
    if (count < 1 || count > max) throw new BadInput(`${option}: a whole number from 1 to ${max}`)
    return count
  }
}

/** Reads how many payouts are worked on at the same moment. Throws {@link BadInput}. */
export const readConcurrency: (text: string) => number = readCount('--concurrency', CONCURRENCY_MAX)
