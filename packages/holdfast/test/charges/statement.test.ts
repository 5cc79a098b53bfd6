import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { statementAsCsv } from '../../src/charges/statement-csv.ts'
import { BUYER, Scene, SELLER } from './scene.ts'

const DAY_MS = 86_400_000
const EARNED = `earned:${SELLER}/GBP/2`
const sale = { buyer: BUYER, seller: SELLER }

const payOut = (scene: Scene, key: string, amount: bigint) =>
  scene.ledger.apply([
    {
      do: 'hold',
      key,
      legs: [{ from: EARNED, to: 'clearing:bank', asset: 'GBP/2', amount }],
    },
    { do: 'settle', hold: key },
  ])

describe('a statement', () => {
  test('has a row a month, as CSV', async () => {
    const scene = await new Scene().open({ prepaid: 10_000n })
    const { charges } = scene
    await charges.charge({ ...sale, key: 'a', price: 1_000n })
    await charges.charge({ ...sale, key: 'b', price: 10n, recipients: { affiliate: 'aff' } })
    await payOut(scene, 'PAYOUT1', 700n)
    scene.clock.pass(DAY_MS)
    await charges.dispute({ key: 'r', of: 'a', amount: 500n })
    await scene.given({ do: 'reverse', key: 'returned', of: 'PAYOUT1', amounts: [100n] })
    const authorised = await charges.authorise({
      ...sale,
      ...{ key: 'c', ceiling: 100n, expiresInMs: 1_000 },
    })
    if (!authorised.ok) throw new Error('not authorised')
    await charges.capture(authorised.authorisation, 50n)
    scene.clock.pass(40 * DAY_MS)
    await scene.given({
      do: 'transfer',
      key: 'gift',
      legs: [{ from: 'world', to: EARNED, asset: 'GBP/2', amount: 1n }],
    })
    const statement = await charges.statement(SELLER)
    expect(statementAsCsv(statement)).toBe(
      [
        'month,asset,opening,sales,affiliate,platform,earned,refunded,paid out,converted,other,owed',
        '2026-11,GBP/2,0.00,10.10,0.01,2.22,7.87,0.00,7.00,0.00,0.00,0.87',
        '2026-12,GBP/2,0.87,0.50,0.00,0.11,0.39,3.90,-1.00,0.00,0.00,-1.64',
        '2027-01,GBP/2,-1.64,0.00,0.00,0.00,0.00,0.00,0.00,0.00,0.01,-1.63',
        '',
      ].join('\r\n'),
    )
    expect(await scene.earned()).toBe(-163n)
  })

  test('of a seller who never sold has no month', async () => {
    const scene = await new Scene().open()
    const statement = await scene.charges.statement('nobody')
    expect(statementAsCsv(statement)).toBe(
      'month,asset,opening,sales,earned,refunded,paid out,converted,other,owed\r\n',
    )
  })

  test('says what was converted, in both assets', async () => {
    const scene = await new Scene({ asset: 'GBP/6' }).open({ prepaid: 1_000_000n })
    await scene.charges.charge({ ...sale, key: 'a', price: 100_001n })
    await scene.charges.convert({ key: 'c', seller: SELLER, to: 'GBP/2' })
    const [month] = (await scene.charges.statement(SELLER)).months
    expect(month).toMatchObject({ earned: 78_001n, converted: 70_000n, owed: 8_001n })
  })
})

/** What may happen to a seller in a life. */
const aStep = fc.record({
  what: fc.constantFrom('charge', 'capture', 'refund', 'dispute', 'payout', 'return', 'wait'),
  amount: fc.bigInt({ min: 1n, max: 500n }),
  of: fc.nat(20),
})

test('whatever happens, the sums of a statement equal the ledger', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aStep, { maxLength: 25 }), async steps => {
      const scene = await new Scene().open({ prepaid: 1_000_000n, trial: 700n })
      for (const [index, step] of steps.entries()) await take(scene, index, step)
      const { months } = await scene.charges.statement(SELLER)
      let owed = 0n
      for (const month of months) {
        expect(month.opening).toBe(owed)
        const { opening, earned, refunded, paidOut, converted, other } = month
        expect(opening + earned - refunded - paidOut - converted + other).toBe(month.owed)
        const fees = [...month.fees.values()].reduce((sum, each) => sum + each, 0n)
        expect(fees + earned).toBe(month.sales)
        expect([converted, other]).toEqual([0n, 0n])
        owed = month.owed
      }
      expect(owed).toBe(await scene.earned())
      const of = (name: 'sales' | 'earned') => months.reduce((sum, each) => sum + each[name], 0n)
      const back = months.reduce((sum, each) => sum + each.refunded, 0n)
      expect(of('earned') - back).toBe(
        (await scene.earned()) + (await scene.balance('clearing:bank')),
      )
    }),
    { numRuns: 60 },
  )
})

async function take(
  scene: Scene,
  index: number,
  { what, amount, of }: { what: string; amount: bigint; of: number },
): Promise<void> {
  const key = `k${index}`
  const { charges } = scene
  switch (what) {
    case 'charge':
      await charges.charge({ ...sale, key, price: amount })
      return
    case 'capture': {
      const result = await charges.authorise({ ...sale, key, ceiling: 500n, expiresInMs: 1_000 })
      if (result.ok) await charges.capture(result.authorisation, amount)
      return
    }
    case 'refund':
      await charges.refund({ key, of: `k${of}`, amount })
      return
    case 'dispute':
      await charges.dispute({ key, of: `k${of}` })
      return
    case 'payout':
      await payOut(scene, key, amount)
      return
    case 'return':
      if ((await scene.ledger.movements(`k${of}`))[0]?.legs[0]?.to === 'clearing:bank')
        await scene.ledger.submit({ do: 'reverse', key, of: `k${of}`, amounts: [1n] })
      return
    default:
      scene.clock.pass(20 * DAY_MS)
  }
}
