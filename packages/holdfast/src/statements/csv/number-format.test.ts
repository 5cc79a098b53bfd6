import { describe, expect, test } from 'vitest'
import { numberReader, type NumberFormat } from './number-format.ts'

const ENGLISH: NumberFormat = {
  decimal: '.',
  thousands: ',',
  negative: ['leading-minus', 'trailing-minus', 'parentheses'],
}
const GERMAN: NumberFormat = { decimal: ',', thousands: '.', negative: ['leading-minus'] }
const PLAIN: NumberFormat = { decimal: '.', thousands: null, negative: [] }
const SPACED: NumberFormat = { decimal: ',', thousands: '\u00a0', negative: ['leading-minus'] }

describe('numberReader', () => {
  test.each([
    [ENGLISH, '1,234,567.89', false, '1234567.89'],
    [ENGLISH, '90,071,992,547,409.93', false, '90071992547409.93'],
    [ENGLISH, '-12,000.00', true, '12000.00'],
    [ENGLISH, '100.00-', true, '100.00'],
    [ENGLISH, '(1,000.00)', true, '1000.00'],
    [ENGLISH, '+7.00', false, '7.00'],
    [ENGLISH, '1000', false, '1000'],
    [ENGLISH, '999', false, '999'],
    [ENGLISH, '.50', false, '0.50'],
    [ENGLISH, '-.50', true, '0.50'],
    [GERMAN, '-1.234,56', true, '1234.56'],
    [GERMAN, '0,05', false, '0.05'],
    [PLAIN, '1.5', false, '1.5'],
    [SPACED, '-1\u00a0234,5', true, '1234.5'],
  ])('%# reads %4$s', (format, text, negative, decimal) => {
    expect(numberReader(format)(text)).toEqual({ negative, decimal })
  })

  test.each([
    [ENGLISH, '1,00.00'],
    [ENGLISH, '1234,567'],
    [ENGLISH, ',123'],
    [ENGLISH, '1,,000'],
    [ENGLISH, '1,0000'],
    [ENGLISH, '1.000,00'],
    [ENGLISH, '1,000,'],
    [ENGLISH, '5.'],
    [ENGLISH, '.'],
    [ENGLISH, '-'],
    [ENGLISH, '()'],
    [ENGLISH, '(5.00'],
    [ENGLISH, '5.00)'],
    [ENGLISH, '-(5.00)'],
    [ENGLISH, '(-5.00)'],
    [ENGLISH, '-5.00-'],
    [ENGLISH, '+5.00-'],
    [ENGLISH, '5.00+'],
    [ENGLISH, '1e3'],
    [ENGLISH, '0x10'],
    [ENGLISH, 'NaN'],
    [ENGLISH, '1 000'],
    [ENGLISH, '€5'],
    [ENGLISH, ''],
    [GERMAN, '1,234.56'],
    [GERMAN, '5,00-'],
    [GERMAN, '(5,00)'],
    [PLAIN, '-5.00'],
    [PLAIN, '1,000.00'],
    [SPACED, '1 234,5'],
  ])('%# refuses %j', (format, text) => {
    expect(numberReader(format)(text)).toBeNull()
  })
})
