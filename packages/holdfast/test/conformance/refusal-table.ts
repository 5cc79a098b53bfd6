import type { Command } from '../../src/ledger/command.ts'
import type { Refusal, RefusalCode } from '../../src/ledger/outcome.ts'
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
import { SHAPE_REFUSALS } from './shape-table.ts'

/** One way to be refused. */
export interface RefusalRow {
  readonly when: string
  /** What happens before, on top of the setting. */
  readonly given?: readonly Command[]
  readonly passMs?: number
  readonly command: Command
  /** All that the refusal carries besides its code and its sentence. */
  readonly carries: Omit<Refusal, 'code' | 'message'>
}

/** What stands when a row begins: `a` has 89 posted and 10 held, `b` has 10, `full` all there is. */
export const settingAt = (balanceMax: bigint): readonly Command[] => [
  open('world', null),
  open('abyss', null),
  open('a'),
  open('b'),
  open('shut'),
  open('full', null),
  open('coin', 0n, COIN),
  transfer('in', leg('world', 'a', 100n)),
  transfer('two', [leg('world', 'shut', 6n), leg('world', 'shut', 4n)]),
  transfer('fill', leg('abyss', 'full', balanceMax)),
  hold('held', leg('a', 'b', 10n)),
  hold('settled', leg('a', 'b', 10n)),
  settle('settled'),
  hold('released', leg('a', 'b', 10n)),
  release('released'),
  reverse('reversal', 'in', 1n),
  close('shut'),
]

const some = leg('a', 'b', 1n)
const fleeting = { expiresInMs: 2 }

