import { describe, expect, test } from 'vitest'
import { dateReader } from './date-format.ts'

describe('dateReader', () => {
  test.each([
    ['yyyy-mm-dd', '2026-11-30', '2026-11-30'],
    ['YYYY-MM-DD', '2026-11-30', '2026-11-30'],
    ['dd/mm/yyyy', '03/04/2026', '2026-04-03'],
    ['mm/dd/yyyy', '03/04/2026', '2026-03-04'],
    ['dd.mm.yyyy', '05.01.2026', '2026-01-05'],
    ['yyyymmdd', '20260301', '2026-03-01'],
    ['d.m.yy', '5.1.26', '2026-01-05'],
    ['d.m.yy', '25.12.26', '2026-12-25'],
    ['dd-mmm-yyyy', '05-Jan-2026', '2026-01-05'],
    ['d mmm yyyy', '5 DEC 2026', '2026-12-05'],
    ['yyyy-mm-dd hh:mm:ss', '2026-03-02 23:59:59', '2026-03-02'],
    ['yyyy-mm-ddThh:mm', '2026-03-02T23:59', '2026-03-02'],
    ['dd/mm/yyyy', '29/02/2028', '2028-02-29'],
  ])('%s reads %s', (format, text, day) => {
    expect(dateReader(format)?.(text)).toBe(day)
  })

  test.each([
    ['yyyy-mm-dd', '2026-02-30'],
    ['yyyy-mm-dd', '2026-13-01'],
    ['yyyy-mm-dd', '26-01-01'],
    ['yyyy-mm-dd', '2026-01-01 '],
    ['yyyy-mm-dd', '2026-01-01x'],
    ['dd.mm.yyyy', '05x01x2026'],
    ['dd.mm.yyyy', '5.1.2026'],
    ['mm/dd/yyyy', '31/12/2026'],
    ['dd-mmm-yyyy', '05-Mai-2026'],
    ['yyyy-mm-dd', ''],
  ])('%s refuses %j', (format, text) => {
    expect(dateReader(format)?.(text)).toBeNull()
  })

  test.each([
    '',
    'yyyy-mm',
    'dd.mm',
    'yyyy-mm-dd-dd',
    'yyyy-mm-dd m',
    'yyyy-mm-dd hh',
    'Q1 yyyy-mm-dd',
    'iso',
  ])('%j is no format', format => {
    expect(dateReader(format)).toBeNull()
  })
})
