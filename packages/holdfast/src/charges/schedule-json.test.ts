import { expect, test } from 'vitest'
import { parseSchedule } from './schedule-json.ts'

const fee = (more: object) => ({
  asset: 'GBP',
  versions: [{ from: '2026-01-01', fees: [{ role: 'platform', ...more }] }],
})

test('reads rates, fractions and decimals of the asset', () => {
  const parsed = parseSchedule({
    asset: 'GBP/6',
    versions: [
      {
        from: '2026-01-01',
        fees: [
          { role: 'platform', basisPoints: 250, fixed: '0.20', minimum: '0.3', maximum: '5' },
          { role: 'tax', fraction: '1/6', of: 'rest' },
        ],
        accounts: { tax: 'tax' },
      },
    ],
  })
  expect(parsed).toMatchObject({
    ok: true,
    schedule: {
      asset: 'GBP/6',
      versions: [
        {
          from: '2026-01-01',
          fees: [
            {
              role: 'platform',
              rate: { basisPoints: 250 },
              fixed: 200_000n,
              minimum: 300_000n,
              maximum: 5_000_000n,
            },
            { role: 'tax', rate: { numerator: 1n, denominator: 6n }, of: 'rest' },
          ],
          accounts: { tax: 'tax' },
        },
      ],
    },
  })
})

test.each([
  [null, 'the schedule: an object'],
  [[], 'the schedule: an object'],
  [{ asset: 'pounds', versions: [] }, 'asset: a currency'],
  [{ asset: 'GBP' }, 'versions: a list'],
  [{ asset: 'GBP', versions: [], extra: 1 }, 'the schedule: extra is no field of it'],
  [fee({ percent: 3 }), 'versions[0].fees[0]: percent is no field of it'],
  [fee({ basisPoints: '3' }), 'versions[0].fees[0].basisPoints: a whole number'],
  [fee({ basisPoints: 0.5 }), 'versions[0].fees[0].rate.basisPoints: a whole number'],
  [fee({ basisPoints: 3, fraction: '1/2' }), 'versions[0].fees[0]: basisPoints or a fraction'],
  [fee({ fraction: '1:6' }), 'versions[0].fees[0].fraction: two whole numbers'],
  [fee({ fraction: '1/0' }), 'versions[0].fees[0].rate: whole numbers'],
  [fee({ fixed: 20 }), 'versions[0].fees[0].fixed: a text'],
  [fee({ fixed: '0.005' }), 'versions[0].fees[0].fixed: "0.005" is not exact in 2 decimals'],
  [fee({ of: 'net', basisPoints: 1 }), 'versions[0].fees[0].of: gross or rest'],
])('%o is refused with the field', (json, why) => {
  const parsed = parseSchedule(json)
  expect(parsed.ok).toBe(false)
  if (!parsed.ok) expect(parsed.why).toContain(why)
})
