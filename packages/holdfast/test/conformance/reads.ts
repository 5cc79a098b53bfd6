import { describe, expect, it } from 'vitest'
import { addMs } from '../../src/instant.ts'
import type { Entry } from '../../src/ledger/movement.ts'
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
import type { Scene } from '../support/subject.ts'

/** Entries by page, balances as of a recorded time, movements under a key. */
export function describeReads(scene: () => Scene): void {
  /** An account with a line of every kind, each list recorded at a time of its own. */
  async function lived(): Promise<Scene> {
    const s = await scene().given(open('w', null), open('a'), open('b'))
    const lists = [
      [transfer('t1', leg('w', 'a', 100n))],
      [hold('h1', leg('a', 'b', 30n)), hold('h2', leg('a', 'b', 20n))],
      [settle('h1', 25n)],
      [release('h2')],
      [reverse('r1', 't1', 40n)],
      [reverse('r2', 'h1')],
      [transfer('t2', [leg('a', 'b', 1n), leg('a', 'b', 2n), leg('b', 'a', 3n)])],
    ]
    for (const list of lists) {
      await s.given(...list)
      await s.subject.passTime(2)
    }
    return s
  }

  const lines: [key: string, part: 0 | 1, posted: bigint, held: bigint][] = [
    ['t1', 0, 100n, 0n],
    ['h1', 0, 100n, 30n],
    ['h2', 0, 100n, 50n],
    ['h1', 1, 75n, 20n],
    ['h2', 1, 75n, 0n],
    ['r1', 0, 35n, 0n],
    ['r2', 0, 60n, 0n],
    ['t2', 0, 59n, 0n],
    ['t2', 0, 57n, 0n],
    ['t2', 0, 60n, 0n],
  ]

  describe('entries', () => {
    it('are the lines of an account, newest first, version by version without a gap', async () => {
      const s = await lived()
      const entries = await s.store.entries(s.book, 'a', { limit: 100 })
      const expected = lines.map(([key, part, posted, held], index) => ({
        book: s.book,
        account: 'a',
        version: BigInt(index + 1),
        key,
        part,
        posted,
        held,
        recorded: '',
      }))
      expect(entries.map(entry => ({ ...entry, recorded: '' }))).toStrictEqual(expected.reverse())
      const times = entries.map(entry => entry.recorded)
      expect(times).toStrictEqual([...times].sort().reverse())
      const [newest] = entries
      expect(await s.balance('a')).toStrictEqual([newest?.posted, newest?.held, newest?.version])
    })

    it('carry the time of their movement', async () => {
      const s = await lived()
      for (const entry of await s.store.entries(s.book, 'a', { limit: 100 })) {
        const movements = await s.store.movements(s.book, entry.key)
        expect(movements[entry.part]?.recorded).toBe(entry.recorded)
      }
    })

    it('come a page at a time', async () => {
      const s = await lived()
      const whole = await s.store.entries(s.book, 'a', { limit: 100 })
      const paged: Entry[] = []
      let before: bigint | undefined
      for (let page = 0; page < 5; page += 1) {
        const entries = await s.store.entries(s.book, 'a', {
          ...(before !== undefined && { before }),
          limit: 3,
        })
        paged.push(...entries)
        before = entries.at(-1)?.version ?? before
      }
      expect(paged).toStrictEqual(whole)
      expect(await s.store.entries(s.book, 'a', { before: 1n, limit: 3 })).toStrictEqual([])
    })
  })

  describe('all entries of a book', () => {
    it('come by account and version, a page at a time from any place', async () => {
      const s = await lived()
      const whole: Entry[] = []
      for (const id of ['a', 'b', 'w'])
        whole.push(...(await s.store.entries(s.book, id, { limit: 100 })).reverse())
      expect(await s.store.allEntries(s.book, null, 100)).toStrictEqual(whole)
      for (const [index, place] of whole.entries())
        expect(await s.store.allEntries(s.book, place, 3)).toStrictEqual(
          whole.slice(index + 1, index + 4),
        )
    })
  })

  describe('an account as of a recorded time', () => {
    it('stands as it did then, at every one of its times', async () => {
      const s = await lived()
      const now = await s.store.account(s.book, 'a')
      const entries = (await s.store.entries(s.book, 'a', { limit: 100 })).reverse()
      const asOf = async (at: string) => {
        const account = await s.store.account(s.book, 'a', at)
        expect(account).toMatchObject({ book: s.book, id: 'a', asset: 'EUR/2', floor: 0n })
        return [account?.posted, account?.held, account?.version]
      }
      for (const [index, { recorded }] of entries.entries()) {
        // Of several versions at one time the last is the one that stood.
        const last = entries.findLast(entry => entry.recorded === recorded)
        expect(await asOf(recorded)).toStrictEqual([last?.posted, last?.held, last?.version])
        const before = entries.findLast((entry, at) => at < index && entry.recorded < recorded)
        expect(await asOf(addMs(recorded, -1))).toStrictEqual([
          before?.posted ?? 0n,
          before?.held ?? 0n,
          before?.version ?? 0n,
        ])
      }
      expect(await asOf('0001-01-01T00:00:00.000Z')).toStrictEqual([0n, 0n, 0n])
      expect(await asOf(NEVER)).toStrictEqual([now?.posted, now?.held, now?.version])
    })

    it('is nothing where the account has no line, and null where it is not there', async () => {
      const s = await scene().given(open('a', -5n), close('a'))
      expect(await s.store.account(s.book, 'a', NEVER)).toStrictEqual({
        ...(await s.store.account(s.book, 'a')),
        posted: 0n,
        held: 0n,
        version: 0n,
      })
      expect(await s.store.account(s.book, 'none', NEVER)).toBeNull()
    })
  })

  it('gives the movements under a key: the first, and the end of a hold', async () => {
    const s = await lived()
    const kinds = async (key: string) =>
      (await s.store.movements(s.book, key)).map(({ kind, part }) => [kind, part])
    expect(await kinds('h1')).toStrictEqual([
      ['hold', 0],
      ['settle', 1],
    ])
    expect(await kinds('h2')).toStrictEqual([
      ['hold', 0],
      ['release', 1],
    ])
    expect(await kinds('t1')).toStrictEqual([['transfer', 0]])
    expect(await kinds('r1')).toStrictEqual([['reverse', 0]])
    expect(await kinds('none')).toStrictEqual([])
  })

  it('gives the movements under several keys by key, each once', async () => {
    const s = await lived()
    const found = await s.store.movements(s.book, 't1', 'none', 'h1', 't1')
    expect(found.map(({ key, part }) => [key, part])).toStrictEqual([
      ['h1', 0],
      ['h1', 1],
      ['t1', 0],
    ])
    expect(await s.store.movements(s.book)).toStrictEqual([])
  })

  it('tells the time by its own clock', async () => {
    const s = scene()
    const before = await s.store.now(s.book)
    expect(before).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    await s.subject.passTime(3)
    const { recorded } = await (
      await s.given(open('w', null), open('a'))
    ).moved(transfer('t', leg('w', 'a', 1n)))
    expect(Date.parse(recorded) - Date.parse(before)).toBeGreaterThanOrEqual(3)
    expect((await s.store.now(s.book)) >= recorded).toBe(true)
  })
}
