import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { line } from '../../test/reconciliation/fixtures.ts'
import {
  fileOfBytes,
  statementFile,
  type WrittenStatement,
} from '../../test/reconciliation/statement-file.ts'
import { onPglite } from '../../test/reconciliation/on-pglite.ts'
import { SCHEMA } from '../../test/reconciliation/world.ts'
import type { Database } from '../stores/postgres/database.ts'
import { PostgresStatementStaging } from '../stores/postgres/statements/statement-staging.ts'
import { IntakeLost, type NumberedLine, type StatementStaging } from './intake-ports.ts'
import {
  STAGED_LINES_MAX,
  takeStatementFile,
  takeStatementFiles,
  type StatementFile,
} from './intake.ts'
import { readStatements } from './reader.ts'
import { StatementRefused } from './statement-refused.ts'
import type { StatementEvent } from './statement.ts'

let database: Database
let staging: PostgresStatementStaging
beforeAll(async () => {
  database = await onPglite()
  staging = new PostgresStatementStaging(database, SCHEMA)
})
afterAll(() => database.close())

let account = { book: '', bank: 'testbank', account: null as string | null, currency: 'EUR' }
beforeEach(() => {
  account = { ...account, book: `book-${randomBytes(6).toString('hex')}` }
})

const take = (file: StatementFile, as = account) => takeStatementFile(file, as, staging)

/** How many rows of the book there are in a table. */
async function count(table: string): Promise<number> {
  const sql = `select count(*)::integer as count from "${SCHEMA}".${table} where book = $1`
  return Number((await database.query(sql, [account.book])).rows[0]?.['count'])
}

const TABLES = ['statement_intake', 'statement', 'statement_line', 'statement_line_text']

async function rows(): Promise<number[]> {
  const counts = []
  for (const table of TABLES) counts.push(await count(table))
  return counts
}

function day(name: string, more: Partial<WrittenStatement> = {}): WrittenStatement {
  return { id: 'S1', opening: 1_000n, lines: [line({ booked: name })], ...more }
}

describe('files that are taken together', () => {
  const one = statementFile(day('2026-11-02'))
  const two = statementFile(day('2026-11-03'))
  const takeAll = (...files: StatementFile[]) => takeStatementFiles(files, account, staging)

  test('are taken in their order, each once', async () => {
    const before = await take(two)
    const outcome = await takeAll(one, two, one)
    expect(outcome).toMatchObject({
      ok: true,
      files: [{ taken: 'now' }, { taken: 'before' }, { taken: 'before' }],
    })
    const intakes = outcome.ok ? outcome.files.map(({ intake }) => intake) : []
    expect(intakes[1]).toBe(before.ok && before.intake)
    expect(intakes[2]).toBe(intakes[0])
    expect(await rows()).toEqual([2, 2, 2, 2])
  })

  test('are not taken where one of them is refused', async () => {
    const ofOther = statementFile(day('2026-11-04', { account: 'NL20INGB0001234567' }))
    const dollars = statementFile(day('2026-11-04', { currency: 'USD' }))
    const again = statementFile(day('2026-11-02', { closing: null }))
    for (const [bad, code] of [
      [ofOther, 'OTHER_ACCOUNT'],
      [dollars, 'OTHER_CURRENCY'],
      [again, 'STATEMENT_TAKEN_BEFORE'],
    ] as const) {
      const outcome = await takeAll(one, bad, two)
      expect(outcome).toMatchObject({ ok: false, file: 1, refusal: { code } })
      expect(await rows()).toEqual([0, 0, 0, 0])
    }
  })
})

