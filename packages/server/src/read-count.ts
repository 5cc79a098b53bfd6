import { CONCURRENCY_MAX } from 'holdfast/payouts'
import { BadInput } from './bad-input.ts'

/** Makes a reader of an option's whole number from `min` to `max`. It throws {@link BadInput}. */
export function readCount(option: string, max: number, min = 1): (text: string) => number {
  return text => {
    const count = /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : -1
    if (count < min || count > max)
      throw new BadInput(`${option}: a whole number from ${min} to ${max}`)
    return count
  }
}

/** Reads how many payouts are worked on at the same moment. Throws {@link BadInput}. */
export const readConcurrency: (text: string) => number = readCount('--concurrency', CONCURRENCY_MAX)
