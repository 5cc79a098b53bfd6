import { expect, test } from 'vitest'
import { StatementRefused } from './statement-refused.ts'
import type { Statement, StatementEvent, StatementLine } from './statement.ts'
import { summarize } from './statement-json.ts'

const LINE: StatementLine = {
  amount: 2n ** 53n + 1n,
  currency: 'EUR',
  direction: 'debit',
  status: 'booked',
  reversal: false,
  booked: '2026-01-05',
  value: null,
  valueRaw: '2026-02-30',
  bankRef: null,
  refs: { remittance: ['a'] },
  batch: {
    count: 2,
    details: [{ amount: 1n, currency: 'EUR', refs: {} }, { refs: { txId: 'T' } }],
  },
  txAmount: { amount: 0n, currency: 'USD' },
  charges: [{ amount: 3n, currency: 'EUR' }],
}
const HEAD: Statement = {
  id: 'S',
  account: 'A',
  currency: 'EUR',
  opening: -5n,
  closing: 0n,
  balancesAddUp: true,
}

async function* stream(
  ...items: readonly (StatementEvent | Error)[]
): AsyncGenerator<StatementEvent> {
  for (const item of items) {
    if (item instanceof Error) throw item
    yield await Promise.resolve(item)
  }
}

test('amounts are strings of minor units, and what was not said is null or absent', async () => {
  const summary = await summarize(
    stream(
      { type: 'statement', statement: 0, format: 'camt.053.001.08' },
      { type: 'line', statement: 0, line: LINE },
      { type: 'end', statement: 0, head: HEAD },
      { type: 'statement', statement: 1, format: 'camt.053.001.08' },
      { type: 'end', statement: 1, head: { ...HEAD, opening: null } },
    ),
  )
  expect(JSON.parse(JSON.stringify(summary))).toEqual({
    format: 'camt.053.001.08',
    accepted: true,
    statements: [
      {
        id: 'S',
        account: 'A',
        currency: 'EUR',
        opening: '-5',
        closing: '0',
        balances_add_up: true,
        lines: [
          {
            amount: '9007199254740993',
            currency: 'EUR',
            direction: 'debit',
            status: 'booked',
            reversal: false,
            booked: '2026-01-05',
            value: null,
            valueRaw: '2026-02-30',
            bankRef: null,
            refs: { remittance: ['a'] },
            batch: {
              count: 2,
              details: [
                { amount: '1', currency: 'EUR', refs: {} },
                { amount: null, currency: null, refs: { txId: 'T' } },
              ],
            },
            txAmount: { amount: '0', currency: 'USD' },
            charges: [{ amount: '3', currency: 'EUR' }],
          },
        ],
      },
      {
        id: 'S',
        account: 'A',
        currency: 'EUR',
        opening: null,
        closing: '0',
        balances_add_up: true,
        lines: [],
      },
    ],
  })
})

test('a refused file has no statements, whatever went before', async () => {
  const summary = await summarize(
    stream(
      { type: 'statement', statement: 0, format: 'x' },
      { type: 'line', statement: 0, line: LINE },
      { type: 'end', statement: 0, head: HEAD },
      new StatementRefused('cut off', 'line 7', 'x'),
    ),
  )
  expect(summary).toEqual({
    format: 'x',
    accepted: false,
    why: 'cut off',
    place: 'line 7',
    statements: [],
  })
})

test('an error that is no refusal goes on', async () => {
  await expect(summarize(stream(new Error('EIO')))).rejects.toThrow('EIO')
})