describe('a file', () => {
  test('is taken whole, and recognised when it is given again', async () => {
    const file = statementFile(day('2026-11-02'), day('2026-11-03'))
    const outcome = await take(file)
    expect(outcome).toMatchObject({ ok: true, taken: 'now' })
    expect(await rows()).toEqual([1, 2, 2, 2])
    expect(await take(file)).toEqual({ ...outcome, taken: 'before' })
    expect(await rows()).toEqual([1, 2, 2, 2])
  })

  test('is refused whole by its reader, and nothing of it is left', async () => {
    const pieces = statementFile(day('2026-11-02', { lines: Array.from({ length: 2_500 }, line) }))
    for (const after of [0, 1, 999, 1_000, 1_001, 2_500, 2_501]) {
      const cut: StatementFile = {
        open: () => pieces.open(),
        async *read(chunks) {
          let events = 0
          for await (const event of pieces.read(chunks)) {
            if (events === after) throw new StatementRefused('cut off', `event ${after}`)
            events += 1
            yield event
          }
        },
      }
      await expect(take(cut)).rejects.toThrow('cut off')
      expect(await rows()).toEqual([0, 0, 0, 0])
    }
    expect(await take(pieces)).toMatchObject({ ok: true, taken: 'now' })
  })

  test('of a real format that is cut off leaves nothing', async () => {
    const cut = fileOfBytes('<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">')
    const file = { ...cut, read: readStatements }
    await expect(take(file)).rejects.toThrow(StatementRefused)
    expect(await rows()).toEqual([0, 0, 0, 0])
  })

  test('that changes while it is read is refused', async () => {
    const files = [statementFile(day('2026-11-02')), statementFile(day('2026-11-03'))]
    let opened = 0
    const changing: StatementFile = {
      open: () => (files[opened++] ?? statementFile()).open(),
      read: chunks => statementFile().read(chunks),
    }
    expect(await take(changing)).toMatchObject({ ok: false, refusal: { code: 'FILE_CHANGED' } })
    expect(await rows()).toEqual([0, 0, 0, 0])
  })

  test('of another account or currency is refused', async () => {
    const other = { ...account, account: 'NL20INGB0001234567' }
    expect(await take(statementFile(day('2026-11-02')), other)).toEqual({
      ok: false,
      refusal: {
        code: 'OTHER_ACCOUNT',
        message: 'Statement 1 is of the account NL91ABNA0417164300; testbank is NL20INGB0001234567',
      },
    })
    const dollars = statementFile(day('2026-11-02', { currency: 'USD' }))
    expect(await take(dollars)).toMatchObject({ refusal: { code: 'OTHER_CURRENCY' } })
    const mixed = day('2026-11-02', { lines: [line(), line({ currency: 'USD' })] })
    expect(await take(statementFile(mixed))).toMatchObject({
      refusal: { code: 'OTHER_CURRENCY', message: expect.stringContaining('Line 2') as string },
    })
    expect(await rows()).toEqual([0, 0, 0, 0])
  })

  test('of another account than the first one is refused, where none was named', async () => {
    await take(statementFile(day('2026-11-02')))
    const other = statementFile(day('2026-11-03', { account: 'NL20INGB0001234567' }))
    expect(await take(other)).toMatchObject({ refusal: { code: 'OTHER_ACCOUNT' } })
    const unnamed = statementFile(day('2026-11-03', { account: null }))
    expect(await take(unnamed)).toMatchObject({ ok: true })
    const elsewhere = { ...account, bank: 'otherbank' }
    expect(await take(other, elsewhere)).toMatchObject({ ok: true })
  })
})

describe('the same statement', () => {
  test('in a file with other bytes is refused', async () => {
    const first = await take(statementFile(day('2026-11-02')))
    const again = statementFile(day('2026-11-02'), { opening: null, lines: [] })
    expect(await take(again)).toEqual({
      ok: false,
      refusal: {
        code: 'STATEMENT_TAKEN_BEFORE',
        message: `Statement 1 (S1) was taken before, from a file with other bytes (SHA-256 ${first.ok ? first.hash : ''})`,
      },
    })
    expect(await rows()).toEqual([1, 1, 1, 1])
  })

  test('twice in one file is refused', async () => {
    expect(await take(statementFile(day('2026-11-02'), day('2026-11-02')))).toMatchObject({
      refusal: { code: 'STATEMENT_TAKEN_BEFORE' },
    })
  })

  test('is known by its days and opening balance too, since banks use an id again', async () => {
    await take(statementFile(day('2026-11-02')))
    for (const another of [
      day('2027-11-02'),
      day('2026-11-02', { opening: 900n }),
      day('2026-11-02', { id: 'S2' }),
      day('2026-11-02', { lines: [] }),
    ])
      expect(await take(statementFile(another))).toMatchObject({ ok: true, taken: 'now' })
    const corrected = day('2026-11-02', { lines: [line(), line()] })
    expect(await take(statementFile(corrected))).toMatchObject({ ok: false })
    const emptyAgain = statementFile(day('2026-11-02', { lines: [] }), day('2028-11-02'))
    expect(await take(emptyAgain)).toMatchObject({ ok: false })
  })

  test('is not known without an id; without balances it is known by its lines', async () => {
    for (const bytes of [1, 2]) {
      const unnamed = day('2026-11-02', { id: null, lines: Array.from({ length: bytes }, line) })
      expect(await take(statementFile(unnamed))).toMatchObject({ ok: true, taken: 'now' })
    }
    const bare = (...lines: WrittenStatement['lines']) =>
      statementFile(day('2026-11-02', { opening: null, lines }))
    expect(await take(bare(line()))).toMatchObject({ ok: true })
    expect(await take(bare(line(), line()))).toMatchObject({ ok: true })
    expect(await take(bare(line({ refs: { text: 'x' } })))).toMatchObject({ ok: false })
  })
})

