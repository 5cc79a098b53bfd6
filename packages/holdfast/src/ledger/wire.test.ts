import { describe, expect, it } from 'vitest'
import { leg, MAX, open, transfer } from '../../test/support/commands.ts'
import { MemoryStore } from '../stores/memory/memory-store.ts'
import type { Command } from './command.ts'
import { decodeCommand, MalformedCommand, toWireJson } from './wire.ts'

const NEVER = '9999-12-31T23:59:59.999Z'
const NO_AMOUNTS: readonly unknown[] = [
  '1e3',
  '0x10',
  '1,000.00',
  '1_000',
  ' 1',
  '1 ',
  '1\n',
  '01',
  '00',
  '-0',
  '+1',
  '-1',
  '',
  '1.0',
  '10.005',
  '.5',
  '١',
  'NaN',
  'Infinity',
  '9223372036854775808',
  '18446744073709551616',
  '9'.repeat(40),
  '9'.repeat(100_000),
  1,
  0.1,
  1e21,
  true,
  [],
  ['5'],
  {},
]

async function outcomeOf(json: unknown): Promise<unknown> {
  const store = new MemoryStore()
  await store.apply('book', [open('w', null), open('a')], NEVER)
  const [outcome] = await store.apply('book', [decodeCommand(json)], NEVER)
  return outcome
}

const refused = (field: string) => ({ ok: false, refusal: { code: 'INVALID_AMOUNT', field } })
const jsonLeg = { from: 'w', to: 'a', asset: 'EUR/2', amount: '5' }

describe('an amount on the wire', () => {
  it.each(NO_AMOUNTS)('is refused where it is no decimal of minor units: %j', async amount => {
    expect(
      await outcomeOf({ do: 'transfer', key: 't', legs: [{ ...jsonLeg, amount }] }),
    ).toMatchObject(refused('legs[0].amount'))
    expect(
      await outcomeOf({ do: 'hold', key: 'h', legs: [{ ...jsonLeg, atLeast: amount }] }),
    ).toMatchObject(refused('legs[0].atLeast'))
    expect(await outcomeOf({ do: 'settle', hold: 'h', amounts: [amount] })).toMatchObject(
      refused('amounts[0]'),
    )
    expect(await outcomeOf({ do: 'reverse', key: 'r', of: 't', amounts: [amount] })).toMatchObject(
      refused('amounts[0]'),
    )
  })

  // A floor may have a minus.
  it.each(NO_AMOUNTS.filter(amount => amount !== '-1' && amount !== '-0'))(
    'nor is it a floor: %j',
    async floor => {
      expect(await outcomeOf({ do: 'open', account: 'b', asset: 'EUR/2', floor })).toMatchObject(
        refused('floor'),
      )
    },
  )

  it('is refused where it is absent, 0 or null', async () => {
    for (const amount of [undefined, null, '0'])
      expect(
        await outcomeOf({ do: 'transfer', key: 't', legs: [{ ...jsonLeg, amount }] }),
      ).toMatchObject(refused('legs[0].amount'))
  })

  it('becomes a bigint', () => {
    expect(
      decodeCommand({
        do: 'transfer',
        key: 't',
        legs: [{ ...jsonLeg, amount: '9223372036854775807', atLeast: '1' }],
      }),
    ).toStrictEqual(transfer('t', leg('w', 'a', MAX, { atLeast: 1n })))
    expect(decodeCommand({ do: 'open', account: 'a', asset: 'EUR/2', floor: '-9' })).toStrictEqual(
      open('a', -9n),
    )
    expect(decodeCommand({ do: 'settle', hold: 'h', amounts: ['0', '7'] })).toStrictEqual({
      do: 'settle',
      hold: 'h',
      amounts: [0n, 7n],
    })
  })
})

describe('what is absent', () => {
  it('may be null on the wire', () => {
    expect(
      decodeCommand({
        do: 'hold',
        key: 'h',
        legs: [{ ...jsonLeg, atLeast: null }],
        expiresInMs: null,
        replaces: null,
        meta: null,
      }),
    ).toStrictEqual({ do: 'hold', key: 'h', legs: [{ ...leg('w', 'a', 5n) }] })
    expect(
      decodeCommand({ do: 'release', hold: 'h', ifExpired: false, reason: null }),
    ).toStrictEqual({
      do: 'release',
      hold: 'h',
    })
  })

  it('is no floor where it is the floor', async () => {
    for (const floor of [null, undefined])
      expect(await outcomeOf({ do: 'open', account: 'b', asset: 'EUR/2', floor })).toStrictEqual({
        ok: true,
        replayed: false,
      })
  })
})

describe('JSON that is no command', () => {
  const cases: [unknown, RegExp][] = [
    [null, /JSON object/],
    [[], /JSON object/],
    ['open', /JSON object/],
    [{}, /do: one of open/],
    [{ do: 'steal' }, /do: one of open/],
    [{ do: 'constructor' }, /do: one of open/],
    [{ do: ['open'] }, /do: one of open/],
    [{ do: 'open', account: 'a', asset: 'EUR/2', balance: '5' }, /balance: no field of a open/],
    [{ do: 'settle', hold: 'h', key: 'k' }, /key: no field of a settle/],
    [{ do: 'transfer', key: 't', legs: [jsonLeg, { ...jsonLeg, fee: '1' }] }, /legs\[1\]\.fee/],
    [{ do: 'release', hold: 'h', ifExpired: 'yes' }, /ifExpired/],
    [{ do: 'reverse', key: 'r', of: 't', mayOwe: 1 }, /mayOwe/],
  ]
  it.each(cases)('is no refusal: %j', (json, message) => {
    expect(() => decodeCommand(json)).toThrow(MalformedCommand)
    expect(() => decodeCommand(json)).toThrow(message)
  })

  it('does not let a name of objects through', () => {
    const json: unknown = JSON.parse('{"do": "close", "account": "a", "__proto__": {"x": 1}}')
    expect(() => decodeCommand(json)).toThrow(MalformedCommand)
  })

  it.each([
    [{ do: 'transfer', key: 't', legs: 'all' }, 'INVALID_LEGS'],
    [{ do: 'transfer', key: 't', legs: [7] }, 'INVALID_AMOUNT'],
    [{ do: 'transfer', key: 7, legs: [jsonLeg] }, 'INVALID_KEY'],
    [{ do: 'transfer', key: 't' }, 'INVALID_LEGS'],
    [{ do: 'open' }, 'INVALID_ACCOUNT'],
    [{ do: 'settle', hold: 'h', amounts: '5' }, 'INVALID_AMOUNT'],
  ])('but what is only ill-formed is one: %j', async (json, code) => {
    expect(await outcomeOf(json)).toMatchObject({ ok: false, refusal: { code } })
  })
})

it('writes every bigint as a decimal string', () => {
  const command: Command = transfer('t', leg('w', 'a', MAX))
  const json = toWireJson({ command, version: 2n ** 70n, count: 5, none: null })
  expect(json).toContain('"amount":"9223372036854775807"')
  expect(json).toContain('"version":"1180591620717411303424","count":5,"none":null')
  expect(decodeCommand((JSON.parse(json) as { command: unknown }).command)).toStrictEqual(command)
})
