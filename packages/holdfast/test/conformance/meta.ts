import { describe, expect, it } from 'vitest'
import type { Meta } from '../../src/ledger/command.ts'
import { hold, leg, open, transfer } from '../support/commands.ts'
import type { Scene } from '../support/subject.ts'

const METAS: readonly (readonly [what: string, meta: Meta])[] = [
  ['nothing', {}],
  ['nesting', { a: { b: [1, [2, { c: null }], true] } }],
  ['Unicode', { 'naïve 名前 🙂': 'ß ﷽ 👩‍👩‍👧 \u2028 \ufeff' }],
  ['quotes and marks', { "it's": `"\\"{}[],:'$1 %s -- ;\b\f\n\r\t` }],
  ['NUL', { 'a\0b': 'c\0d' }],
  ['other control characters', { text: '\x01\x1f\x7f\x80' }],
  ['halves of surrogate pairs', { '\ud83d': '\ude42', swapped: '\ude42\ud83d' }],
  ['numbers at the edge of doubles', { big: 1.7976931348623157e308, small: 5e-324, cents: 0.1 }],
  ['integers above 2^53', { id: 12345678901234567890, negative: -9007199254740993 }],
  [
    'names that objects have',
    JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') as Meta,
  ],
  ['an empty name', { '': '' }],
  ['2,048 bytes', { text: 'x'.repeat(2037) }],
  [
    '2,048 bytes of lists in lists',
    { d: JSON.parse('['.repeat(1021) + ']'.repeat(1021)) as unknown },
  ],
]

/** What the caller keeps beside a movement comes back as JSON has it. */
export function describeMeta(scene: () => Scene): void {
  it.each(METAS)('keeps %s', async (_, meta) => {
    const s = await scene().given(open('w', null), open('a'))
    const moved = await s.moved(transfer('t', leg('w', 'a', 1n), { meta }))
    expect(moved.meta).toStrictEqual(meta)
    const held = await s.moved(hold('h', leg('w', 'a', 1n), { meta }))
    const { movements } = await s.store.feed(s.book, null, 10)
    expect(movements).toStrictEqual([moved, held])
    expect(await s.store.movements(s.book, 'h')).toStrictEqual([held])
    expect(await s.one(transfer('t', leg('w', 'a', 1n)))).toStrictEqual({
      ok: true,
      replayed: true,
      movement: moved,
    })
  })

  describe('what is no JSON', () => {
    it('becomes what JSON makes of it, on the first answer too', async () => {
      const s = await scene().given(open('w', null), open('a'))
      const meta = {
        absent: undefined,
        when: new Date(0),
        never: NaN,
        zero: -0,
        list: [undefined, () => 1],
      }
      const kept = { when: '1970-01-01T00:00:00.000Z', never: null, zero: 0, list: [null, null] }
      const moved = await s.moved(transfer('t', leg('w', 'a', 1n), { meta }))
      expect(moved.meta).toStrictEqual(kept)
      expect(await s.store.movements(s.book, 't')).toStrictEqual([moved])
    })
  })
}
