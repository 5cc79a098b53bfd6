import { describe, expect, it } from 'vitest'
import {
  close,
  COIN,
  EUR,
  hold,
  leg,
  open,
  release,
  settle,
  transfer,
} from '../support/commands.ts'
import { movementOf, type Scene } from '../support/subject.ts'

/** Holding, settling whole and in part, releasing, replacing. */
export function describeHolds(scene: () => Scene): void {
  const funded = () =>
    scene().given(
      open('world', null),
      open('trial'),
      open('prepaid'),
      open('shop'),
      open('fees'),
      transfer('fund', [leg('world', 'trial', 30n), leg('world', 'prepaid', 100n)]),
    )

  describe('hold', () => {
    it('takes its sources at once and leaves its destination alone', async () => {
      const s = await funded()
      const command = hold('h', leg(['trial', 'prepaid'], 'shop', 50n, { atLeast: 1n }), {
        expiresInMs: 315_360_000_000,
        meta: { cart: 'x' },
      })
      const { recorded, ...movement } = await s.moved(command)
      expect(movement).toStrictEqual({
        book: s.book,
        key: 'h',
        part: 0,
        kind: 'hold',
        legs: [{ from: ['trial', 'prepaid'], to: 'shop', asset: EUR, amount: 50n, atLeast: 1n }],
        moved: [[30n, 20n]],
        of: null,
        replaces: null,
        amounts: null,
        expiresInMs: 315_360_000_000,
        effective: null,
        mayOwe: false,
        meta: { cart: 'x' },
        reason: null,
      })
      expect(recorded).not.toBe('')
      expect(await s.balance('trial')).toStrictEqual([30n, 30n, 2n])
      expect(await s.balance('prepaid')).toStrictEqual([100n, 20n, 2n])
      expect(await s.balance('shop')).toStrictEqual([0n, 0n, 0n])
    })

    it('keeps what it holds from being given twice', async () => {
      const s = await funded()
      await s.given(hold('h', leg('prepaid', 'shop', 60n)))
      const more = {
        code: 'INSUFFICIENT_FUNDS',
        leg: 0,
        sources: ['prepaid'],
        available: 40n,
        asked: 41n,
      }
      expect(await s.refused(transfer('t', leg('prepaid', 'shop', 41n)))).toStrictEqual(more)
      expect(await s.refused(hold('h2', leg('prepaid', 'shop', 41n)))).toStrictEqual(more)
    })

    it('does not let a later leg use what an earlier one will bring', async () => {
      const s = await funded()
      const legs = [leg('prepaid', 'shop', 10n), leg('shop', 'fees', 10n)]
      expect(await s.refused(hold('h', legs))).toMatchObject({ leg: 1, sources: ['shop'] })
    })
  })

  describe('settle', () => {
    it('brings the money, with one entry for each source and one for each destination', async () => {
      const s = await funded()
      await s.given(hold('h', [leg(['trial', 'prepaid'], 'shop', 50n), leg('prepaid', 'fees', 5n)]))
      const { recorded, ...movement } = await s.moved(settle('h'))
      const kept = { asset: EUR }
      expect(movement).toStrictEqual({
        book: s.book,
        key: 'h',
        part: 1,
        kind: 'settle',
        legs: [
          { ...kept, from: ['trial', 'prepaid'], to: 'shop', amount: 50n, atLeast: 50n },
          { ...kept, from: ['prepaid'], to: 'fees', amount: 5n, atLeast: 5n },
        ],
        moved: [[30n, 20n], [5n]],
        of: null,
        replaces: null,
        amounts: null,
        expiresInMs: null,
        effective: null,
        mayOwe: false,
        meta: null,
        reason: null,
      })
      expect(recorded).not.toBe('')
      expect(await s.balance('trial')).toStrictEqual([0n, 0n, 3n])
      expect(await s.balance('prepaid')).toStrictEqual([75n, 0n, 5n])
      expect(await s.balance('shop')).toStrictEqual([50n, 0n, 1n])
      expect(await s.balance('fees')).toStrictEqual([5n, 0n, 1n])
    })

    it('in part lets the first source give first, and frees the rest', async () => {
      const s = await funded()
      await s.given(hold('h', [leg(['trial', 'prepaid'], 'shop', 50n), leg('prepaid', 'fees', 5n)]))
      const movement = await s.moved(settle('h', 29n, 0n))
      expect(movement).toMatchObject({ moved: [[29n, 0n], [0n]], amounts: [29n, 0n] })
      expect(await s.balance('trial')).toStrictEqual([1n, 0n, 3n])
      expect(await s.balance('prepaid')).toStrictEqual([100n, 0n, 5n])
      expect(await s.balance('shop')).toStrictEqual([29n, 0n, 1n])
      // A destination that is not paid has no entry.
      expect(await s.balance('fees')).toStrictEqual([0n, 0n, 0n])
    })

    it('settles as much as an elastic hold took, and no more', async () => {
      const s = await funded()
      await s.given(hold('h', leg('trial', 'shop', 500n, { atLeast: 1n })))
      expect(await s.refused(settle('h', 31n))).toStrictEqual({
        code: 'AMOUNT_EXCEEDS_HOLD',
        leg: 0,
        available: 30n,
        asked: 31n,
        field: 'amounts[0]',
      })
      expect((await s.moved(settle('h'))).moved).toStrictEqual([[30n]])
    })

    it('does not ask for funds: they were set aside', async () => {
      const s = await scene().given(
        open('credit', -50n),
        open('shop'),
        hold('h', leg('credit', 'shop', 50n)),
      )
      await s.given(settle('h'))
      expect(await s.balance('credit')).toStrictEqual([-50n, 0n, 2n])
    })

    it('again with the same amounts is the stored answer; without any they are all', async () => {
      const s = await funded()
      await s.given(
        hold('all', leg('prepaid', 'shop', 20n)),
        hold('elastic', leg(['trial', 'fees'], 'shop', 40n, { atLeast: 1n })),
        hold('part', [leg('prepaid', 'shop', 20n), leg('prepaid', 'fees', 9n)]),
      )
      const first = [
        await s.moved(settle('all')),
        await s.moved(settle('elastic', 30n)),
        await s.moved(settle('part', 20n, 8n)),
      ]
      const replays = await s.send(
        settle('all'),
        settle('all', 20n),
        settle('elastic'),
        settle('elastic', 30n),
        settle('part', 20n, 8n),
      )
      expect(replays.map(movementOf)).toStrictEqual([0, 0, 1, 1, 2].map(index => first[index]))
      expect(replays.every(outcome => outcome.ok && outcome.replayed)).toBe(true)
      for (const other of [
        settle('all', 19n),
        settle('elastic', 40n),
        settle('part'),
        settle('part', 20n),
        settle('part', 20n, 9n),
      ])
        expect(await s.refused(other)).toStrictEqual({ code: 'HOLD_SETTLED', key: other.hold })
    })
  })

  describe('release', () => {
    it('gives the money back and keeps the reason; again is the stored answer', async () => {
      const s = await funded()
      await s.given(hold('h', leg(['trial', 'prepaid'], 'shop', 50n)))
      const movement = await s.moved(release('h', { reason: 'changed "mind" \\ ünïcode 🙂' }))
      expect(movement).toMatchObject({
        kind: 'release',
        part: 1,
        moved: [[30n, 20n]],
        reason: 'changed "mind" \\ ünïcode 🙂',
      })
      expect(await s.balance('trial')).toStrictEqual([30n, 0n, 3n])
      expect(await s.balance('prepaid')).toStrictEqual([100n, 0n, 3n])
      const again = { ok: true, replayed: true, movement }
      expect(await s.one(release('h'))).toStrictEqual(again)
      expect(await s.one(release('h', { reason: 'another' }))).toStrictEqual(again)
      expect(await s.one(release('h', { ifExpired: true }))).toStrictEqual(again)
      expect(await s.store.movements(s.book, 'h')).toMatchObject([{ kind: 'hold' }, movement])
    })

    it('and settle exclude each other', async () => {
      const s = await funded()
      await s.given(hold('h1', leg('prepaid', 'shop', 5n)), hold('h2', leg('prepaid', 'shop', 5n)))
      await s.given(release('h1'), settle('h2'))
      expect(await s.refused(settle('h1'))).toStrictEqual({ code: 'HOLD_RELEASED', key: 'h1' })
      expect(await s.refused(release('h2'))).toStrictEqual({ code: 'HOLD_SETTLED', key: 'h2' })
      expect(await s.refused(release('h2', { ifExpired: true }))).toMatchObject({
        code: 'HOLD_SETTLED',
      })
    })
  })

  describe('replaces', () => {
    it('frees the old hold first, so that its money can be held anew', async () => {
      const s = await funded()
      await s.given(hold('old', leg('prepaid', 'shop', 90n)))
      const movement = await s.moved(hold('new', leg('prepaid', 'shop', 100n), { replaces: 'old' }))
      expect(movement).toMatchObject({ replaces: 'old', moved: [[100n]] })
      expect(await s.balance('prepaid')).toStrictEqual([100n, 100n, 4n])
      const [, end] = await s.store.movements(s.book, 'old')
      expect(end).toMatchObject({ kind: 'release', part: 1, moved: [[90n]], reason: null })
      expect(await s.refused(settle('old'))).toMatchObject({ code: 'HOLD_RELEASED' })
      expect(await s.one(release('old'))).toStrictEqual({ ok: true, replayed: true, movement: end })
      await s.given(settle('new'))
    })

    it('ends nothing where the new hold is refused', async () => {
      const s = await funded()
      await s.given(hold('old', leg('prepaid', 'shop', 90n)))
      const more = hold('new', leg('prepaid', 'shop', 101n), { replaces: 'old' })
      expect(await s.refused(more)).toMatchObject({ code: 'INSUFFICIENT_FUNDS', available: 100n })
      expect(await s.balance('prepaid')).toStrictEqual([100n, 90n, 2n])
      await s.given(settle('old'))
    })

    it('takes the place of a hold on other accounts, in one list too', async () => {
      const s = await funded()
      await s.given(
        hold('h1', leg('prepaid', 'shop', 10n)),
        hold('h2', leg('trial', 'fees', 10n), { replaces: 'h1' }),
        hold('h3', leg('prepaid', 'fees', 100n), { replaces: 'h2' }),
        settle('h3'),
      )
      expect(await s.balance('trial')).toStrictEqual([30n, 0n, 3n])
      expect(await s.balance('prepaid')).toStrictEqual([0n, 0n, 5n])
    })

    it('works on a closed account and for a hold on another asset', async () => {
      const s = await funded()
      await s.given(open('coins', null, COIN), open('mine', 0n, COIN))
      await s.given(hold('old', leg('prepaid', 'shop', 10n)), close('prepaid'), close('shop'))
      await s.given(hold('new', leg('coins', 'mine', 1n, { asset: COIN }), { replaces: 'old' }))
      expect(await s.balance('prepaid')).toStrictEqual([100n, 0n, 3n])
    })
  })

  it('goes through a whole life in one list', async () => {
    const s = await funded()
    const outcomes = await s.send(
      hold('h', leg('prepaid', 'shop', 60n)),
      settle('h', 50n),
      settle('h', 50n),
      release('h'),
      transfer('t', leg('prepaid', 'shop', 50n)),
    )
    expect(outcomes).toMatchObject([
      { ok: true, replayed: false },
      { ok: true, replayed: false },
      { ok: true, replayed: true },
      { ok: false, refusal: { code: 'HOLD_SETTLED' } },
      { ok: true, replayed: false },
    ])
    expect(await s.balance('prepaid')).toStrictEqual([0n, 0n, 4n])
  })
}
