import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { holdfast, objects, temporaryFolder, write } from './support/holdfast.ts'
import { PLACES, SERVER } from './support/places.ts'

const files = temporaryFolder()

const OPENINGS = [
  { do: 'open', account: 'world', asset: 'EUR/2' },
  { do: 'open', account: 'user:1', asset: 'EUR/2', floor: '0' },
]

function transfer(key: string, amount: unknown): Record<string, unknown> {
  return {
    do: 'transfer',
    key,
    legs: [{ from: 'world', to: 'user:1', asset: 'EUR/2', amount }],
  }
}

function lines(...lists: unknown[]): string {
  return lists.map(list => `${JSON.stringify(list)}\n`).join('')
}

/** Command lists with their right outcomes, kept beside the project. */
const VECTORS = new URL('../../../../shared/vectors/ledger.jsonl', import.meta.url)
/** So many of them are tried; the ledger's own suite tries them all. */
const VECTORS_TRIED = 5

interface Scenario {
  readonly name: string
  readonly commands: unknown[]
  readonly outcomes: { ok: boolean; replayed?: boolean; code?: string }[]
  readonly accounts: Record<string, { posted: string; held: string; version: number }>
}

interface Answer {
  readonly book: string
  readonly outcomes: { ok: boolean; replayed?: boolean; refusal?: { code: string } }[]
  readonly accounts: Record<string, { posted: string; held: string; version: string }>
}

