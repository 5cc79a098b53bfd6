import type { Command } from '../../src/ledger/command.ts'
import type { RefusalCode } from '../../src/ledger/outcome.ts'
import {
  close,
  hold,
  leg,
  MAX,
  open,
  release,
  reverse,
  settle,
  transfer,
} from '../support/commands.ts'
import type { RefusalRow } from './refusal-table.ts'

type ShapeCode = Extract<RefusalCode, `INVALID_${string}` | 'SAME_ACCOUNT'>

const some = leg('a', 'b', 1n)
const MANY = 10n ** 39n

/** A value where the types do not allow it: what comes from callers without types. */
function odd(value: unknown): never {
  return value as never
}

function row(field: string, when: string, command: Command): RefusalRow {
  return { when: `${field}: ${when}`, command, carries: { field } }
}

const NO_AMOUNTS: readonly unknown[] = [
  0n,
  -1n,
  MAX + 1n,
  2n ** 64n,
  MANY,
  5,
  1.5,
  NaN,
  '5',
  '1e3',
  null,
]
const NO_KEYS: readonly unknown[] = [
  '',
  'x'.repeat(129),
  'x'.repeat(256),
  'a b',
  'a\0b',
  '\u{1f642}',
  'é',
  '\x7f',
  'line\n',
  7,
  null,
]
const NO_NAMES: readonly unknown[] = [
  '',
  'x'.repeat(129),
  'a b',
  'a,b',
  'a\0',
  'ü',
  'a"',
  'a*',
  'a\n',
  7,
  null,
]
const NO_ASSETS: readonly unknown[] = [
  '',
  'EUR',
  'eur/2',
  'EUR/',
  '/2',
  'EUR/02',
  'EUR/19',
  'EUR/-1',
  'EUR/2 ',
  'EU-R/2',
  '1EUR/2',
  'X1234567890123456/2',
  'EUR/2\n',
  2,
  null,
]
const NO_INSTANTS: readonly unknown[] = [
  '',
  'yesterday',
  '2026-11-30',
  '2026-11-30T10:00:00',
  '2026-11-30 10:00:00Z',
  '2026-02-30T10:00:00Z',
  '2026-11-30T24:00:00Z',
  '2026-11-30T10:00:00.0001Z',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-01:00',
  1_764_496_800_000,
  new Date(0),
]

function named(value: unknown): string {
  return typeof value === 'bigint' ? `${value}n` : JSON.stringify(value)
}

/** What is wrong with the shape of a command, whatever the book holds. */
export const SHAPE_REFUSALS: Readonly<Record<ShapeCode, readonly RefusalRow[]>> = {
  INVALID_AMOUNT: [
    ...NO_AMOUNTS.flatMap(value => [
      row('legs[0].amount', named(value), transfer('t', leg('a', 'b', odd(value)))),
      row('amounts[0]', named(value), reverse('r', 'in', odd(value))),
    ]).filter(({ when }) => when !== 'amounts[0]: 0n'),
    ...[0n, -1n, 11n, 5].map(value =>
      row('legs[0].atLeast', named(value), hold('h', leg('a', 'b', 10n, { atLeast: odd(value) }))),
    ),
    ...[MAX + 1n, -MAX - 1n, 0, '0'].map(value =>
      row('floor', named(value), open('n', odd(value))),
    ),
    row('legs[1].amount', 'a later leg', hold('h', [some, leg('a', 'b', 0n)])),
    row('amounts[1]', 'a later leg', settle('held', 1n, -1n)),
    row('amounts', 'empty', { do: 'settle', hold: 'held', amounts: [] }),
    row('amounts', 'no list', { do: 'settle', hold: 'held', amounts: odd(5n) }),
    row('amounts', 'all 0: settle', settle('held', 0n)),
    row('amounts', 'all 0: reverse', reverse('r', 'two', 0n, 0n)),
  ],
  INVALID_EXPIRY: [0, -1, 1.5, 315_360_000_001, NaN, Infinity, 5n, '5', null].map(value =>
    row('expiresInMs', named(value), hold('h', some, { expiresInMs: odd(value) })),
  ),
  INVALID_KEY: [
    ...NO_KEYS.map(value => row('key', named(value), transfer(odd(value), some))),
    row('key', 'of a hold', hold('', some)),
    row('replaces', 'empty', hold('h', some, { replaces: '' })),
    row('hold', 'of a settle', settle('a b')),
    row('hold', 'of a release', release('')),
    row('key', 'of a reversal', reverse('', 'in')),
    row('of', 'empty', reverse('r', '')),
  ],
  INVALID_ACCOUNT: [
    ...NO_NAMES.flatMap(value => [
      row('legs[0].from', named(value), transfer('t', leg(odd(value), 'b', 1n))),
      row('legs[0].to', named(value), hold('h', leg('a', odd(value), 1n))),
    ]),
    row(
      'legs[1].from[2]',
      'a later source',
      transfer('t', [some, leg(['a', 'b', ''], 'full', 1n)]),
    ),
    row('account', 'of open', open('a b')),
    row('account', 'of close', close('')),
  ],
  INVALID_ASSET: [
    ...NO_ASSETS.map(value => row('asset', named(value), open('n', 0n, odd(value)))),
    row('legs[1].asset', 'a later leg', transfer('t', [some, leg('a', 'b', 1n, { asset: 'EUR' })])),
  ],
  INVALID_LEGS: [
    row('legs', 'none', transfer('t', [])),
    row('legs', 'absent', { do: 'hold', key: 'h', legs: odd(undefined) }),
    row('legs', 'no list', { do: 'hold', key: 'h', legs: odd('a') }),
    row(
      'legs',
      '101',
      transfer(
        't',
        Array.from({ length: 101 }, () => some),
      ),
    ),
    row('legs[0].from', 'no source', transfer('t', leg([], 'b', 1n))),
    row('legs[1].from', 'a source twice', hold('h', [some, leg(['a', 'b', 'a'], 'full', 1n)])),
    row(
      'legs[0].from',
      '101 sources',
      transfer(
        't',
        leg(
          Array.from({ length: 101 }, (_, index) => `a${index}`),
          'b',
          1n,
        ),
      ),
    ),
  ],
  SAME_ACCOUNT: [
    row('legs[0].to', 'its source', transfer('t', leg('a', 'a', 1n))),
    row('legs[1].to', 'one of its sources', hold('h', [some, leg(['a', 'b'], 'b', 1n)])),
  ],
  INVALID_TIME: NO_INSTANTS.map(value =>
    row('effective', named(value), transfer('t', some, { effective: odd(value) })),
  ),
  INVALID_META: [
    ...[null, [], 'text', 5, true].map(value =>
      row('meta', named(value), transfer('t', some, { meta: odd(value) })),
    ),
    row('meta', '2,049 bytes', hold('h', some, { meta: { text: 'x'.repeat(2038) } })),
    row(
      'meta',
      'over 2,048 bytes in fewer characters',
      hold('h', some, { meta: { t: '€'.repeat(681) } }),
    ),
    row('meta', 'what JSON does not have', hold('h', some, { meta: { amount: 1n } })),
    row('meta', 'what JSON makes no object of', hold('h', some, { meta: odd(new Date(0)) })),
    row('reason', '2,049 bytes', release('held', { reason: 'x'.repeat(2049) })),
    row('reason', 'NUL', release('held', { reason: 'a\0b' })),
    row('reason', 'half a character', release('held', { reason: 'a\ud83d' })),
    row('reason', 'no text', release('held', { reason: odd(5) })),
  ],
}
