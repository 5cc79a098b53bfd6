import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/ledger/command.ts'
import {
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
import type { Scene } from '../support/subject.ts'

const EFFECTIVE = '2026-11-01T00:00:00Z'

/** A key moves money at most once (I1): stored answers, and what is refused under a used key. */
export function describeKeys(scene: () => Scene): void {
  const funded = () =>
    scene().given(
      open('world', null),
      open('a'),
      open('b'),
      open('c'),
      transfer('in', leg('world', 'a', 1000n)),
      transfer('more', leg('world', 'a', 1n)),
      hold('old', leg('a', 'b', 1n)),
    )

  const legs = [leg('a', 'b', 10n), leg(['a', 'b'], 'c', 20n)]
  const first: Record<string, Command> = {
    transfer: transfer('k', legs, { effective: EFFECTIVE, meta: { first: true } }),
    'elastic transfer': transfer('k', leg('a', 'b', 10n, { atLeast: 5n })),
    hold: hold('k', legs, { expiresInMs: 3_600_000, replaces: 'old', meta: { first: true } }),
    reverse: reverse('k', 'in', 5n),
    'reverse of all': reverse('k', 'in'),
  }

  describe.each(Object.entries(first))('a %s', (_, command) => {
    it('sent again gives the stored answer and moves nothing', async () => {
      const s = await funded()
      const movement = await s.moved(command)
      const before = await s.store.accounts(s.book, { limit: 10 })
      const again = { ok: true, replayed: true, movement }
      expect(await s.one(command)).toStrictEqual(again)
      expect(await s.send(command, command)).toStrictEqual([again, again])
      expect(await s.store.accounts(s.book, { limit: 10 })).toStrictEqual(before)
      expect(await s.store.movements(s.book, 'k')).toStrictEqual([movement])
    })

    it('twice in one list moves once', async () => {
      const s = await funded()
      const [one, two] = await s.send(command, command)
      expect(one).toMatchObject({ ok: true, replayed: false })
      expect(two).toStrictEqual({ ...one, replayed: true })
    })
  })

  it('gives the stored answer also where the same would be refused by now', async () => {
    const s = await funded()
    const all = transfer('all', leg('a', 'b', 999n))
    const movement = await s.moved(all)
    await s.given({ do: 'close', account: 'a' })
    expect(await s.one(all)).toStrictEqual({ ok: true, replayed: true, movement })
  })

  it('gives the stored answer of a hold that has ended since', async () => {
    const s = await funded()
    const held = await s.moved(hold('h', leg('a', 'b', 9n)))
    await s.given(settle('h'))
    expect(await s.one(hold('h', leg('a', 'b', 9n)))).toStrictEqual({
      ok: true,
      replayed: true,
      movement: held,
    })
    expect(await s.balance('a')).toStrictEqual([992n, 1n, 5n])
  })

  it('lets a refused key succeed later, with other content too', async () => {
    const s = await funded()
    expect(await s.refused(transfer('k', leg('b', 'c', 10n)))).toMatchObject({ available: 0n })
    await s.given(transfer('k', leg('a', 'c', 10n)))
  })

  describe('of the same content in other words', () => {
    const same: [string, Command, Command][] = [
      [
        'a source alone and in a list',
        transfer('k', leg('a', 'b', 1n)),
        transfer('k', leg(['a'], 'b', 1n)),
      ],
      [
        'atLeast absent and atLeast as much as the amount',
        transfer('k', leg('a', 'b', 5n)),
        transfer('k', leg('a', 'b', 5n, { atLeast: 5n })),
      ],
      [
        'an instant with another offset',
        transfer('k', leg('a', 'b', 1n), { effective: '2026-11-01T02:00:00.000+02:00' }),
        transfer('k', leg('a', 'b', 1n), { effective: EFFECTIVE }),
      ],
      [
        'other meta',
        transfer('k', leg('a', 'b', 1n), { meta: { note: 'first' } }),
        transfer('k', leg('a', 'b', 1n), { meta: { note: 'second' } }),
      ],
      [
        'meta and none',
        hold('k', leg('a', 'b', 1n)),
        hold('k', leg('a', 'b', 1n), { meta: { note: 'second' } }),
      ],
    ]
    it.each(same)('%s: a replay, the first wins', async (_, one, two) => {
      for (const [before, after] of [
        [one, two],
        [two, one],
      ] as const) {
        const s = await funded()
        const movement = await s.moved(before)
        expect(await s.one(after)).toStrictEqual({ ok: true, replayed: true, movement })
      }
    })
  })

  describe('of other content', () => {
    const one = leg('a', 'b', 10n)
    const plain = transfer('k', one)
    const held = hold('k', one)
    const cases: [differs: string[], first: Command, second: Command][] = [
      [['do'], plain, held],
      [['do'], held, plain],
      [['do'], plain, reverse('k', 'in')],
      [['do'], reverse('k', 'in'), held],
      [['legs'], plain, transfer('k', [one, one])],
      [['legs'], transfer('k', [one, one]), plain],
      [['legs[0].from'], plain, transfer('k', leg('c', 'b', 10n))],
      [['legs[0].from'], plain, transfer('k', leg(['a', 'c'], 'b', 10n))],
      [
        ['legs[0].from'],
        transfer('k', leg(['a', 'c'], 'b', 10n)),
        transfer('k', leg(['c', 'a'], 'b', 10n)),
      ],
      [['legs[0].to'], plain, transfer('k', leg('a', 'c', 10n))],
      [['legs[0].asset'], plain, transfer('k', leg('a', 'b', 10n, { asset: COIN }))],
      [['legs[0].asset'], plain, transfer('k', leg('a', 'b', 10n, { asset: 'EUR/3' }))],
      [['legs[0].amount'], plain, transfer('k', leg('a', 'b', 11n))],
      [['legs[0].atLeast'], plain, transfer('k', leg('a', 'b', 10n, { atLeast: 9n }))],
      [['legs[0].atLeast'], transfer('k', leg('a', 'b', 10n, { atLeast: 9n })), plain],
      [
        ['legs[0].amount', 'legs[0].atLeast'],
        transfer('k', leg('a', 'b', 10n, { atLeast: 9n })),
        transfer('k', leg('a', 'b', 11n)),
      ],
      [['legs[1].to'], transfer('k', [one, one]), transfer('k', [one, leg('a', 'c', 10n)])],
      [
        ['legs[0].from', 'legs[0].to', 'legs[1].amount'],
        transfer('k', [one, one]),
        transfer('k', [leg('b', 'a', 10n), leg('a', 'b', 9n)]),
      ],
      [['effective'], plain, transfer('k', one, { effective: EFFECTIVE })],
      [['effective'], transfer('k', one, { effective: EFFECTIVE }), plain],
      [['expiresInMs'], held, hold('k', one, { expiresInMs: 9_999_999 })],
      [
        ['expiresInMs'],
        hold('k', one, { expiresInMs: 9_999_999 }),
        hold('k', one, { expiresInMs: 1 }),
      ],
      [['replaces'], held, hold('k', one, { replaces: 'old' })],
      [['replaces'], hold('k', one, { replaces: 'old' }), held],
      [
        ['legs[0].amount', 'expiresInMs', 'replaces'],
        hold('k', one, { replaces: 'old' }),
        hold('k', leg('a', 'b', 11n), { replaces: 'other', expiresInMs: 5 }),
      ],
      [['of'], reverse('k', 'in', 5n), reverse('k', 'nothing', 5n)],
      [['amounts'], reverse('k', 'in', 5n), reverse('k', 'in', 6n)],
      [['amounts'], reverse('k', 'in'), reverse('k', 'in', 999n)],
      [['amounts'], reverse('k', 'in', 999n), reverse('k', 'in')],
      [['amounts'], reverse('k', 'in', 5n), reverse('k', 'in', 5n, 5n)],
      [['mayOwe'], reverse('k', 'in', 5n), mayOwe(reverse('k', 'in', 5n))],
      [['mayOwe'], mayOwe(reverse('k', 'in', 5n)), reverse('k', 'in', 5n)],
      [['of', 'amounts', 'mayOwe'], reverse('k', 'in', 5n), mayOwe(reverse('k', 'old'))],
    ]
    it.each(cases)('names what differs: %j', async (fields, before, after) => {
      const refusal = { code: 'KEY_REUSED', key: 'k', fields }
      const s = await funded()
      const movement = await s.moved(before)
      expect(await s.refused(after)).toStrictEqual(refusal)
      expect(await s.store.movements(s.book, 'k')).toStrictEqual([movement])
      const inOneList = await funded()
      expect(await inOneList.send(before, after)).toMatchObject([{ ok: true }, { refusal }])
    })

    it('is found for every kind of command at once: keys are unique in a book', async () => {
      const s = await funded()
      await s.given(hold('h', one), release('h'))
      expect(await s.refused(transfer('h', one))).toMatchObject({ fields: ['do'] })
      expect(await s.refused(reverse('old', 'in'))).toMatchObject({ fields: ['do'] })
      expect(await s.refused(settle('in'))).toStrictEqual({ code: 'HOLD_NOT_FOUND', key: 'in' })
    })
  })

  it('takes every printable character, alone and together', async () => {
    const s = await funded()
    const printable = Array.from({ length: 0x7e - 0x21 + 1 }, (_, index) =>
      String.fromCharCode(0x21 + index),
    )
    const keys = [
      ...printable,
      printable.join(''),
      `\\"{},'$1%s--;/*`,
      '{}',
      'null',
      'x'.repeat(128),
    ]
    const outcomes = await s.send(
      ...keys.flatMap((key): Command[] => [hold(key, leg('a', 'b', 1n)), settle(key)]),
      ...keys.map((key, index) => reverse(`r-${index}`, key)),
    )
    expect(outcomes.every(outcome => outcome.ok && !outcome.replayed)).toBe(true)
    for (const key of keys) {
      const movements = await s.store.movements(s.book, key)
      expect(movements.map(movement => [movement.key, movement.kind])).toStrictEqual([
        [key, 'hold'],
        [key, 'settle'],
      ])
    }
    expect(await s.send(...keys.map(key => settle(key)))).toSatisfy((replays: { ok: boolean }[]) =>
      replays.every(each => each.ok),
    )
  })
}