describe('apply', () => {
  test('answers each line in its order, and goes on after a refusal', async () => {
    const input = lines(
      { book: 'b', commands: [...OPENINGS, transfer('t1', '1005')] },
      { commands: [{ do: 'close', account: 'nobody' }] },
      { book: 'b', commands: [transfer('t1', '1005'), transfer('t2', '0')] },
    )
    const { code, stdout, stderr } = await holdfast(['apply', '-', '--memory'], { input })
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(objects(stdout)).toMatchObject([
      {
        book: 'b',
        outcomes: [{ ok: true }, { ok: true }, { ok: true, replayed: false }],
        accounts: {
          'user:1': { posted: '1005', held: '0', version: '1' },
          world: { posted: '-1005', held: '0', version: '1' },
        },
      },
      { book: 'main', outcomes: [{ refusal: { code: 'ACCOUNT_NOT_FOUND' } }], accounts: {} },
      {
        book: 'b',
        outcomes: [
          { ok: true, replayed: true },
          { ok: false, refusal: { code: 'INVALID_AMOUNT', field: 'legs[0].amount' } },
        ],
      },
    ])
  })

  test('is clean where nothing is refused', async () => {
    const input = lines({ commands: OPENINGS })
    expect(await holdfast(['apply', '-', '--memory'], { input })).toMatchObject({ code: 0 })
  })

  test('names accounts that a list touches without naming them', async () => {
    const legs = [{ from: 'world', to: 'user:1', asset: 'EUR/2', amount: '5' }]
    const input = lines(
      { commands: [...OPENINGS, { do: 'hold', key: 'h', legs }] },
      { commands: [{ do: 'settle', hold: 'h' }] },
    )
    const { stdout } = await holdfast(['apply', '-', '--memory'], { input })
    expect(objects(stdout)[1]).toMatchObject({
      accounts: { 'user:1': { posted: '5' }, world: { posted: '-5' } },
    })
  })

  const amounts: unknown[] = [
    ...['0', '-1', '1e3', '0x10', '1,000.00', '10.005', '', ' 1', '01'],
    ...[(2n ** 63n).toString(), (2n ** 64n).toString(), '9'.repeat(40), 10, 1.5, null, true, {}],
  ]
  test('refuses every amount that is none', async () => {
    const commands = amounts.map((amount, index) => transfer(`t${index}`, amount))
    const input = lines({ commands: [...OPENINGS, ...commands] })
    const { stdout } = await holdfast(['apply', '-', '--memory'], { input })
    const [answer] = objects(stdout) as unknown as Answer[]
    const codes = answer?.outcomes.slice(OPENINGS.length).map(outcome => outcome.refusal?.code)
    expect(codes).toEqual(amounts.map(() => 'INVALID_AMOUNT'))
  })

  const bad: [why: string, content: string | Buffer, message: string][] = [
    ['an empty file', '', 'is empty'],
    ['only blank lines', '\n \n', 'is empty'],
    ['a binary file', Buffer.from([0xff, 0xfe, 0, 1]), 'not UTF-8 text'],
    ['a NUL character', '{"commands":\0}', 'has a NUL character'],
    ['no JSON', lines({ commands: [] }) + '{"commands":[', 'line 2: not JSON'],
    ['no object', '[1]\n', 'line 1: a command list is a JSON object'],
    ['no commands', '{"book":"b"}\n', 'line 1: commands: a list of commands'],
    ['an unknown field', '{"commands":[],"boko":"b"}', 'line 1: boko: no field of a command list'],
    ['a book of another form', '{"book":"a b","commands":[]}', 'line 1: book: 1 to 128'],
    ['a book that is no text', '{"book":7,"commands":[]}', 'line 1: book: 1 to 128'],
    ['an unknown command', lines({ commands: [{ do: 'pay' }] }), 'line 1: commands[0]: do: one of'],
    [
      'an unknown field of a command',
      lines({ commands: [{ do: 'close', acount: 'a' }] }),
      'line 1: commands[0]: acount: no field of a close',
    ],
  ]
  test.each(bad)('takes nothing of a file with %s', async (_why, content, message) => {
    const file = write(files, 'bad.jsonl', content)
    const { code, stdout, stderr } = await holdfast(['apply', file, '--memory'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(file)
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/\n +at /)
  })

  test('names every bad line, and reads Windows line ends and a byte order mark', async () => {
    const input = `\ufeff{"commands":[]}\r\n7\r\n{"commands":[]}\r\n8\r\n`
    const { code, stderr } = await holdfast(['apply', '-', '--memory'], { input })
    expect(code).toBe(2)
    expect(stderr.split('\n').map(line => /line \d/.exec(line)?.[0])).toEqual([
      'line 2',
      'line 4',
      undefined,
    ])
  })

  test.each(['none.jsonl', '.'])('says why %s cannot be read', async name => {
    const { code, stderr } = await holdfast(['apply', `${files}/${name}`, '--memory'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/there is no such file|is a folder/)
  })
})

describe('apply on a Postgres server', () => {
  const { options } = SERVER.make()

  test('applies nothing of a file with one bad line', async () => {
    const bad = write(files, 'one-bad.jsonl', `${lines({ commands: OPENINGS })}7\n`)
    expect(await holdfast(['apply', bad, ...options()])).toMatchObject({ code: 2, stdout: '' })
    const good = write(files, 'good.jsonl', lines({ commands: OPENINGS }))
    const { code, stdout } = await holdfast(['apply', good, ...options()])
    expect(code).toBe(0)
    expect(objects(stdout)[0]?.['outcomes']).toEqual([
      { ok: true, replayed: false },
      { ok: true, replayed: false },
    ])
  })

  const keys: [key: unknown, code: string | undefined][] = [
    ['', 'INVALID_KEY'],
    ['k'.repeat(256), 'INVALID_KEY'],
    ['a\0b', 'INVALID_KEY'],
    ['a b', 'INVALID_KEY'],
    ['🙂', 'INVALID_KEY'],
    [7, 'INVALID_KEY'],
    ['k'.repeat(128), undefined],
    ['twice', undefined],
  ]
  test('refuses every key that is none', async () => {
    const commands = [...keys.map(([key]) => transfer(key as string, '5')), transfer('twice', '6')]
    const input = lines({ book: 'keys', commands: [...OPENINGS, ...commands] })
    const { stdout } = await holdfast(['apply', '-', ...options()], { input })
    const [answer] = objects(stdout) as unknown as Answer[]
    const codes = answer?.outcomes.slice(OPENINGS.length).map(outcome => outcome.refusal?.code)
    expect(codes).toEqual([...keys.map(([, code]) => code), 'KEY_REUSED'])
    expect(answer?.outcomes.at(-1)?.refusal).toMatchObject({ fields: ['legs[0].amount'] })
  })
})

describe.each(PLACES)('apply on $name', place => {
  const { options } = place.make()

  test('a file given again is answered from what is stored', async () => {
    const file = write(files, 'twice.jsonl', lines({ commands: [...OPENINGS, transfer('t', '5')] }))
    const first = await holdfast(['apply', file, ...options()])
    const second = await holdfast(['apply', file, ...options()])
    const [before] = objects(first.stdout) as unknown as Answer[]
    const [after] = objects(second.stdout) as unknown as Answer[]
    expect(after?.outcomes.map(outcome => outcome.replayed)).toEqual([true, true, true])
    expect(after?.accounts).toEqual(before?.accounts)
  })

  test('two processes with one key and different content: one moves money', async () => {
    const ends = await Promise.all(
      ['7', '8'].map(amount => {
        const commands = [...OPENINGS, transfer('race', amount)]
        const file = write(files, `race-${amount}.jsonl`, lines({ book: 'race', commands }))
        return holdfast(['apply', file, ...options()])
      }),
    )
    // A folder is for one process: the second is told so, and has done nothing.
    const done = ends.filter(({ code }) => code !== 2)
    const outcomes = done.flatMap(({ stdout }) =>
      (objects(stdout) as unknown as Answer[]).map(answer => answer.outcomes[2]),
    )
    expect(outcomes.filter(outcome => outcome?.ok)).toHaveLength(1)
    expect(
      outcomes.filter(outcome => !outcome?.ok).every(o => o?.refusal?.code === 'KEY_REUSED'),
    ).toBe(true)
    for (const { code, stderr } of ends) if (code === 2) expect(stderr).toContain('is in use')
  })

  test.skipIf(!existsSync(VECTORS)).each([[], ['--one-by-one']])(
    'gives the right outcomes (needs ../shared/vectors beside the project) %s',
    async (...how) => {
      const scenarios = readFileSync(VECTORS, 'utf8')
        .trim()
        .split('\n')
        .slice(0, VECTORS_TRIED)
        .map(line => JSON.parse(line) as Scenario)
      const prefix = `v${how.length}-`
      const input = lines(
        ...scenarios.map(({ name, commands }) => ({ book: prefix + name, commands })),
      )
      const file = write(files, 'vectors.jsonl', input)
      const { stdout } = await holdfast(['apply', file, ...options(), ...how])
      const answers = objects(stdout) as unknown as Answer[]
      expect(answers.map(answer => answer.book)).toEqual(scenarios.map(({ name }) => prefix + name))
      for (const [index, scenario] of scenarios.entries()) {
        const outcomes = answers[index]?.outcomes.map(({ ok, replayed, refusal }) =>
          ok ? { ok, replayed } : { ok, code: refusal?.code },
        )
        expect(outcomes, scenario.name).toEqual(scenario.outcomes)
        const accounts = Object.entries(scenario.accounts).map(
          ([id, { posted, held, version }]) =>
            [id, { posted, held, version: String(version) }] as const,
        )
        expect(answers[index]?.accounts, scenario.name).toMatchObject(Object.fromEntries(accounts))
      }
    },
    120_000,
  )
})
