import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { StatementLine } from '../../../statements/statement.ts'
import { decodeLine, encodeLine } from './line-record.ts'

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('\0\ud800'))
const anyRefs = fc.dictionary(
  fc.constantFrom('endToEndId', 'remittance', 'payee', 'text'),
  fc.oneof(anyText, fc.array(anyText)),
  { noNullPrototype: true },
)
const anyMoney = fc.record({ amount: fc.bigInt(0n, 2n ** 63n - 1n), currency: fc.constant('EUR') })
const anyDetail = fc.oneof(
  fc.record({ refs: anyRefs }),
  fc.tuple(anyMoney, anyRefs).map(([money, refs]) => ({ ...money, refs })),
)
const anyDay = fc.constantFrom('2026-11-02', null)
const anyLine: fc.Arbitrary<StatementLine> = fc
  .tuple(
    anyMoney,
    fc.record({
      direction: fc.constantFrom('debit', 'credit'),
      status: fc.constantFrom('booked', 'pending', 'info'),
      reversal: fc.boolean(),
      booked: anyDay,
      value: anyDay,
      bankRef: fc.option(anyText),
      refs: anyRefs,
      batch: fc.option(
        fc.record({ count: fc.option(fc.nat()), details: fc.array(anyDetail, { maxLength: 3 }) }),
      ),
    }),
    fc.record(
      { valueRaw: anyText, txAmount: anyMoney, charges: fc.array(anyMoney, { minLength: 1 }) },
      { requiredKeys: [] },
    ),
  )
  .map(([money, line, more]) => ({ ...money, ...line, ...more }))

test('a line comes back as it was, whatever stands in its texts', () => {
  fc.assert(
    fc.property(anyLine, line => {
      const numbered = { statement: 1, number: 7, line }
      const stored = JSON.parse(JSON.stringify(encodeLine(numbered))) as Record<string, unknown>
      expect(decodeLine(stored)).toEqual(numbered)
    }),
  )
})

test('nothing in a line is what Postgres cannot store', () => {
  fc.assert(
    fc.property(anyLine, line => {
      const { content } = encodeLine({ statement: 1, number: 1, line })
      expect(content).not.toMatch(/\0|\p{Cs}/u)
    }),
  )
})
