import { describe, expect, test } from 'vitest'
import { holdfast, temporaryFolder, write } from './support/holdfast.ts'
import { PAYMENT_COLUMNS } from './support/payments.ts'

const folder = temporaryFolder()
/** Nobody listens there: nothing may be asked of a gateway before the file has been checked. */
const NOWHERE = ['--memory', '--gateway-url', 'http://127.0.0.1:1']

function csv(...rows: string[]): string {
  return `${[PAYMENT_COLUMNS, ...rows].join('\n')}\n`
}

/** A card number that passes Luhn, of a range that no bank gives out. */
const CARD = '4000 0000 0000 0002'

describe('the file of pay', () => {
  const bad: [why: string, content: string | Buffer, messages: RegExp[]][] = [
    ['nothing in it', '', [/is empty/]],
    ['binary content', Buffer.from([0x50, 0x4b, 0x03, 0x04, 0xff]), [/not UTF-8 text/]],
    ['only a header', csv(), [/has a header and no rows/]],
    [
      'missing and unknown columns',
      'request_key,account,amount,currency,payee\nk,a,1,EUR,p\n',
      [
        /row 1: the column asset is missing/,
        /row 1: the column destination is missing/,
        /row 1: "currency" is no column/,
        /The columns are request_key, account, amount, asset, payee, destination, \[batch\]/,
      ],
    ],
    ['a row that is cut off', csv('k,a,1,EUR'), [/row 2: 4 cells, and the header has 6/]],
    [
      'a row twice',
      csv('k,a,1,EUR,p,d', 'k,a,1,EUR,p,d'),
      [/row 3, request_key: "k" stands in row 2/],
    ],
    [
      'amounts that are none',
      csv(
        ...['0', '0.00', '-1', '1e3', '0x10', '"1,000.00"', '10.005', 'NaN', ''].map(
          (amount, index) => `k${index},a,${amount},EUR,p,d`,
        ),
        'k10,a,10.5,JPY,p,d',
        `k11,a,92233720368547758.08,EUR,p,d`,
        `k12,a,${2n ** 64n},JPY,p,d`,
        `k13,a,${'9'.repeat(40)},EUR,p,d`,
      ),
      Array.from({ length: 13 }, (_, index) => new RegExp(`row ${index + 2}, amount: `)),
    ],
    [
      'keys that are none',
      csv(',a,1,EUR,p,d', `${'k'.repeat(256)},a,1,EUR,p,d`, '🙂,a,1,EUR,p,d', 'a b,a,1,EUR,p,d'),
      [2, 3, 4, 5].map(row => new RegExp(`row ${row}, request_key: .* is not 1 to 128 printable`)),
    ],
    [
      'several bad cells in one row',
      csv(`k,a b,x,eur,,"${'d'.repeat(141)}"`),
      [
        /row 2, account: "a b" is not 1 to 128/,
        /row 2, amount: "x" is not a plain decimal number/,
        /row 2, asset: "eur" is no currency/,
        /row 2, payee: "" is not 1 to 140 printable characters/,
        /row 2, destination: "d{40}…" is not 1 to 140 printable/,
      ],
    ],
  ]
  test.each(bad)('is not taken with %s', async (_why, content, messages) => {
    const file = write(folder, 'bad.csv', content)
    const { code, stdout, stderr } = await holdfast(['pay', file, ...NOWHERE])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(file)
    for (const message of messages) expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n +at /)
  })

  test('a NUL character is no text', async () => {
    const input = csv('k\0,a,1,EUR,p,d')
    const { code, stderr } = await holdfast(['pay', '-', ...NOWHERE], { input })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'standard input: not text, it has a NUL character\n',
    })
  })

  test('a card number is not taken, and not repeated', async () => {
    const input = csv(`k,a,1,EUR,p,${CARD}`)
    const { code, stderr } = await holdfast(['pay', '-', ...NOWHERE], { input })
    expect(code).toBe(2)
    expect(stderr).toContain('row 2: destination: the number of a payment card is not taken')
    expect(stderr).not.toContain(CARD)
  })
})
