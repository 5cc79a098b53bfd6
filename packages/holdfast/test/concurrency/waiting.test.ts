import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addMs } from '../../src/instant.ts'
import { check } from '../../src/ledger/check.ts'
import type { Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import type { Outcome } from '../../src/ledger/outcome.ts'
import { PostgresStore } from '../../src/stores/postgres/postgres-store.ts'
import {
  close,
  hold,
  leg,
  NEVER,
  open,
  release,
  reverse,
  settle,
  transfer,
} from '../support/commands.ts'
import { migratedDatabase, type PostgresDatabase } from '../support/postgres.ts'
import { newBook } from '../support/subject.ts'
import { clockAt, openTransaction, sessionsWaiting } from '../support/waiting.ts'

/** Long enough to be reached only after the list has begun to wait. */
const SHORTLY_MS = 400

let server: PostgresDatabase
let store: PostgresStore

beforeAll(async () => {
  server = await migratedDatabase()
  store = new PostgresStore(server.database)
})
afterAll(() => server.close())

async function prepared(): Promise<string> {
  const book = newBook()
  const outcomes = await store.apply(
    book,
    [
      open('w', null),
      open('a'),
      open('b'),
      transfer('in', leg('w', 'a', 100n)),
      hold('h', leg('a', 'b', 20n)),
    ],
    NEVER,
  )
  expect(outcomes.every(outcome => outcome.ok)).toBe(true)
  return book
}

/**
 * What `after` is answered where it came while `before` had its locks and had not committed: the
 * same as if it had come afterwards.
 */
async function meeting(
  book: string,
  before: readonly Command[],
  after: readonly Command[],
): Promise<Outcome[]> {
  const first = await openTransaction(server.database)
  await store.applyWithin(first.tx, book, before)
  const answer = new Ledger({ store, book }).apply(after)
  await sessionsWaiting(server.database, 1)
  await first.commit()
  return answer
}

describe('a list that waited for another one sees all that it did', () => {
  it('balances', async () => {
    const book = await prepared()
    const outcomes = await meeting(
      book,
      [transfer('t1', leg('a', 'w', 70n))],
      [transfer('t2', leg('a', 'w', 70n)), transfer('t3', leg('a', 'w', 10n))],
    )
    expect(outcomes).toMatchObject([
      { refusal: { code: 'INSUFFICIENT_FUNDS', available: 10n } },
      { ok: true },
    ])
    expect(await store.account(book, 'a')).toMatchObject({ posted: 20n, version: 4n })
  })

  it('the end of a hold', async () => {
    for (const [before, after, code] of [
      [settle('h'), release('h'), 'HOLD_SETTLED'],
      [release('h'), settle('h'), 'HOLD_RELEASED'],
      [settle('h', 5n), settle('h'), 'HOLD_SETTLED'],
      [hold('new', leg('b', 'a', 1n), { replaces: 'h' }), settle('h'), null],
    ] as const) {
      const book = await prepared()
      const [outcome] = await meeting(book, [transfer('lock', leg('a', 'b', 1n)), before], [after])
      expect(outcome).toMatchObject({ refusal: { code: code ?? 'HOLD_RELEASED' } })
    }
  })

  it('reversals', async () => {
    const book = await prepared()
    const [outcome] = await meeting(book, [reverse('r1', 'in', 60n)], [reverse('r2', 'in', 41n)])
    expect(outcome).toMatchObject({ refusal: { code: 'AMOUNT_EXCEEDS_TRANSFER', available: 40n } })
  })

  it('what a hold was settled for, in time to be reversed', async () => {
    const book = await prepared()
    const [outcome] = await meeting(book, [settle('h', 5n)], [reverse('r', 'h')])
    expect(outcome).toMatchObject({ ok: true, movement: { moved: [[5n]] } })
  })

  it('a closing', async () => {
    const book = await prepared()
    const [outcome] = await meeting(book, [close('a')], [transfer('t', leg('a', 'w', 1n))])
    expect(outcome).toMatchObject({ refusal: { code: 'ACCOUNT_CLOSED', account: 'a' } })
  })

  it('an account that was opened', async () => {
    const book = await prepared()
    const outcomes = await meeting(
      book,
      [open('n', 5n)],
      [open('n', 6n), transfer('t', leg('w', 'n', 1n))],
    )
    expect(outcomes).toMatchObject([{ refusal: { code: 'ACCOUNT_DIFFERS' } }, { ok: true }])
  })

  it('a key that was used', async () => {
    const book = await prepared()
    const same = transfer('t', leg('a', 'w', 1n))
    expect(await meeting(book, [same], [same])).toMatchObject([{ ok: true, replayed: true }])
  })

  it('a hold and a transfer that were not there when it began', async () => {
    const book = await prepared()
    const outcomes = await meeting(
      book,
      [hold('late', leg('a', 'b', 30n)), transfer('tr', leg('a', 'b', 10n))],
      [transfer('t', leg('a', 'w', 1n)), settle('late', 20n), reverse('r', 'tr', 4n)],
    )
    expect(outcomes.every(outcome => outcome.ok && !outcome.replayed)).toBe(true)
    expect(await store.account(book, 'b')).toMatchObject({ posted: 26n })
  })
})

describe('a list that waits while an account is opened that it names', () => {
  /**
   * What `list` is answered, which waits for `a` while `n` is opened; once it goes on, `n` is held by
   * `other`, which commits only when the list waits for that too.
   */
  async function overtaken(book: string, list: readonly Command[], other: readonly Command[]) {
    const first = await openTransaction(server.database)
    await store.applyWithin(first.tx, book, [transfer('lock', leg('a', 'b', 1n))])
    const answer = new Ledger({ store, book }).apply(list)
    await sessionsWaiting(server.database, 1)
    await store.apply(book, [open('n'), open('v', null)], NEVER)
    const second = await openTransaction(server.database)
    await store.applyWithin(second.tx, book, other)
    await first.commit()
    await sessionsWaiting(server.database, 1)
    await second.commit()
    const outcomes = await answer
    const differences = []
    for await (const difference of check(store, book)) differences.push(difference)
    expect(differences).toStrictEqual([])
    return outcomes
  }

  it('moves nothing to it once it is closed', async () => {
    const book = await prepared()
    const outcomes = await overtaken(book, [transfer('t', leg('a', 'n', 5n))], [close('n')])
    expect(outcomes).toMatchObject([{ refusal: { code: 'ACCOUNT_CLOSED', account: 'n' } }])
    expect(await store.account(book, 'n')).toMatchObject({ posted: 0n, version: 0n, closed: true })
  })

  it('closes it after all', async () => {
    const book = await prepared()
    const list = [transfer('t', leg('a', 'w', 1n)), close('n')]
    const outcomes = await overtaken(book, list, [transfer('to-n', leg('v', 'n', 7n))])
    expect(outcomes).toMatchObject([{ ok: true }, { ok: true, replayed: false }])
    expect(await store.account(book, 'n')).toMatchObject({ posted: 7n, closed: true })
  })
})

describe('the clock is read once the locks are held', () => {
  it('so a list whose deadline passes while it waits does nothing', async () => {
    const book = await prepared()
    const first = await openTransaction(server.database)
    await store.applyWithin(first.tx, book, [transfer('t1', leg('a', 'w', 1n))])
    const deadline = addMs(await store.now(), SHORTLY_MS)
    const list = [open('new'), transfer('t2', leg('a', 'w', 1n)), close('b')]
    const late = store.apply(book, list, deadline).catch((error: unknown) => error)
    await sessionsWaiting(server.database, 1)
    await clockAt(store, book, deadline)
    await first.commit()
    expect(await late).toMatchObject({ name: 'ListNotApplied', reason: 'deadline' })
    expect(await store.movements(book, 't2')).toStrictEqual([])
    expect(await store.account(book, 'new')).toBeNull()
    expect(await store.account(book, 'b')).toMatchObject({ closed: false })
  })

  it('so a hold that expires while its settle waits is not settled', async () => {
    const book = await prepared()
    const [held] = await store.apply(
      book,
      [hold('brief', leg('a', 'b', 5n), { expiresInMs: SHORTLY_MS })],
      NEVER,
    )
    if (!held?.ok || !held.movement) throw new Error('the hold was refused')
    const first = await openTransaction(server.database)
    await store.applyWithin(first.tx, book, [transfer('t1', leg('a', 'w', 1n))])
    const late = store.apply(book, [settle('brief')], NEVER)
    await sessionsWaiting(server.database, 1)
    await clockAt(store, book, addMs(held.movement.recorded, SHORTLY_MS))
    await first.commit()
    expect(await late).toMatchObject([{ refusal: { code: 'HOLD_EXPIRED', key: 'brief' } }])
  })

  it('so the times of an account never go back', async () => {
    const book = await prepared()
    const first = await openTransaction(server.database)
    await store.applyWithin(first.tx, book, [transfer('lock', leg('w', 'b', 1n))])
    // It began before the next one, and is recorded after it.
    const waited = store.apply(
      book,
      [transfer('t1', [leg('a', 'w', 1n), leg('w', 'b', 1n)])],
      NEVER,
    )
    await sessionsWaiting(server.database, 1)
    const until = addMs(await store.now(), 20)
    await clockAt(store, book, until)
    await first.commit()
    const [outcome] = await waited
    if (!outcome?.ok || !outcome.movement) throw new Error('the transfer was refused')
    expect(outcome.movement.recorded >= until).toBe(true)
  })
})
