import { describe, expect, test } from 'vitest'
import { holdfast, objects, temporaryFolder, write } from './support/holdfast.ts'

const folder = temporaryFolder()

const CSV = 'Day,Amount,Payee\n2026-11-30,-10.05,=SUM(A1)\n2026-11-30,3.00,Ann\n'
const MAPPING = {
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  headerRows: 1,
  currency: { fixed: 'EUR' },
  booked: { column: 'Day', format: 'yyyy-mm-dd' },
  amount: { column: 'Amount' },
  number: { decimal: '.', thousands: null, negative: ['leading-minus'] },
  refs: { payee: 'Payee' },
}

const csv = write(folder, 'day.csv', CSV)
const mapping = write(folder, 'day.mapping.json', JSON.stringify(MAPPING))

describe('statement', () => {
  test('prints one object a file on one line', async () => {
    const { code, stdout, stderr } = await holdfast([
      ...['statement', csv, csv, '--json', '--mapping', mapping],
    ])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [first, second] = objects(stdout)
    expect(second).toEqual(first)
    expect(first).toMatchObject({
      file: csv,
      format: 'csv',
      accepted: true,
      statements: [
        {
          lines: [
            { amount: '1005', currency: 'EUR', direction: 'debit', refs: { payee: '=SUM(A1)' } },
            { amount: '300', direction: 'credit' },
          ],
        },
      ],
    })
  })

  test('prints a table for a person', async () => {
    const { code, stdout } = await holdfast(['statement', csv, '--mapping', mapping])
    expect(code).toBe(0)
    expect(stdout).toMatch(/2026-11-30 +-10\.05 +EUR +booked +=SUM\(A1\)\n/)
  })

  const refused: [why: string, content: string | Buffer][] = [
    ['empty file', ''],
    ['a binary file', Buffer.from([0, 1, 2, 0xff])],
    ['CSV needs a mapping', CSV],
    ['no statement in the message', '<Document/>'],
    ['DOCTYPE', '<!DOCTYPE a><Document/>'],
    ['(line ', '<Document><BkToCstmrStmt><Stmt>'],
  ]
  test.each(refused)('a refused file is bad input, with the reason: %s', async (why, content) => {
    const file = write(folder, 'refused', content)
    const { code, stdout, stderr } = await holdfast(['statement', file, '--json'])
    expect(code).toBe(2)
    expect(objects(stdout)).toMatchObject([{ file, accepted: false, statements: [] }])
    expect(stderr).toContain(`${file}: refused: `)
    expect(stderr).toContain(why)
    expect(stderr).not.toMatch(/\n +at /)
  })

  test('goes on after a file that cannot be read', async () => {
    const args = ['statement', `${folder}/none`, folder, csv, '--json', '--mapping', mapping]
    const { code, stdout } = await holdfast(args)
    expect(code).toBe(2)
    expect(objects(stdout)).toMatchObject([
      { accepted: false, why: 'there is no such file' },
      { accepted: false, why: 'is a folder, not a file' },
      { accepted: true },
    ])
  })

  test.each([
    ['no JSON', '{', /--mapping .*: not JSON/],
    ['another shape', '{"encoding":7}', /--mapping .*: delimiter /],
    ['nothing in it', '', /is empty/],
  ])('a mapping with %s names the field', async (_why, content, message) => {
    const file = write(folder, 'bad.mapping.json', content)
    const { code, stdout, stderr } = await holdfast(['statement', csv, '--json', '--mapping', file])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
