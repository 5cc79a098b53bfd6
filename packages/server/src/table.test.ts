import { describe, expect, test } from 'vitest'
import { printable, table } from './table.ts'

describe('table', () => {
  test('lays out columns under their titles, without space at the end of a line', () => {
    const columns = [
      { title: 'account' },
      { title: 'posted', right: true },
      { title: 'why' },
    ] as const
    expect(
      table(columns, [
        ['a', '-1000.00', ''],
        ['user:1', '0.00', 'x'],
      ]),
    ).toBe(['account    posted  why', 'a        -1000.00', 'user:1       0.00  x'].join('\n'))
  })

  test.each([
    ['\x1b[2J', '\ufffd[2J'],
    ['a\nb\u2028c', 'a\ufffdb\ufffdc'],
    ['\u202egnp.exe', '\ufffdgnp.exe'],
    ['Zoë 👩‍👧 مرحبا', 'Zoë 👩‍👧 مرحبا'],
  ])('%j is printed as %j', (text, shown) => {
    expect(printable(text)).toBe(shown)
  })
})
