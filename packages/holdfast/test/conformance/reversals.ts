import { expect, it } from 'vitest'
import {
  EUR,
  hold,
  leg,
  mayOwe,
  open,
  release,
  reverse,
  settle,
  transfer,
} from '../support/commands.ts'
import type { Scene } from '../support/subject.ts'

/** Reversals of transfers and of settled holds, whole and in part. */
export function describeReversals(scene: () => Scene): void {
  const funded = () =>
    scene().given(
      open('world', null),
      open('trial'),
      open('prepaid'),
      open('shop'),
      open('fees'),
      transfer('fund', [leg('world', 'trial', 30n), leg('world', 'prepaid', 100n)]),
    )
  const paid = async () => {
    const s = await funded()
    return s.given(
      transfer('pay', [leg(['trial', 'prepaid'], 'shop', 50n), leg('prepaid', 'fees', 5n)]),
    )
  }

  it('mirrors a transfer whole, and says what each source was paid back', async () => {
    const s = await paid()
    const { recorded, ...movement } = await s.moved(reverse('back', 'pay'))
    expect(movement).toStrictEqual({
      book: s.book,
      key: 'back',
      part: 0,
      kind: 'reverse',
      legs: [
        { from: ['trial', 'prepaid'], to: 'shop', asset: EUR, amount: 50n, atLeast: 50n },
        { from: ['prepaid'], to: 'fees', asset: EUR, amount: 5n, atLeast: 5n },
      ],
      moved: [[30n, 20n], [5n]],
      of: 'pay',
      replaces: null,
      amounts: null,
      expiresInMs: null,
      effective: null,
      mayOwe: false,
      meta: null,
      reason: null,
    })
    expect(recorded).not.toBe('')
    expect(await s.balance('trial')).toStrictEqual([30n, 0n, 3n])
    expect(await s.balance('prepaid')).toStrictEqual([100n, 0n, 5n])
    expect(await s.balance('shop')).toStrictEqual([0n, 0n, 2n])
  })

  it('goes in parts, the last source that gave first, until nothing is left', async () => {
    const s = await paid()
    expect((await s.moved(reverse('r1', 'pay', 15n, 0n))).moved).toStrictEqual([[0n, 15n], [0n]])
    expect(await s.balance('fees')).toStrictEqual([5n, 0n, 1n])
    expect((await s.moved(reverse('r2', 'pay', 10n, 5n))).moved).toStrictEqual([[5n, 5n], [5n]])
    expect(await s.refused(reverse('r3', 'pay', 26n, 0n))).toStrictEqual({
      code: 'AMOUNT_EXCEEDS_TRANSFER',
      leg: 0,
      available: 25n,
      asked: 26n,
      field: 'amounts[0]',
    })
    expect(await s.refused(reverse('r3', 'pay', 25n, 1n))).toMatchObject({ leg: 1, available: 0n })
    const rest = await s.moved(reverse('r3', 'pay'))
    expect(rest).toMatchObject({ moved: [[25n, 0n], [0n]], amounts: null })
    expect(await s.refused(reverse('r4', 'pay'))).toStrictEqual({
      code: 'AMOUNT_EXCEEDS_TRANSFER',
      leg: 0,
      available: 0n,
      asked: 0n,
      field: 'amounts[0]',
    })
  })

  it('sees the reversals of its own list', async () => {
    const s = await paid()
    const outcomes = await s.send(
      reverse('r1', 'pay', 40n, 5n),
      reverse('r2', 'pay', 11n, 0n),
      reverse('r3', 'pay'),
      reverse('r4', 'pay'),
    )
    expect(outcomes).toMatchObject([
      { movement: { moved: [[20n, 20n], [5n]] } },
      { refusal: { code: 'AMOUNT_EXCEEDS_TRANSFER', available: 10n, asked: 11n } },
      { movement: { moved: [[10n, 0n], [0n]] } },
      { refusal: { code: 'AMOUNT_EXCEEDS_TRANSFER' } },
    ])
  })

  it('mirrors what a settled hold brought, not what it held', async () => {
    const s = await funded()
    await s.given(hold('h', leg(['trial', 'prepaid'], 'shop', 50n)), settle('h', 35n))
    expect(await s.refused(reverse('r', 'h', 36n))).toMatchObject({ available: 35n })
    expect((await s.moved(reverse('r', 'h', 6n))).moved).toStrictEqual([[1n, 5n]])
    expect((await s.moved(reverse('all', 'h'))).moved).toStrictEqual([[29n, 0n]])
    expect(await s.balance('prepaid')).toStrictEqual([100n, 0n, 4n])
  })

  it('mirrors what an elastic leg moved', async () => {
    const s = await funded()
    await s.given(transfer('t', leg('trial', 'shop', 500n, { atLeast: 1n })))
    expect(await s.refused(reverse('r', 't', 31n))).toMatchObject({ available: 30n })
    expect((await s.moved(reverse('r', 't'))).moved).toStrictEqual([[30n]])
  })

  it('takes the last leg first: what a later leg gives back pays for an earlier one', async () => {
    const s = await funded()
    await s.given(transfer('through', [leg('prepaid', 'shop', 40n), leg('shop', 'fees', 40n)]))
    expect(await s.balance('shop')).toStrictEqual([0n, 0n, 2n])
    await s.given(reverse('r', 'through'))
    expect(await s.balance('shop')).toStrictEqual([0n, 0n, 4n])
    expect(await s.balance('prepaid')).toStrictEqual([100n, 0n, 3n])
  })

  it('needs the money of the giver, unless it may owe', async () => {
    const s = await paid()
    await s.given(transfer('out', leg('shop', 'world', 20n)))
    expect(await s.refused(reverse('r', 'pay'))).toStrictEqual({
      code: 'INSUFFICIENT_FUNDS',
      leg: 0,
      sources: ['shop'],
      available: 30n,
      asked: 50n,
    })
    expect(await s.balance('fees')).toStrictEqual([5n, 0n, 1n])
    const movement = await s.moved(mayOwe(reverse('r', 'pay')))
    expect(movement.mayOwe).toBe(true)
    expect(await s.balance('shop')).toStrictEqual([-20n, 0n, 3n])
  })

  it('leaves alone what the giver has on hold', async () => {
    const s = await paid()
    await s.given(hold('h', leg('shop', 'world', 45n)))
    expect(await s.refused(reverse('r', 'pay'))).toMatchObject({ available: 5n, asked: 50n })
    await s.given(mayOwe(reverse('r', 'pay')))
    expect(await s.balance('shop')).toStrictEqual([0n, 45n, 3n])
    // The hold was promised before: it settles, and the account owes.
    await s.given(settle('h'))
    expect(await s.balance('shop')).toStrictEqual([-45n, 0n, 4n])
  })

  it('does not reverse a reversal, nor a hold that is not settled', async () => {
    const s = await paid()
    await s.given(
      reverse('r', 'pay'),
      hold('open', leg('prepaid', 'shop', 1n)),
      hold('released', leg('prepaid', 'shop', 1n)),
      release('released'),
    )
    for (const of of ['r', 'open', 'released'])
      expect(await s.refused(reverse('x', of))).toStrictEqual({ code: 'NOT_REVERSIBLE', key: of })
  })

  it('follows its original in the list that made it', async () => {
    const s = await funded()
    const outcomes = await s.send(
      transfer('t', leg('prepaid', 'shop', 10n)),
      reverse('r1', 't', 4n),
      hold('h', leg('prepaid', 'shop', 10n)),
      reverse('r2', 'h'),
      settle('h', 3n),
      reverse('r2', 'h'),
      reverse('r3', 'r2'),
    )
    expect(outcomes.map(outcome => (outcome.ok ? 'ok' : outcome.refusal.code))).toStrictEqual([
      'ok',
      'ok',
      'ok',
      'NOT_REVERSIBLE',
      'ok',
      'ok',
      'NOT_REVERSIBLE',
    ])
    expect(await s.balance('shop')).toStrictEqual([6n, 0n, 4n])
  })

  it('says what has been reversed so far, leg by leg', async () => {
    const s = await paid()
    const { store } = s
    expect(await store.reversed(s.book, 'pay')).toStrictEqual([])
    await s.moved(reverse('r1', 'pay', 35n, 0n))
    expect(await store.reversed(s.book, 'pay')).toStrictEqual([35n, 0n])
    await s.moved(reverse('r2', 'pay', 1n, 2n))
    expect(await store.reversed(s.book, 'pay')).toStrictEqual([36n, 2n])
    await s.given(hold('h', leg('prepaid', 'shop', 10n)), settle('h', 8n), reverse('r3', 'h', 3n))
    expect(await store.reversed(s.book, 'h')).toStrictEqual([3n])
    expect(await store.reversed(s.book, 'nothing')).toStrictEqual([])
    expect(await store.reversed('another-book', 'pay')).toStrictEqual([])
  })
}
