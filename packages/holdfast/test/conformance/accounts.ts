import { describe, expect, it } from 'vitest'
import {
  close,
  COIN,
  hold,
  leg,
  mayOwe,
  open,
  release,
  reverse,
  settle,
  transfer,
} from '../support/commands.ts'
import { newBook, type Scene } from '../support/subject.ts'
import { NEVER } from '../support/commands.ts'

/** Opening, closing, floors, lists of accounts and of books. */
export function describeAccounts(scene: () => Scene): void {
  describe('open', () => {
    it('makes an account with nothing on it', async () => {
      const s = scene()
      expect(await s.one(open('user:1', -50n, COIN))).toStrictEqual({ ok: true, replayed: false })
      expect(await s.store.account(s.book, 'user:1')).toStrictEqual({
        book: s.book,
        id: 'user:1',
        asset: COIN,
        floor: -50n,
        posted: 0n,
        held: 0n,
        version: 0n,
        closed: false,
      })
      expect(await s.store.entries(s.book, 'user:1', { limit: 10 })).toStrictEqual([])
    })

    it('again is a replay, also within one list and after the account was closed', async () => {
      const s = scene()
      const again = { ok: true, replayed: true }
      expect(await s.send(open('a', null), open('a', null))).toStrictEqual([
        { ok: true, replayed: false },
        again,
      ])
      expect(await s.one(open('a', null))).toStrictEqual(again)
      await s.given(close('a'))
      expect(await s.one(open('a', null))).toStrictEqual(again)
      expect(await s.store.account(s.book, 'a')).toMatchObject({ closed: true })
    })

    it('comes too late for what stands before it in the list', async () => {
      const s = await scene().given(open('world', null))
      const [before, opened, after] = await s.send(
        transfer('t1', leg('world', 'late', 1n)),
        open('late'),
        transfer('t2', leg('world', 'late', 1n)),
      )
      expect(before).toMatchObject({ refusal: { code: 'ACCOUNT_NOT_FOUND', account: 'late' } })
      expect(opened).toStrictEqual({ ok: true, replayed: false })
      expect(after).toMatchObject({ ok: true })
    })

    it('takes names of every allowed character and of 128 characters', async () => {
      const s = scene()
      const names = ['AZaz09._:/@+-', 'a', '-', 'x'.repeat(128)]
      await s.given(...names.map(name => open(name)))
      const accounts = await s.store.accounts(s.book, { limit: 10 })
      expect(accounts.map(account => account.id)).toStrictEqual([...names].sort())
    })

    it('takes every scale', async () => {
      const s = scene()
      const assets = ['A/0', 'GBP/6', 'ETH/18', 'X123456789012345/9']
      await s.given(...assets.map((asset, index) => open(`a${index}`, 0n, asset)))
      const accounts = await s.store.accounts(s.book, { limit: 10 })
      expect(accounts.map(account => account.asset)).toStrictEqual(assets)
    })
  })

  describe('close', () => {
    it('refuses new transfers and holds on either side, and nothing else', async () => {
      const s = await scene().given(
        open('world', null),
        open('a'),
        open('b'),
        transfer('in', leg('world', 'a', 100n)),
        hold('h1', leg('a', 'b', 10n)),
        hold('h2', leg('a', 'b', 20n)),
        close('a'),
        close('b'),
      )
      expect(await s.refused(transfer('t', leg('a', 'world', 1n)))).toMatchObject({ account: 'a' })
      expect(await s.refused(hold('h', leg('world', 'b', 1n)))).toMatchObject({ account: 'b' })
      await s.given(settle('h1', 4n), release('h2'), reverse('r', 'in', 60n))
      expect(await s.balance('a')).toStrictEqual([36n, 0n, 6n])
      expect(await s.balance('b')).toStrictEqual([4n, 0n, 1n])
    })

    it('again is a replay', async () => {
      const s = await scene().given(open('a'))
      expect(await s.send(close('a'), close('a'))).toStrictEqual([
        { ok: true, replayed: false },
        { ok: true, replayed: true },
      ])
      expect(await s.one(close('a'))).toStrictEqual({ ok: true, replayed: true })
    })
  })

  describe('a floor', () => {
    it('is what available may be lowered to', async () => {
      const s = await scene().given(
        open('world', null),
        open('credit', -50n),
        open('reserve', 100n),
        transfer('in', leg('world', 'reserve', 130n)),
      )
      expect(await s.refused(transfer('t1', leg('credit', 'world', 51n)))).toMatchObject({
        code: 'INSUFFICIENT_FUNDS',
        available: 50n,
      })
      expect(await s.refused(hold('t2', leg('reserve', 'world', 31n)))).toMatchObject({
        code: 'INSUFFICIENT_FUNDS',
        available: 30n,
      })
      await s.given(
        transfer('t3', leg('credit', 'world', 50n)),
        hold('t4', leg('reserve', 'world', 30n)),
      )
      expect(await s.balance('credit')).toStrictEqual([-50n, 0n, 1n])
      expect(await s.balance('reserve')).toStrictEqual([130n, 30n, 2n])
    })

    it('does not keep an account that is below it from receiving', async () => {
      const s = await scene().given(
        open('world', null),
        open('buyer', 50n),
        open('seller'),
        transfer('in', leg('world', 'seller', 100n)),
        transfer('fund', leg('world', 'buyer', 60n)),
        transfer('buy', leg('buyer', 'seller', 10n)),
        transfer('out', leg('seller', 'world', 110n)),
        mayOwe(reverse('chargeback', 'buy')),
        transfer('small', leg('world', 'seller', 3n)),
      )
      expect(await s.balance('seller')).toStrictEqual([-7n, 0n, 5n])
      expect(await s.refused(transfer('more', leg('seller', 'world', 1n)))).toMatchObject({
        available: 0n,
        asked: 1n,
      })
    })

    it('that is absent leaves the account without bound', async () => {
      const s = await scene().given(open('world', null), open('a'))
      await s.given(transfer('t', leg('world', 'a', 10n ** 15n)))
      expect(await s.balance('world')).toStrictEqual([-(10n ** 15n), 0n, 1n])
    })
  })

  describe('lists', () => {
    it('gives the accounts of a book by id, a page at a time', async () => {
      const s = scene()
      const ids = ['b', 'B', 'a', 'a:2', 'a:10', 'a/1', '_']
      await s.given(...ids.map(id => open(id)))
      const sorted = [...ids].sort()
      expect(await idsOf(s, { limit: 100 })).toStrictEqual(sorted)
      expect(await idsOf(s, { limit: 3 })).toStrictEqual(sorted.slice(0, 3))
      expect(await idsOf(s, { after: sorted[2] ?? '', limit: 3 })).toStrictEqual(sorted.slice(3, 6))
      expect(await idsOf(s, { after: 'a:1', limit: 100 })).toStrictEqual(['a:10', 'a:2', 'b'])
      expect(await idsOf(s, { after: 'b', limit: 3 })).toStrictEqual([])
    })

    it('gives the books that have an account', async () => {
      const [first, second, empty] = [scene(), scene(), scene()]
      await first.given(open('a'))
      await second.given(open('a'), open('b'))
      await empty.send(transfer('t', leg('a', 'b', 1n)), close('a'))
      const books = await first.store.books()
      expect(books).toContain(first.book)
      expect(books.filter(book => book === second.book)).toHaveLength(1)
      expect(books).not.toContain(empty.book)
      expect(books).toStrictEqual([...books].sort())
    })

    it('knows nothing of an account or a book that is not there', async () => {
      const s = scene()
      const nowhere = newBook()
      expect(await s.store.account(nowhere, 'a')).toBeNull()
      expect(await s.store.account(nowhere, 'a', NEVER)).toBeNull()
      expect(await s.store.accounts(nowhere, { limit: 10 })).toStrictEqual([])
      expect(await s.store.entries(nowhere, 'a', { limit: 10 })).toStrictEqual([])
      expect(await s.store.movements(nowhere, 'k')).toStrictEqual([])
      expect(await s.store.expiredHolds(nowhere, 10)).toStrictEqual([])
      expect((await s.store.feed(nowhere, null, 10)).movements).toStrictEqual([])
    })
  })

  it('keeps books apart: same accounts and keys, nothing shared', async () => {
    const [first, second] = [scene(), scene()]
    await first.given(
      open('w', null),
      open('a'),
      transfer('t', leg('w', 'a', 5n)),
      hold('h', leg('a', 'w', 5n)),
    )
    await second.given(open('w', null), open('a', null))
    expect(await second.one(settle('h'))).toMatchObject({ refusal: { code: 'HOLD_NOT_FOUND' } })
    expect(await second.one(reverse('r', 't'))).toMatchObject({
      refusal: { code: 'TRANSFER_NOT_FOUND' },
    })
    await second.given(transfer('t', leg('a', 'w', 7n)), hold('h', leg('a', 'w', 1n)))
    expect(await first.balance('a')).toStrictEqual([5n, 5n, 2n])
    expect(await second.balance('a')).toStrictEqual([-7n, 1n, 2n])
    expect(await first.store.movements(first.book, 't')).toMatchObject([{ moved: [[5n]] }])
    expect(await second.store.movements(second.book, 't')).toMatchObject([{ moved: [[7n]] }])
  })
}

async function idsOf(s: Scene, page: { after?: string; limit: number }): Promise<string[]> {
  return (await s.store.accounts(s.book, page)).map(account => account.id)
}
