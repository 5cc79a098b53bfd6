import { describe, expect, test } from 'vitest'
import { parseMapping } from './mapping.ts'

const MAPPING = {
  encoding: 'utf-8',
  delimiter: ';',
  quote: '"',
  headerRows: 1,
  currency: { column: 'Currency' },
  booked: { column: 'Date', format: 'dd.mm.yyyy' },
  value: { column: 'Value', format: 'yyyymmdd' },
  amount: { column: 'Amount' },
  number: { decimal: ',', thousands: '.', negative: ['leading-minus'] },
  refs: { customerRef: 'Reference' },
}

function parsed(over: Record<string, unknown>): unknown {
  const result = parseMapping({ ...MAPPING, ...over })
  return result.ok ? result.mapping : `${result.field} ${result.why}`
}

describe('parseMapping', () => {
  test('takes what the shape allows', () => {
    expect(parsed({})).toEqual({ ...MAPPING, bankRef: null, account: null })
    expect(parsed({ value: null, quote: null, delimiter: '\t' })).toMatchObject({ value: null })
    expect(parsed({ value: undefined, refs: undefined })).toMatchObject({ value: null, refs: {} })
    expect(parsed({ currency: { fixed: 'JPY' } })).toMatchObject({ currency: { fixed: 'JPY' } })
    expect(parsed({ amount: { debit: 'Out', credit: 'In' } })).toMatchObject({
      amount: { debit: 'Out', credit: 'In' },
    })
    expect(parsed({ bankRef: 'Bank', account: 'NL02' })).toMatchObject({
      bankRef: 'Bank',
      account: 'NL02',
    })
    for (const encoding of ['windows-1252', 'UTF-16', 'utf-16le', 'ISO-8859-15'])
      expect(parsed({ encoding })).toMatchObject({ encoding })
  })

  test('without a header, columns are numbers', () => {
    const numbered = {
      headerRows: 0,
      currency: { column: 1 },
      booked: { column: 2, format: 'yyyymmdd' },
      value: null,
      amount: { column: 3 },
      refs: { text: 4 },
    }
    expect(parsed(numbered)).toMatchObject(numbered)
    const wrong = 'is no number of a column, counted from 1, as headerRows is 0'
    expect(parsed({ headerRows: 0 })).toBe(`currency.column ${wrong}`)
    expect(parsed({ ...numbered, amount: { column: 0 } })).toBe(`amount.column ${wrong}`)
  })

  test.each([
    [{ encoding: undefined }, 'encoding is no text'],
    [{ encoding: 'hex' }, 'encoding is no known character encoding'],
    [{ encoding: 'klingon' }, 'encoding is no known character encoding'],
    [{ delimiter: ';;' }, 'delimiter is not one character'],
    [{ delimiter: '\n' }, 'delimiter is not one character'],
    [{ delimiter: undefined }, 'delimiter is not one character'],
    [{ quote: '' }, 'quote is not one character'],
    [{ quote: ';' }, 'quote is the delimiter too'],
    [{ headerRows: -1 }, 'headerRows is no whole number of 0 to 100'],
    [{ headerRows: 1.5 }, 'headerRows is no whole number of 0 to 100'],
    [{ headerRows: '1' }, 'headerRows is no whole number of 0 to 100'],
    [{ currency: undefined }, 'currency is no object'],
    [{ currency: {} }, 'currency needs either a column or a fixed code'],
    [{ currency: { column: 'C', fixed: 'EUR' } }, 'currency needs either a column or a fixed code'],
    [{ currency: { fixed: 'EUX' } }, 'currency.fixed is no ISO 4217 code'],
    [{ booked: null }, 'booked is no object'],
    [{ booked: { column: 'Date' } }, 'booked.format is no text'],
    [
      { booked: { column: 'Date', format: 'iso' } },
      'booked.format is no date format such as yyyy-mm-dd or d.m.yy',
    ],
    [{ booked: { format: 'yyyymmdd' } }, 'booked.column is no text'],
    [{ value: {} }, 'value.format is no text'],
    [{ amount: {} }, 'amount needs either a column, or a debit and a credit column'],
    [{ amount: { debit: 'D' } }, 'amount.credit is no text'],
    [{ amount: { debit: 'D', credit: 'D' } }, 'amount.credit is the debit column too'],
    [
      { amount: { column: 'A', credit: 'C' } },
      'amount needs either a column, or a debit and a credit column',
    ],
    [{ amount: { column: 7 } }, 'amount.column is no text'],
    [{ number: undefined }, 'number is no object'],
    [{ number: { ...MAPPING.number, decimal: ',,' } }, 'number.decimal is not one character'],
    [{ number: { ...MAPPING.number, decimal: '1' } }, 'number.decimal is a part of numbers itself'],
    [{ number: { ...MAPPING.number, thousands: ',' } }, 'number.thousands is the decimal mark too'],
    [
      { number: { ...MAPPING.number, thousands: '-' } },
      'number.thousands is a part of numbers itself',
    ],
    [
      { number: { ...MAPPING.number, negative: ['red'] } },
      'number.negative is no list of leading-minus, trailing-minus, parentheses',
    ],
    [{ refs: { text: null } }, 'refs.text is no text'],
    [{ refs: [] }, 'refs is no object'],
    [{ bankRef: 5 }, 'bankRef is no text'],
    [{ account: ' ' }, 'account is no text'],
    [{ colour: 'blue' }, 'colour is not known'],
    [{ amount: { column: 'A', sign: 'B' } }, 'amount.sign is not known'],
  ])('%j: %s', (over, why) => {
    expect(parsed(over)).toBe(why)
  })

  test.each([null, 'text', [], 5])('%j is no mapping', json => {
    expect(parseMapping(json)).toEqual({ ok: false, field: 'mapping', why: 'is no object' })
  })
})
