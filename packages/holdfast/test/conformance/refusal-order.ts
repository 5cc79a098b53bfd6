import type { Command } from '../../src/ledger/command.ts'
import type { RefusalCode } from '../../src/ledger/outcome.ts'
import { hold, leg, mayOwe, open, release, reverse, settle, transfer } from '../support/commands.ts'

/** A command that breaks two rules, and the same command with the earlier fault mended. */
export interface OrderRow {
  readonly codes: readonly [earlier: RefusalCode, later: RefusalCode]
  /** What happens before, on top of the setting. */
  readonly given?: readonly Command[]
  readonly passMs?: number
  readonly command: Command
  readonly mended: Command
}

const some = leg('a', 'b', 1n)
const tooLong = { text: 'x'.repeat(2048) }
const fleeting = { expiresInMs: 2 }

/** Two rules broken at once: the order in which they are checked, pair by pair. */
export const orderAt = (balanceMax: bigint): readonly OrderRow[] => [
  {
    codes: ['INVALID_AMOUNT', 'INVALID_EXPIRY'],
    command: hold('h', leg('a', 'b', 0n), { expiresInMs: 0 }),
    mended: hold('h', some, { expiresInMs: 0 }),
  },
  {
    codes: ['INVALID_EXPIRY', 'INVALID_KEY'],
    command: hold('', some, { expiresInMs: 0 }),
    mended: hold('', some),
  },
  {
    codes: ['INVALID_KEY', 'INVALID_ACCOUNT'],
    command: transfer('', leg('', 'b', 1n)),
    mended: transfer('t', leg('', 'b', 1n)),
  },
  {
    codes: ['INVALID_ACCOUNT', 'INVALID_ASSET'],
    command: open('', 0n, 'EUR'),
    mended: open('n', 0n, 'EUR'),
  },
  {
    codes: ['INVALID_ASSET', 'INVALID_LEGS'],
    command: transfer('t', leg(['a', 'a'], 'b', 1n, { asset: 'EUR' })),
    mended: transfer('t', leg(['a', 'a'], 'b', 1n)),
  },
  {
    codes: ['INVALID_LEGS', 'SAME_ACCOUNT'],
    command: transfer('t', leg(['a', 'a'], 'a', 1n)),
    mended: transfer('t', leg(['a'], 'a', 1n)),
  },
  {
    codes: ['SAME_ACCOUNT', 'INVALID_TIME'],
    command: transfer('t', leg('a', 'a', 1n), { effective: '' }),
    mended: transfer('t', some, { effective: '' }),
  },
  {
    codes: ['INVALID_TIME', 'INVALID_META'],
    command: transfer('t', some, { effective: '', meta: tooLong }),
    mended: transfer('t', some, { meta: tooLong }),
  },
  {
    codes: ['INVALID_META', 'KEY_REUSED'],
    command: transfer('in', some, { meta: tooLong }),
    mended: transfer('in', some),
  },
  {
    codes: ['INVALID_AMOUNT', 'INVALID_META'],
    command: transfer('t', [some, leg('a', 'b', 0n)], { meta: tooLong }),
    mended: transfer('t', [some, some], { meta: tooLong }),
  },
  {
    codes: ['KEY_REUSED', 'HOLD_SETTLED'],
    command: hold('held', some, { replaces: 'settled' }),
    mended: hold('h', some, { replaces: 'settled' }),
  },
  {
    codes: ['KEY_REUSED', 'ACCOUNT_NOT_FOUND'],
    command: transfer('in', leg('none', 'b', 1n)),
    mended: transfer('t', leg('none', 'b', 1n)),
  },
  {
    codes: ['KEY_REUSED', 'TRANSFER_NOT_FOUND'],
    command: reverse('in', 'none'),
    mended: reverse('r', 'none'),
  },
  {
    codes: ['HOLD_SETTLED', 'ACCOUNT_NOT_FOUND'],
    command: hold('h', leg('none', 'b', 1n), { replaces: 'settled' }),
    mended: hold('h', leg('none', 'b', 1n), { replaces: 'held' }),
  },
  {
    codes: ['HOLD_RELEASED', 'ACCOUNT_NOT_FOUND'],
    command: hold('h', leg('none', 'b', 1n), { replaces: 'released' }),
    mended: hold('h', leg('none', 'b', 1n)),
  },
  {
    codes: ['HOLD_SETTLED', 'INVALID_LEGS'],
    given: [hold('pair', [some, some])],
    command: settle('settled', 1n, 1n),
    mended: settle('held', 1n, 1n),
  },
  {
    codes: ['HOLD_RELEASED', 'HOLD_EXPIRED'],
    given: [hold('gone', some, fleeting), release('gone'), hold('late', some, fleeting)],
    passMs: 2,
    command: settle('gone'),
    mended: settle('late'),
  },
  {
    codes: ['HOLD_SETTLED', 'HOLD_NOT_EXPIRED'],
    command: release('settled', { ifExpired: true }),
    mended: release('held', { ifExpired: true }),
  },
  {
    codes: ['ACCOUNT_NOT_FOUND', 'HOLD_NOT_FOUND'],
    command: hold('h', leg('none', 'b', 1n), { replaces: 'none' }),
    mended: hold('h', some, { replaces: 'none' }),
  },
  {
    codes: ['ACCOUNT_NOT_FOUND', 'ACCOUNT_CLOSED'],
    command: transfer('t', [leg('shut', 'b', 1n), leg('a', 'none', 1n)]),
    mended: transfer('t', [leg('shut', 'b', 1n), some]),
  },
  {
    codes: ['ACCOUNT_NOT_FOUND', 'ASSET_MISMATCH'],
    command: transfer('t', [leg('coin', 'b', 1n), leg('none', 'b', 1n)]),
    mended: transfer('t', [leg('coin', 'b', 1n), some]),
  },
  {
    codes: ['HOLD_NOT_FOUND', 'ACCOUNT_CLOSED'],
    command: hold('h', leg('shut', 'b', 1n), { replaces: 'none' }),
    mended: hold('h', leg('shut', 'b', 1n), { replaces: 'held' }),
  },
  {
    codes: ['HOLD_NOT_FOUND', 'ASSET_MISMATCH'],
    command: hold('h', leg('a', 'coin', 1n), { replaces: 'in' }),
    mended: hold('h', leg('a', 'coin', 1n)),
  },
  {
    codes: ['NOT_REVERSIBLE', 'INVALID_LEGS'],
    command: reverse('r', 'held', 1n, 1n),
    mended: reverse('r', 'settled', 1n, 1n),
  },
  {
    codes: ['ACCOUNT_CLOSED', 'ASSET_MISMATCH'],
    command: transfer('t', [leg('coin', 'b', 1n), leg('a', 'shut', 1n)]),
    mended: transfer('t', [leg('coin', 'b', 1n), some]),
  },
  {
    codes: ['ASSET_MISMATCH', 'INSUFFICIENT_FUNDS'],
    command: transfer('t', [leg('a', 'b', 999n), leg('a', 'coin', 1n)]),
    mended: transfer('t', [leg('a', 'b', 999n), some]),
  },
  {
    codes: ['INVALID_LEGS', 'HOLD_EXPIRED'],
    given: [hold('late', some, fleeting)],
    passMs: 2,
    command: settle('late', 1n, 1n),
    mended: settle('late', 1n),
  },
  {
    codes: ['HOLD_EXPIRED', 'AMOUNT_EXCEEDS_HOLD'],
    given: [hold('late', some, fleeting)],
    passMs: 2,
    command: settle('late', 2n),
    mended: settle('held', 11n),
  },
  {
    codes: ['INVALID_LEGS', 'AMOUNT_EXCEEDS_HOLD'],
    command: settle('held', 11n, 1n),
    mended: settle('held', 11n),
  },
  {
    codes: ['INVALID_LEGS', 'AMOUNT_EXCEEDS_TRANSFER'],
    command: reverse('r', 'in', 101n, 1n),
    mended: reverse('r', 'in', 101n),
  },
  {
    codes: ['AMOUNT_EXCEEDS_HOLD', 'BALANCE_TOO_LARGE'],
    given: [hold('h', leg('a', 'full', 1n))],
    command: settle('h', 2n),
    mended: settle('h', 1n),
  },
  {
    codes: ['AMOUNT_EXCEEDS_TRANSFER', 'INSUFFICIENT_FUNDS'],
    given: [transfer('spend', leg('a', 'world', 70n))],
    command: reverse('r', 'in', 100n),
    mended: reverse('r', 'in', 99n),
  },
  {
    codes: ['INSUFFICIENT_FUNDS', 'BALANCE_TOO_LARGE'],
    command: transfer('t', leg('a', 'full', 80n)),
    mended: transfer('t', leg('a', 'full', 79n)),
  },
  // Leg by leg: what is wrong with an earlier leg comes before what is wrong with a later one.
  {
    codes: ['BALANCE_TOO_LARGE', 'INSUFFICIENT_FUNDS'],
    command: transfer('t', [leg('world', 'full', 1n), leg('a', 'b', 999n)]),
    mended: transfer('t', [leg('world', 'b', 1n), leg('a', 'b', 999n)]),
  },
  // A reversal takes the last leg first.
  {
    codes: ['BALANCE_TOO_LARGE', 'INSUFFICIENT_FUNDS'],
    given: [
      transfer('both', [leg('a', 'b', 5n), leg('full', 'world', 5n)]),
      transfer('refill', leg('world', 'full', 5n)),
      transfer('spend', leg('b', 'world', 15n)),
    ],
    command: reverse('r', 'both'),
    mended: reverse('r', 'both', 5n, 0n),
  },
  {
    codes: ['INSUFFICIENT_FUNDS', 'BALANCE_TOO_LARGE'],
    given: [
      open('deep'),
      transfer('lend', leg('full', 'deep', 5n)),
      transfer('refill', leg('world', 'full', 5n)),
      transfer('spend', leg('deep', 'world', 5n)),
    ],
    command: reverse('r', 'lend'),
    mended: mayOwe(reverse('r', 'lend')),
  },
  {
    codes: ['ACCOUNT_NOT_FOUND', 'BALANCE_TOO_LARGE'],
    command: transfer('t', [leg('world', 'full', balanceMax), leg('none', 'b', 1n)]),
    mended: transfer('t', [leg('world', 'full', balanceMax)]),
  },
]
