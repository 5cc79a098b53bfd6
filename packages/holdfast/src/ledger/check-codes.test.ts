import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CHECK_CODES, nameOf } from './check-codes.ts'

const PAGE = new URL('../../../../docs/reference/check.md', import.meta.url)

describe('the codes of check', () => {
  it('stand on their reference page, each with what it says, and no other', () => {
    const rows = readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)
    expect(Object.fromEntries([...rows].map(([, code, says]) => [code, says]))).toEqual(CHECK_CODES)
  })

  it('tells the end of a hold from the hold', () => {
    expect(nameOf({ key: 'h', part: 0 })).toBe('h')
    expect(nameOf({ key: 'h', part: 1 })).toBe('the end of h')
  })
})