/** Every refusal, by code; the shapes stand in a table of their own. */
export const refusalsAt = (
  balanceMax: bigint,
): Readonly<Record<RefusalCode, readonly RefusalRow[]>> => ({
  ...SHAPE_REFUSALS,
  INVALID_LEGS: [
    ...SHAPE_REFUSALS.INVALID_LEGS,
    {
      when: 'a settle names more amounts than the hold has legs',
      command: settle('held', 1n, 1n),
      carries: { field: 'amounts' },
    },
    {
      when: 'a settle names fewer amounts than the hold has legs',
      given: [hold('pair', [some, some])],
      command: settle('pair', 1n),
      carries: { field: 'amounts' },
    },
    {
      when: 'a reversal names another number of amounts than its original has legs',
      command: reverse('r', 'two', 1n),
      carries: { field: 'amounts' },
    },
  ],
  KEY_REUSED: [
    {
      when: 'a transfer has the key of another transfer',
      command: transfer('in', leg('world', 'a', 101n)),
      carries: { key: 'in', fields: ['legs[0].amount'] },
    },
    {
      when: 'a hold has the key of a hold that has ended',
      command: hold('settled', leg('a', 'b', 10n), { expiresInMs: 9 }),
      carries: { key: 'settled', fields: ['expiresInMs'] },
    },
    {
      when: 'a reversal has the key of its own original',
      command: reverse('in', 'in'),
      carries: { key: 'in', fields: ['do'] },
    },
  ],
  HOLD_SETTLED: [
    {
      when: 'settled again otherwise',
      command: settle('settled', 9n),
      carries: { key: 'settled' },
    },
    { when: 'released', command: release('settled'), carries: { key: 'settled' } },
    {
      when: 'replaced',
      command: hold('h', some, { replaces: 'settled' }),
      carries: { key: 'settled' },
    },
  ],
  HOLD_RELEASED: [
    { when: 'settled', command: settle('released'), carries: { key: 'released' } },
    {
      when: 'replaced',
      command: hold('h', some, { replaces: 'released' }),
      carries: { key: 'released' },
    },
    {
      when: 'settled after it was replaced',
      given: [hold('h', some, { replaces: 'held' })],
      command: settle('held', 10n),
      carries: { key: 'held' },
    },
  ],
  ACCOUNT_NOT_FOUND: [
    { when: 'closed', command: close('none'), carries: { account: 'none' } },
    {
      when: 'a source, the first that is missing',
      command: transfer('t', [some, leg(['a', 'none'], 'nowhere', 1n)]),
      carries: { account: 'none' },
    },
    {
      when: 'the destination of a hold',
      command: hold('h', leg('a', 'none', 1n)),
      carries: { account: 'none' },
    },
  ],
  HOLD_NOT_FOUND: [
    { when: 'settled', command: settle('none'), carries: { key: 'none' } },
    { when: 'settled with the key of a transfer', command: settle('in'), carries: { key: 'in' } },
    { when: 'released', command: release('none'), carries: { key: 'none' } },
    {
      when: 'released with the key of a reversal',
      command: release('reversal'),
      carries: { key: 'reversal' },
    },
    { when: 'replaced', command: hold('h', some, { replaces: 'none' }), carries: { key: 'none' } },
    {
      when: 'replaced by itself',
      command: hold('h', some, { replaces: 'h' }),
      carries: { key: 'h' },
    },
    {
      when: 'a transfer replaced',
      command: hold('h', some, { replaces: 'in' }),
      carries: { key: 'in' },
    },
  ],
  TRANSFER_NOT_FOUND: [
    { when: 'reversed', command: reverse('r', 'none'), carries: { key: 'none' } },
    { when: 'a reversal of itself', command: reverse('r', 'r'), carries: { key: 'r' } },
  ],
  NOT_REVERSIBLE: [
    { when: 'a reversal', command: reverse('r', 'reversal'), carries: { key: 'reversal' } },
    { when: 'a hold that has not ended', command: reverse('r', 'held'), carries: { key: 'held' } },
    {
      when: 'a hold that was released',
      command: reverse('r', 'released'),
      carries: { key: 'released' },
    },
  ],
  ACCOUNT_DIFFERS: [
    { when: 'opened with another floor', command: open('a', 1n), carries: { account: 'a' } },
    { when: 'opened without a floor', command: open('a', null), carries: { account: 'a' } },
    { when: 'opened with a floor', command: open('world', 0n), carries: { account: 'world' } },
    {
      when: 'opened with another asset',
      command: open('a', 0n, 'EUR/3'),
      carries: { account: 'a' },
    },
  ],
  ACCOUNT_CLOSED: [
    {
      when: 'a source',
      command: transfer('t', leg('shut', 'a', 1n)),
      carries: { account: 'shut' },
    },
    {
      when: 'a source that need not give',
      command: transfer('t', leg(['a', 'shut'], 'b', 1n)),
      carries: { account: 'shut' },
    },
    {
      when: 'the destination of a hold',
      command: hold('h', [some, leg('a', 'shut', 1n)]),
      carries: { account: 'shut' },
    },
  ],
  ASSET_MISMATCH: [
    {
      when: 'the destination of a later leg',
      command: transfer('t', [some, leg('a', 'coin', 1n)]),
      carries: { account: 'coin', leg: 1, field: 'legs[1].asset' },
    },
    {
      when: 'the same letters at another scale',
      command: hold('h', leg('a', 'b', 1n, { asset: 'EUR/3' })),
      carries: { account: 'a', leg: 0, field: 'legs[0].asset' },
    },
  ],
  HOLD_EXPIRED: [
    {
      when: 'settled too late',
      given: [hold('late', some, fleeting)],
      passMs: 2,
      command: settle('late'),
      carries: { key: 'late' },
    },
  ],
  HOLD_NOT_EXPIRED: [
    {
      when: 'it never expires',
      command: release('held', { ifExpired: true }),
      carries: { key: 'held' },
    },
    {
      when: 'it has time left',
      given: [hold('h', some, { expiresInMs: 3_600_000 })],
      command: release('h', { ifExpired: true }),
      carries: { key: 'h' },
    },
  ],
  AMOUNT_EXCEEDS_HOLD: [
    {
      when: 'the second leg',
      given: [hold('pair', [some, leg('a', 'b', 2n)])],
      command: settle('pair', 1n, 3n),
      carries: { leg: 1, available: 2n, asked: 3n, field: 'amounts[1]' },
    },
  ],
  AMOUNT_EXCEEDS_TRANSFER: [
    {
      when: 'the second leg',
      command: reverse('r', 'two', 1n, 5n),
      carries: { leg: 1, available: 4n, asked: 5n, field: 'amounts[1]' },
    },
    {
      when: 'together with an earlier reversal',
      given: [reverse('r1', 'two', 0n, 3n)],
      command: reverse('r2', 'two', 0n, 2n),
      carries: { leg: 1, available: 1n, asked: 2n, field: 'amounts[1]' },
    },
    {
      when: 'nothing is left',
      given: [reverse('r1', 'two')],
      command: reverse('r2', 'two'),
      carries: { leg: 0, available: 0n, asked: 0n, field: 'amounts[0]' },
    },
  ],
  INSUFFICIENT_FUNDS: [
    {
      when: 'all sources of a later leg together',
      command: transfer('t', [leg('a', 'b', 70n), leg(['a', 'b'], 'world', 100n)]),
      carries: { leg: 1, sources: ['a', 'b'], available: 89n, asked: 100n },
    },
    {
      when: 'an elastic leg below its least',
      command: transfer('t', leg('a', 'b', 1000n, { atLeast: 80n })),
      carries: { leg: 0, sources: ['a'], available: 79n, asked: 80n },
    },
    {
      when: 'a hold',
      command: hold('h', leg('a', 'b', 80n)),
      carries: { leg: 0, sources: ['a'], available: 79n, asked: 80n },
    },
    {
      when: 'the giver of a reversal',
      command: reverse('r', 'in', 80n),
      carries: { leg: 0, sources: ['a'], available: 79n, asked: 80n },
    },
  ],
  BALANCE_TOO_LARGE: [
    {
      when: 'a destination',
      command: transfer('t', leg('world', 'full', 1n)),
      carries: { account: 'full' },
    },
    {
      when: 'a source, below zero',
      command: transfer('t', leg('abyss', 'world', 1n)),
      carries: { account: 'abyss' },
    },
    {
      when: 'available, below zero: a hold',
      command: hold('h', leg('abyss', 'world', 1n)),
      carries: { account: 'abyss' },
    },
    {
      when: 'held',
      given: [
        open('deep', null),
        hold('h1', leg('deep', 'world', balanceMax)),
        transfer('up', leg('world', 'deep', 1n)),
      ],
      command: hold('h2', leg('deep', 'world', 1n)),
      carries: { account: 'deep' },
    },
    {
      when: 'a destination of a settle',
      given: [hold('h', leg('a', 'full', 1n))],
      command: settle('h'),
      carries: { account: 'full' },
    },
    {
      when: 'a source that a reversal pays back',
      given: [
        transfer('spend', leg('full', 'world', 5n)),
        transfer('refill', leg('world', 'full', 5n)),
      ],
      command: reverse('r', 'spend'),
      carries: { account: 'full' },
    },
    {
      when: 'the giver of a reversal that may owe',
      given: [
        open('deep', null),
        transfer('lend', leg('a', 'deep', 5n)),
        transfer('sink', [leg('deep', 'abyss', balanceMax), leg('deep', 'world', 1n)]),
      ],
      command: mayOwe(reverse('r', 'lend')),
      carries: { account: 'deep' },
    },
  ],
})
