import { describe, expect, test } from 'vitest'
import { gatherReferences } from './refs.ts'

describe('gatherReferences', () => {
  test('keeps what is there and means something', () => {
    const refs = gatherReferences([
      ['endToEndId', 'NOTPROVIDED'],
      ['instrId', 'nonref'],
      ['txId', null],
      ['uetr', ' '],
      ['proprietary', '0000123'],
    ])
    expect(refs).toEqual({ proprietary: '0000123' })
  })

  test('makes a list of what occurs more than once, each text once', () => {
    const refs = gatherReferences([
      ['creditorRef', 'A'],
      ['creditorRef', 'B'],
      ['creditorRef', 'A'],
      ['paymentInfoId', 'P'],
      ['paymentInfoId', 'P'],
    ])
    expect(refs).toEqual({ creditorRef: ['A', 'B'], paymentInfoId: 'P' })
  })

  test('some names always are lists', () => {
    expect(gatherReferences([['remittance', 'one']], new Set(['remittance']))).toEqual({
      remittance: ['one'],
    })
  })

  test('leaves the text as it is, also one that looks like a formula', () => {
    expect(gatherReferences([['payee', '\t=1+1 ']])).toEqual({ payee: '\t=1+1 ' })
  })

  test('a name is only a name', () => {
    const refs = gatherReferences([['__proto__', 'x']])
    expect(Object.entries(refs)).toEqual([['__proto__', 'x']])
    expect(Object.getPrototypeOf(refs)).toBe(Object.prototype)
  })
})