describe('an intake that stopped half way', () => {
  const file = () => ({ book: account.book, bank: account.bank, hash: 'f'.repeat(64) })
  const staged: NumberedLine = { statement: 1, number: 1, line: line() }

  test('counts for nothing, and is removed by a later one', async () => {
    const stopped = await staging.begin(file())
    await staging.stageLines(file(), stopped, [staged])
    expect(await staging.find(file())).toBeNull()
    await take(statementFile(day('2026-11-02')))
    expect(await rows()).toEqual([2, 1, 2, 2])
    await database.query(
      `update "${SCHEMA}".statement_intake set touched = touched - interval '1 hour'
       where book = $1`,
      [account.book],
    )
    await take(statementFile(day('2026-11-03')))
    expect(await rows()).toEqual([2, 2, 2, 2])
    await expect(staging.stageLines(file(), stopped, [staged])).rejects.toThrow(IntakeLost)
    await expect(staging.accept([{ file: file(), intake: stopped }])).rejects.toThrow(IntakeLost)
  })
})

test('nothing is added to a file once it is accepted', async () => {
  const outcome = await take(statementFile(day('2026-11-02')))
  if (!outcome.ok) throw new Error(outcome.refusal.message)
  const { intake, hash } = outcome
  const file = { book: account.book, bank: account.bank, hash }
  const late = [{ statement: 1, number: 2, line: line() }]
  await expect(staging.stageLines(file, intake, late)).rejects.toThrow(IntakeLost)
  await staging.discard(file, intake)
  expect(await rows()).toEqual([1, 1, 1, 1])
})

test('two at once: one accepts the file, the other recognises it', async () => {
  const file = statementFile(day('2026-11-02'))
  const outcomes = await Promise.all([take(file), take(file), take(file)])
  expect(outcomes.map(outcome => outcome.ok && outcome.taken).sort()).toEqual([
    'before',
    'before',
    'now',
  ])
  expect(new Set(outcomes.map(outcome => outcome.ok && outcome.intake)).size).toBe(1)
  expect(await rows()).toEqual([1, 1, 1, 1])
})

test('of a file of 200,000 lines no more than a batch is held', async () => {
  const lines = 200_000
  let staged = 0
  let batchMax = 0
  const counting: StatementStaging = {
    find: () => Promise.resolve(null),
    begin: () => Promise.resolve('1'),
    stageLines: (_file, _intake, batch) => {
      staged += batch.length
      batchMax = Math.max(batchMax, batch.length)
      return Promise.resolve()
    },
    stageStatement: () => Promise.resolve(),
    accept: () => Promise.resolve({ accepted: true, intakes: [{ taken: 'now', intake: '1' }] }),
    discard: () => Promise.resolve(),
  }
  const file: StatementFile = {
    open: () => statementFile().open(),
    async *read() {
      await Promise.resolve()
      yield { type: 'statement', statement: 0, format: 'test' }
      for (let n = 0; n < lines; n += 1) {
        yield { type: 'line', statement: 0, line: line() } satisfies StatementEvent
      }
    },
  }
  expect(await takeStatementFile(file, account, counting)).toMatchObject({ ok: true })
  expect(staged).toBe(lines)
  expect(batchMax).toBe(STAGED_LINES_MAX)
})
