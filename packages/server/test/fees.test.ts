import { describe, expect, test } from 'vitest'
import { holdfast, objects, temporaryFolder, write } from './support/holdfast.ts'

const folder = temporaryFolder()
const SCHEDULE = {
  asset: 'GBP',
  versions: [
    {
      from: '2026-01-01',
      fees: [
        { role: 'platform', basisPoints: 250 },
        { role: 'platform', basisPoints: 2_000, of: 'rest' },
        { role: 'affiliate', fraction: '1/6', maximum: '5.00' },
      ],
      accounts: { platform: 'platform' },
    },
    {
      from: '2027-01-01',
      fees: [{ role: 'platform', basisPoints: 1_000, fixed: '0.20', minimum: '0.30' }],
      accounts: { platform: 'platform' },
    },
  ],
}
const file = write(folder, 'fees.json', JSON.stringify(SCHEDULE))
const explain = (...args: string[]) => holdfast(['fees', 'explain', ...args, '--schedule', file])

describe('fees explain', () => {
  test('10p gives 8 and 2, however the share is written', async () => {
    const { code, stdout, stderr } = await explain('0.10', 'GBP', '--at', '2026-11-30')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      '0.10 GBP/2, by the version of 2026-01-01',
      '',
      'role      account   rule                                exact minor units  share',
      'seller              what the fees leave                             7 4/5   0.08',
      'platform  platform  2.5% of the gross; 20% of the rest              2 1/5   0.02',
      'total                                                                  10   0.10',
      '',
    ])
  })

  test('with a recipient, and as JSON', async () => {
    const recipient = ['--recipient', 'affiliate=affiliate:9']
    const { stdout } = await explain('0.10', 'GBP', '--at', '2026-11-30', '--json', ...recipient)
    expect(objects(stdout)).toEqual([
      {
        asset: 'GBP/2',
        gross: '10',
        version: '2026-01-01',
        shares: [
          {
            role: 'seller',
            account: null,
            amount: '6',
            exact: { numerator: '92', denominator: '15' },
          },
          {
            role: 'platform',
            account: 'platform',
            amount: '2',
            exact: { numerator: '11', denominator: '5' },
          },
          {
            role: 'affiliate',
            account: 'affiliate:9',
            amount: '2',
            exact: { numerator: '5', denominator: '3' },
          },
        ],
      },
    ])
  })

  test('the version is that of the day', async () => {
    const { stdout } = await explain('0.10', 'GBP', '--at', '2027-01-01')
    expect(stdout).toContain('10% of the gross + 0.20, at least 0.30')
    expect(stdout).toMatch(/platform .* 0\.10\n/)
  })

  test.each([
    [['0.105', 'GBP'], 'amount: "0.105" is not exact in 2 decimals'],
    [['0', 'GBP'], 'amount: more than 0'],
    [['1', 'GBP/6'], 'asset: the schedule is in GBP/2, not in GBP/6'],
    [['1', 'pounds'], 'asset: "pounds" is no currency'],
    [['1', 'GBP', '--at', '2025-12-31'], '--at: no version is in force on 2025-12-31'],
    [['1', 'GBP', '--at', '2026-02-30'], '--at: a day'],
    [['1', 'GBP', '--recipient', 'tax=x'], '--recipient: the version of 2026-01-01'],
    [['1', 'GBP', '--recipient', 'tax'], '--recipient: a role and an account'],
  ])('%o is bad input', async (args, message) => {
    const at = args.includes('--at') ? [] : ['--at', '2026-11-30']
    const { code, stdout, stderr } = await explain(...args, ...at)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
  })

  test('a bad schedule is named by its field', async () => {
    const bad = write(folder, 'bad.json', '{"asset":"GBP","versions":[{"from":"x","fees":[]}]}')
    const { code, stderr } = await holdfast(['fees', 'explain', '1', 'GBP', '--schedule', bad])
    expect(code).toBe(2)
    expect(stderr).toContain(`--schedule ${bad}: versions[0].from: a day`)
  })
})
