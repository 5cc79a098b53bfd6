import { startChild } from '#testing/child.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../src/ledger/command.ts'
import { toWireJson } from '../../src/ledger/wire.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { leg, NEVER, open, transfer } from '../support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { newBook } from '../support/subject.ts'

const SCRIPT = new URL('../support/submit-process.ts', import.meta.url)
const PROCESSES = 4

let server: PostgresDatabase
let store: PostgresStore

beforeAll(async () => {
  server = await migratedDatabase()
  store = new PostgresStore(server.database)
})
afterAll(() => server.close())

/** Starts the processes, lets all go at once, and gives what each was answered. */
async function race(
  book: string,
  commandsOf: (index: number) => readonly Command[],
): Promise<string[][]> {
  const children = Array.from({ length: PROCESSES }, (_, index) =>
    startChild(SCRIPT, [server.url, book, toWireJson(commandsOf(index))]),
  )
  await Promise.all(children.map(child => child.until(/ready\n/)))
  for (const child of children) child.process.stdin?.write('go\n')
  const endings = await Promise.all(children.map(child => child.ended))
  for (const ending of endings) expect(ending).toMatchObject({ code: 0, errors: '' })
  return endings.map(({ output }) => output.trim().split('\n').slice(1))
}

describe('processes that go at once', () => {
  it('withdraw 80 of 100 exactly once', async () => {
    const book = newBook()
    await store.apply(
      book,
      [open('w', null), open('a'), transfer('in', leg('w', 'a', 100n))],
      NEVER,
    )
    const answers = await race(book, process =>
      Array.from({ length: 5 }, (_, index) => transfer(`${process}-${index}`, leg('a', 'w', 80n))),
    )
    expect(answers.flat().sort()).toStrictEqual([
      ...Array.from({ length: PROCESSES * 5 - 1 }, () => 'INSUFFICIENT_FUNDS'),
      'ok',
    ])
    expect(await store.account(book, 'a')).toMatchObject({ posted: 20n, version: 2n })
  })

  it('use each key once, whatever stands under it', async () => {
    const book = newBook()
    const opened = Array.from({ length: PROCESSES }, (_, index) => open(`to${index}`))
    await store.apply(book, [open('a', null), ...opened], NEVER)
    const keys = Array.from({ length: 20 }, (_, index) => `k${index}`)
    const answers = await race(book, process =>
      keys.map(key => transfer(key, leg('a', `to${process}`, 1n))),
    )
    for (const index of keys.keys())
      expect(answers.map(each => each[index]).sort()).toStrictEqual([
        ...Array.from({ length: PROCESSES - 1 }, () => 'KEY_REUSED'),
        'ok',
      ])
    expect(await store.account(book, 'a')).toMatchObject({ posted: -20n, version: 20n })
  })
})
