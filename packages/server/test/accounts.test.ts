import { describe, expect, test } from 'vitest'
import { holdfast, objects, temporaryFolder, write } from './support/holdfast.ts'
import { SERVER } from './support/places.ts'

const files = temporaryFolder()
const HEADER = 'account,asset,floor,balance'

function csv(...rows: string[]): string {
  return `${[HEADER, ...rows].join('\n')}\n`
}

describe('accounts import', () => {
  const bad: [why: string, content: string | Buffer, messages: RegExp[]][] = [
    ['nothing in it', '', [/bad\.csv: is empty/]],
    ['binary content', Buffer.from([0x89, 0x50, 0xff, 0]), [/bad\.csv: not UTF-8 text/]],
    ['only a header', `${HEADER}\n`, [/bad\.csv: has a header and no rows/]],
    [
      'columns that are missing, unknown and repeated',
      'account,floor,floor,flor\na,0,0,0\n',
      [
        /row 1: the column asset is missing/,
        /row 1: "flor" is no column/,
        /row 1: the column floor stands there twice/,
        /The columns are account, asset, \[floor\], \[balance\]/,
      ],
    ],
    ['semicolons', 'account;asset\na;EUR\n', [/separated by commas/]],
    ['an open quote', csv('a,EUR,0,0', '"b,EUR,0,0'), [/bad\.csv row 3: a quote is not closed\n$/]],
    ['a late quote', csv('a"b",EUR,0,0'), [/bad\.csv row 2: a quote inside a cell without/]],
    ['a quote and more', csv('"a"b,EUR,0,0'), [/bad\.csv row 2: text after a closing quote\n$/]],
    ['an uneven row', csv('a,EUR,0', 'b,EUR,0,1'), [/row 2: 3 cells, and the header has 4/]],
    [
      'bad cells in several rows',
      csv('a b,EUR,x,1', 'c,eur,0,1', 'd,EUR,0,10.005', 'e,JPY,0,10.5', 'f,EUR,0,-1', 'd,EUR,,'),
      [
        /row 2, account: "a b" is not 1 to 128/,
        /row 2, floor: "x" is not a plain decimal number/,
        /row 3, asset: "eur" is no currency/,
        /row 4, balance: "10.005" is not exact in 2 decimals/,
        /row 5, balance: "10.5" is not exact in 0 decimals/,
        /row 6, balance: "-1" is negative/,
        /row 7, account: "d" stands in row 4 already/,
      ],
    ],
    [
      'amounts that are none',
      csv(
        ...['1e3', '0x10', '"1,000.00"', '92233720368547758.08', '9'.repeat(40), 'NaN', ' 1'].map(
          (amount, index) => `a${index},EUR,0,${amount}`,
        ),
      ),
      [2, 3, 4, 5, 6, 7, 8].map(row => new RegExp(`row ${row}, balance: `)),
    ],
    ['balances in two assets', csv('a,EUR,0,1', 'b,USD,0,1'), [/row 3, balance: in USD\/2, and/]],
  ]
  test.each(bad)('takes nothing of a file with %s', async (_why, content, messages) => {
    const file = write(files, 'bad.csv', content)
    const { code, stdout, stderr } = await holdfast(['accounts', 'import', file, '--memory'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    for (const message of messages) expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n +at /)
  })

  test('shows a hundred problems and counts the rest', async () => {
    const input = csv(...Array.from({ length: 150 }, (_, index) => `a${index},EUR,0,x`))
    const { stderr } = await holdfast(['accounts', 'import', '-', '--memory'], { input })
    expect(stderr.trim().split('\n')).toHaveLength(101)
    expect(stderr).toContain('and 50 more')
  })

  test('does not let a cell write to the terminal', async () => {
    const input = csv('\x1b[2Ja,EUR,0,0')
    const { stderr } = await holdfast(['accounts', 'import', '-', '--memory'], { input })
    expect(stderr).not.toContain('\x1b')
    expect(stderr).toContain('row 2, account')
  })

  test('reads a byte order mark, Windows line ends, empty lines and columns in any order', async () => {
    const input = '\ufeffBalance,asset,account\r\n1.5,EUR,a\r\n\r\n2,EUR/2,b\r\n'
    const ran = await holdfast(['accounts', 'import', '-', '--memory'], { input })
    expect(ran).toEqual({
      code: 0,
      stdout: '2 accounts: 2 imported, 0 imported before, 0 refused\n',
      stderr: '',
    })
  })
})

describe('accounts', () => {
  const { options } = SERVER.make()
  const run = (...args: string[]) => holdfast([...args, ...options()])
  const importFile = (content: string, ...more: string[]) =>
    run('accounts', 'import', write(files, 'accounts.csv', content), ...more)

  test('imports each account once, whatever file it stands in', async () => {
    const first = await importFile(csv('user:1,EUR,,100.50', 'user:2,EUR,-5,', 'user:3,EUR,none,'))
    expect(first.stdout).toBe('3 accounts: 3 imported, 0 imported before, 0 refused\n')
    const again = await importFile(csv('user:1,EUR,,100.50', 'user:4,EUR,,1'), '--json')
    expect(again.code).toBe(0)
    expect(objects(again.stdout)).toEqual([
      { row: 2, account: 'user:1', result: 'known', why: null },
      { row: 3, account: 'user:4', result: 'imported', why: null },
    ])
    const { stdout } = await run('balance', 'world', '--json')
    expect(objects(stdout)[0]).toMatchObject({ posted: '-10150', floor: null, asset: 'EUR/2' })
  })

  test('another opening balance or floor is refused, and moves nothing', async () => {
    const { code, stdout, stderr } = await importFile(
      csv('user:1,EUR,,200', 'user:2,EUR,0,7', 'user:5,EUR,,1'),
    )
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: '3 accounts: 1 imported, 0 imported before, 2 refused\n',
    })
    expect(stderr).toMatch(/Row 2, user:1: .*legs\[0\]\.amount/)
    expect(stderr).toMatch(/Row 3, user:2: /)
    const shown = await Promise.all(['user:1', 'user:2'].map(id => run('balance', id, '--json')))
    expect(shown.map(each => objects(each.stdout)[0]?.['posted'])).toEqual(['10050', '0'])
  })

  test('the giving account must hold the asset of the file', async () => {
    const { code, stderr } = await importFile(csv('user:6,USD,,1'))
    expect(code).toBe(2)
    expect(stderr).toContain('--from: world holds EUR/2, and the file gives USD/2')
    const other = await importFile(csv('user:6,USD,,1'), '--from', 'world/USD')
    expect(other.code).toBe(0)
  })

  test('balance and entries show decimals, and minor units as JSON', async () => {
    expect((await run('balance', 'user:1')).stdout).toBe(
      [
        'account  asset  posted  held  available  floor  version  state',
        'user:1   EUR/2  100.50  0.00     100.50   0.00        1  open\n',
      ].join('\n'),
    )
    const before = await run('balance', 'user:1', '--at', '2020-01-01T00:00:00Z', '--json')
    expect(objects(before.stdout)).toEqual([
      {
        ...{ book: 'main', id: 'user:1', asset: 'EUR/2', floor: '0', posted: '0', held: '0' },
        ...{ version: '0', closed: false, available: '0', at: '2020-01-01T00:00:00.000Z' },
      },
    ])
    const entries = await run('entries', 'world', '--json', '--limit', '1', '--before', '2')
    expect(objects(entries.stdout)).toMatchObject([
      { account: 'world', version: '1', posted: '-10050', held: '0', part: 0 },
    ])
    const table = await run('entries', 'world', '--limit', '1')
    expect(table.stdout).toMatch(/^version +recorded +posted +held +available +asset +key\n/)
    expect(table.stderr).toMatch(/There are more: --before \d+/)
  })

  test('explain shows how the balances came to be, newest first', async () => {
    const book = ['--book', 'explained']
    const leg = { from: 'world', to: 'a', asset: 'EUR/2', amount: '1000' }
    const back = { from: 'a', to: 'world', asset: 'EUR/2', amount: '250' }
    const commands = [
      { do: 'open', account: 'world', asset: 'EUR/2', floor: null },
      { do: 'open', account: 'a', asset: 'EUR/2' },
      { do: 'transfer', key: 'top-up', legs: [leg] },
      { do: 'hold', key: 'lamp', legs: [back] },
      { do: 'settle', hold: 'lamp', amounts: ['200'] },
      { do: 'hold', key: 'chair', legs: [back] },
      { do: 'release', hold: 'chair', reason: 'out of stock' },
    ]
    const list = write(files, 'explained.jsonl', JSON.stringify({ commands }))
    expect((await run('apply', list, ...book)).code).toBe(0)
    const { code, stdout } = await run('explain', 'a', ...book)
    expect(code).toBe(0)
    const lines = stdout.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T').split('\n')
    expect(lines.map(line => line.trim().replaceAll(/ +/g, ' '))).toEqual([
      'a in the book explained, EUR/2: posted 8.00, held 0.00, available 8.00',
      '',
      'version recorded what key posted held available with',
      '5 T release chair 0.00 -2.50 8.00 world (out of stock)',
      '4 T hold chair 0.00 +2.50 5.50 world',
      '3 T settle lamp -2.00 -2.50 8.00 world',
      '2 T hold lamp 0.00 +2.50 7.50 world',
      '1 T transfer top-up +10.00 0.00 10.00 world',
      '',
    ])
    const newest = await run('explain', 'a', ...book, '--limit', '1', '--json')
    expect(objects(newest.stdout)).toMatchObject([
      { kind: 'release', postedChange: '0', heldChange: '-250', entry: { key: 'chair', part: 1 } },
    ])
    expect(newest.stderr).toBe('4 older: holdfast entries a\n')
  })

  test.each(['balance', 'entries', 'explain'])(
    '%s of an account that is not there',
    async command => {
      const { code, stdout, stderr } = await run(command, 'user:9')
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe('There is no account user:9 in the book main\n')
    },
  )

  test('check finds nothing to say, book by book', async () => {
    const { code, stdout } = await run('check')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^explained: .*: no difference\nmain: \d+ accounts, \d+ movements, \d+ entries: no difference\n$/,
    )
    const { stdout: json } = await run('check', '--json', '--book', 'main')
    expect(objects(json)).toMatchObject([{ book: 'main', differences: 0 }])
  })
})
