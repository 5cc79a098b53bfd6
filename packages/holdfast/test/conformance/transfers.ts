import { describe, expect, it } from 'vitest'
import { COIN, EUR, leg, NEVER, open, transfer } from '../support/commands.ts'
import type { Scene } from '../support/subject.ts'

/** Legs, sources, elastic legs, assets; all or nothing. */
export function describeTransfers(scene: () => Scene): void {
  const funded = () =>
    scene().given(
      open('world', null),
      open('trial'),
      open('prepaid'),
      open('shop'),
      transfer('fund', [leg('world', 'trial', 30n), leg('world', 'prepaid', 100n)]),
    )

  it('moves money and answers with the whole movement', async () => {
    const s = await funded()
    const { recorded, ...movement } = await s.moved(
      transfer('t', leg('prepaid', 'shop', 70n), {
        effective: '2026-11-30T10:00:00.5+02:00',
        meta: { order: 7 },
      }),
    )
    expect(movement).toStrictEqual({
      book: s.book,
      key: 't',
      part: 0,
      kind: 'transfer',
      legs: [{ from: ['prepaid'], to: 'shop', asset: EUR, amount: 70n, atLeast: 70n }],
      moved: [[70n]],
      of: null,
      replaces: null,
      amounts: null,
      expiresInMs: null,
      effective: '2026-11-30T08:00:00.500Z',
      mayOwe: false,
      meta: { order: 7 },
      reason: null,
    })
    expect(recorded).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(await s.balance('prepaid')).toStrictEqual([30n, 0n, 2n])
    expect(await s.balance('shop')).toStrictEqual([70n, 0n, 1n])
  })

  it('takes sources in order, each as far as it is available, and says what each gave', async () => {
    const s = await funded()
    const first = await s.moved(transfer('t1', leg(['trial', 'prepaid'], 'shop', 50n)))
    expect(first.moved).toStrictEqual([[30n, 20n]])
    const second = await s.moved(transfer('t2', leg(['trial', 'prepaid'], 'shop', 50n)))
    expect(second.moved).toStrictEqual([[0n, 50n]])
    const third = await s.moved(transfer('t3', leg(['prepaid', 'trial', 'world'], 'shop', 50n)))
    expect(third.moved).toStrictEqual([[30n, 0n, 20n]])
    // A source that gives nothing has no entry.
    expect(await s.balance('trial')).toStrictEqual([0n, 0n, 2n])
    expect(await s.balance('shop')).toStrictEqual([150n, 0n, 3n])
  })

  it('lets a source after one without a floor give nothing', async () => {
    const s = await funded()
    const movement = await s.moved(transfer('t', leg(['world', 'prepaid'], 'shop', 50n)))
    expect(movement.moved).toStrictEqual([[50n, 0n]])
  })

  it('moves what there is of an elastic leg, and refuses it below atLeast', async () => {
    const s = await funded()
    const elastic = leg(['trial', 'prepaid'], 'shop', 500n, { atLeast: 100n })
    expect((await s.moved(transfer('t1', elastic))).moved).toStrictEqual([[30n, 100n]])
    await s.given(transfer('more', leg('world', 'prepaid', 99n)))
    expect(await s.refused(transfer('t2', elastic))).toStrictEqual({
      code: 'INSUFFICIENT_FUNDS',
      leg: 0,
      sources: ['trial', 'prepaid'],
      available: 99n,
      asked: 100n,
    })
    await s.given(transfer('one-more', leg('world', 'prepaid', 1n)))
    expect((await s.moved(transfer('t2', elastic))).moved).toStrictEqual([[0n, 100n]])
  })

  it('pays the credit that crosses a daily cap whole', async () => {
    const s = await funded()
    await s.given(open('cap'), open('spent'), transfer('cap', leg('world', 'cap', 10n)))
    const credit = (key: string) =>
      transfer(key, [leg('cap', 'spent', 7n, { atLeast: 1n }), leg('world', 'shop', 7n)])
    expect((await s.moved(credit('c1'))).moved).toStrictEqual([[7n], [7n]])
    expect((await s.moved(credit('c2'))).moved).toStrictEqual([[3n], [7n]])
    expect(await s.refused(credit('c3'))).toMatchObject({ leg: 0, sources: ['cap'], available: 0n })
    expect(await s.balance('shop')).toStrictEqual([14n, 0n, 2n])
  })

  it('lets a leg use what an earlier one brought, and not what a later one brings', async () => {
    const s = await funded()
    const [there, on] = [leg('trial', 'shop', 30n), leg('shop', 'prepaid', 20n)]
    expect(await s.refused(transfer('t1', [on, there]))).toMatchObject({ leg: 0, available: 0n })
    expect((await s.moved(transfer('t2', [there, on]))).moved).toStrictEqual([[30n], [20n]])
    expect(await s.balance('shop')).toStrictEqual([10n, 0n, 2n])
  })

  it('moves several assets at once: an exchange is two legs', async () => {
    const s = await funded()
    await s.given(open('coins', null, COIN), open('mine', 0n, COIN))
    const legs = [leg('prepaid', 'shop', 100n), leg('coins', 'mine', 5n, { asset: COIN })]
    expect((await s.moved(transfer('t', legs))).moved).toStrictEqual([[100n], [5n]])
    expect(await s.balance('mine')).toStrictEqual([5n, 0n, 1n])
  })

  it('is all or nothing, leaves no trace when refused, and does not touch its neighbours', async () => {
    const s = await funded()
    const outcomes = await s.send(
      transfer('t1', leg('prepaid', 'shop', 60n)),
      transfer('t2', [leg('trial', 'shop', 30n), leg('prepaid', 'shop', 60n)]),
      transfer('t3', leg('prepaid', 'shop', 40n)),
    )
    expect(outcomes).toMatchObject([
      { ok: true },
      { refusal: { code: 'INSUFFICIENT_FUNDS', leg: 1, available: 40n, asked: 60n } },
      { ok: true },
    ])
    expect(await s.balance('trial')).toStrictEqual([30n, 0n, 1n])
    expect(await s.balance('shop')).toStrictEqual([100n, 0n, 2n])
    expect(await s.store.movements(s.book, 't2')).toStrictEqual([])
    const keys = (await s.store.feed(s.book, null, 10)).movements.map(movement => movement.key)
    expect(keys).toStrictEqual(['fund', 't1', 't3'])
    // A refusal is not stored: the same key may succeed later.
    await s.given(transfer('t2', [leg('trial', 'shop', 30n)]))
  })

  it('carries 100 legs, and 100 sources on a leg', async () => {
    const s = await scene().given(open('world', null), open('pot', null))
    const ids = Array.from({ length: 100 }, (_, index) => `a${index}`)
    await s.given(...ids.map(id => open(id)))
    await s.given(
      transfer(
        'spread',
        ids.map(id => leg('world', id, 2n)),
      ),
    )
    const gathered = await s.moved(transfer('gather', leg(ids, 'pot', 150n)))
    expect(gathered.moved).toStrictEqual([
      [...ids.slice(0, 75).map(() => 2n), ...ids.slice(75).map(() => 0n)],
    ])
    expect(await s.balance('pot')).toStrictEqual([150n, 0n, 1n])
    expect(await s.balance('world')).toStrictEqual([-200n, 0n, 100n])
  })

  it('answers an empty list with nothing', async () => {
    const s = scene()
    expect(await s.store.apply(s.book, [], NEVER)).toStrictEqual([])
  })

  describe('effective', () => {
    it.each([
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
      ['2024-02-29T12:30+05:30', '2024-02-29T07:00:00.000Z'],
      ['1969-12-31T23:59:59.001-00:00', '1969-12-31T23:59:59.001Z'],
      ['0044-03-15T12:00:00.120Z', '0044-03-15T12:00:00.120Z'],
    ])('keeps %s as %s', async (given, kept) => {
      const s = await scene().given(open('w', null), open('a'))
      const command = transfer('t', leg('w', 'a', 1n), { effective: given })
      expect((await s.moved(command)).effective).toBe(kept)
      const [stored] = await s.store.movements(s.book, 't')
      expect(stored?.effective).toBe(kept)
      expect(await s.one({ ...command, effective: kept })).toMatchObject({ replayed: true })
    })
  })
}
