import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holdfast, temporaryFolder, write } from './support/holdfast.ts'
import { accountsCsv } from './support/payments.ts'
import { SERVER } from './support/places.ts'

const files = temporaryFolder()
/** Nobody listens there: the book is looked for before the gateway is asked. */
const NOWHERE = ['--gateway-url', 'http://127.0.0.1:1']
const MAPPING = {
  ...{ encoding: 'utf-8', delimiter: ',', quote: '"', headerRows: 1, currency: { fixed: 'EUR' } },
  ...{ booked: { column: 'Day', format: 'yyyy-mm-dd' }, amount: { column: 'Amount' } },
  number: { decimal: '.', thousands: null, negative: ['leading-minus'] },
}

describe('a book that was mistyped', () => {
  const { options } = SERVER.make()
  const run = (...args: string[]) => holdfast([...args, ...options()])

  test('is refused by every command that works on one, and is not begun', async () => {
    const day = write(files, 'day.csv', 'Day,Amount\n2026-11-30,3.00\n')
    const mapping = write(files, 'mapping.json', JSON.stringify(MAPPING))
    const folder = join(files, 'report')
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(1)))
    for (const args of [
      ['check'],
      ['payouts'],
      ['balance', 'user:0'],
      ['entries', 'user:0'],
      ['explain', 'user:0'],
      ['resolve', ...NOWHERE],
      ['reconcile', day, '--mapping', mapping, '--report', folder],
    ])
      expect(await run(...args, '--book', 'nosuch'), args[0]).toEqual({
        code: 2,
        stdout: '',
        stderr: '--book: there is no book nosuch\n',
      })
    expect(existsSync(folder)).toBe(false)
    expect((await run('check')).stdout).toBe(
      'main: 2 accounts, 1 movement, 2 entries: no difference\n',
    )
  })
})

describe('a schema', () => {
  const { options } = SERVER.make()
  const run = (...args: string[]) => holdfast([...args, ...options()])

  test('that was mistyped is refused, and is not made', async () => {
    for (let times = 1; times <= 2; times += 1) {
      const { code, stdout, stderr } = await run('check', '--schema', 'nosuch')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^The schema "nosuch" of this database has no books yet: run holdfast/)
    }
  })

  test('that is migrated, without a book, has none to check', async () => {
    await run('migrate', '--schema', 'empty')
    const { code, stderr } = await run('check', '--schema', 'empty')
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'There are no books\n' })
  })
})
