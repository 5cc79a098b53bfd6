import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { holdfast, temporaryFolder, write } from './support/holdfast.ts'

const folder = temporaryFolder()

describe('usage', () => {
  test('--version is the version of the package', async () => {
    const file = new URL('../package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
    expect(await holdfast(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
  })

  test('--help goes to standard output and names every command', async () => {
    const { code, stdout, stderr } = await holdfast(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const page = readFileSync(
      new URL('../../../docs/reference/command-line.md', import.meta.url),
      'utf8',
    )
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?= \[| {2,})/gm)].map(match => match[1])
    expect(commands).toContain('pay')
    for (const command of commands.filter(each => each !== 'help'))
      expect(page, `docs/reference/command-line.md lacks ${command}`).toContain(
        `holdfast ${command}`,
      )
  })

  const wrong: [why: string, args: string[], message: RegExp][] = [
    ['no command', [], /Usage: holdfast/],
    ['an unknown command', ['balnce'], /unknown command 'balnce'/],
    ['an unknown option', ['balance', 'a', '--bok', 'x'], /unknown option '--bok'/],
    ['a missing argument', ['balance'], /missing required argument 'account'/],
    ['too many arguments', ['balance', 'a', 'b'], /too many arguments/],
    ['an option without its value', ['balance', 'a', '--book'], /argument missing/],
    ['two places', ['balance', 'a', '--memory', '--data', folder], /only one of them/],
    ['a book of another form', ['balance', 'a', '--book', 'a b'], /--book: 1 to 128/],
    ['an empty folder name', ['balance', 'a', '--data', ''], /--data: the path of a folder/],
    ['no URL', ['balance', 'a', '--database-url', 'localhost'], /begins with postgres:/],
    ['another URL', ['balance', 'a', '--database-url', 'http://x'], /begins with postgres:/],
    ['a schema of another form', ['balance', 'a', '--data', '.', '--schema', 'A;'], /--schema/],
    ['a day instead of a time', ['balance', 'a', '--at', '2026-11-30'], /--at: a time/],
    ['30 February', ['balance', 'a', '--at', '2026-02-30T09:00:00Z'], /--at: a time/],
    ['a limit of 0', ['entries', 'a', '--limit', '0'], /--limit: a whole number from 1/],
    ['a limit of 1e3', ['entries', 'a', '--limit', '1e3'], /--limit: a whole number from 1/],
    ['a version of 0', ['entries', 'a', '--before', '0'], /--before: a version/],
    ['a status that is none', ['payouts', '--status', 'paid'], /--status: one of requested/],
    ['no gateway', ['resolve', '--memory'], /--gateway-url is missing/],
    ['a gateway that is none', ['resolve', '--gateway-url', 'x'], /--gateway-url: a URL/],
    ['a concurrency of 0', ['pay', 'x', '--concurrency', '0'], /--concurrency: a whole number/],
    ['a port of 65536', ['bank', '--port', '65536'], /--port: a whole number from 0 to 65535/],
    ['rates that are no JSON', ['bank', '--rates', '{'], /--rates: not JSON/],
    ['rates without a seed', ['bank', '--rates', '{"refuse":1}'], /--rates needs --seed/],
    ['a migration in memory', ['migrate', '--memory'], /--memory: there is nothing to migrate/],
  ]

  test.each(wrong)('%s', async (_why, args, message) => {
    const { code, stdout, stderr } = await holdfast(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(message)
    expect(stderr).not.toMatch(/\n +at /)
  })

  test('books that are not there are not made by looking for them', async () => {
    const { code, stderr } = await holdfast(['balance', 'a'], { cwd: folder })
    expect({ code, stderr }).toMatchObject({ code: 2 })
    expect(stderr).toContain('There are no books in .holdfast')
    const again = await holdfast(['balance', 'a'], { cwd: folder })
    expect(again.stderr).toContain('There are no books in .holdfast')
  })

  test.each([['check'], ['payouts'], ['balance', 'a'], ['entries', 'a']])(
    'a folder that holds no database is left as it is by %s',
    async (...args) => {
      const notes = temporaryFolder()
      write(notes, 'my-notes.txt', 'mine')
      const { code, stdout, stderr } = await holdfast([...args, '--data', notes])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toBe(
        `There are no books in ${notes}: name their folder with --data, or their server with --database-url\n`,
      )
      expect(readdirSync(notes)).toEqual(['my-notes.txt'])
    },
  )

  test('the environment says where the books are, and an option goes before it', async () => {
    const env = { HOLDFAST_DATABASE_URL: 'mysql://x' }
    const wrong = await holdfast(['balance', 'a'], { env })
    expect(wrong).toMatchObject({ code: 2 })
    expect(wrong.stderr).toContain('HOLDFAST_DATABASE_URL: a URL that begins with postgres://')
    const right = await holdfast(['balance', 'a', '--memory'], { env })
    expect(right.stderr).toBe('--book: there is no book main\n')
  })
})

test('a demo on a server that is away says so, and that it ends there', async () => {
  const url = 'postgres://user:secret@127.0.0.1:1/x'
  const { code, stderr } = await holdfast(['demo', 'payday', '--json', '--database-url', url])
  expect(code).toBe(3)
  expect(stderr).toContain('127.0.0.1:1')
  expect(stderr).toContain('The demo cannot go on: holdfast accounts ended with 3')
  expect(stderr).not.toMatch(/secret|bug/)
})
