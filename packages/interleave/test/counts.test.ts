import { describe, expect, test } from 'vitest'
import { explore } from '../src/index.ts'
import { naive, shop, shopState } from './programs.ts'
import { TABLE } from './table.ts'

describe('orders and how many of them lose money', () => {
  test.each(TABLE)('$name, $copies copies', async ({ withdraw, copies, orders, violations }) => {
    const program = shop(...Array.from({ length: copies }, () => withdraw))
    const seen = { orders, violations, deadlocks: 0n, errors: 0n, exhaustive: true }
    expect(await explore(program)).toMatchObject({ ...seen, runs: Number(orders) })
    expect(await explore({ ...program, state: shopState })).toMatchObject(seen)
  })

  test('naive, 4 copies, by merged states', async () => {
    const report = await explore({ ...shop(naive, naive, naive, naive), state: shopState })
    expect(report).toMatchObject({ orders: 8_719_560n, violations: 8_696_160n, exhaustive: true })
    expect(report.runs).toBeLessThan(3_000)
  })
})

test('the shortest counterexample has the fewest switches', async () => {
  for (const state of [undefined, shopState]) {
    const { shortest } = await explore({ ...shop(naive, naive), ...(state && { state }) })
    expect(shortest).toMatchObject({ schedule: 'AABBBBAA', switches: 2, wrong: 'violation' })
    expect(shortest?.steps.map(({ task, call }) => task + call)).toEqual([
      'Aaccount.load',
      'Aaccount.read',
      'Baccount.load',
      'Baccount.read',
      'Baccount.write',
      'Bbank.pay',
      'Aaccount.write',
      'Abank.pay',
    ])
  }
})
