import { describe, expect, it } from 'vitest'
import { REFUSAL_CODES } from '../../src/ledger/outcome.ts'
import type { Scene } from '../support/subject.ts'
import { orderAt } from './refusal-order.ts'
import { refusalsAt, settingAt } from './refusal-table.ts'

/** Every refusal with what it carries, and the order in which they are checked. */
export function describeRefusals(scene: () => Scene, balanceMax: bigint): void {
  const setting = settingAt(balanceMax)
  const refusals = refusalsAt(balanceMax)

  describe.each(REFUSAL_CODES)('%s', code => {
    it.each(refusals[code].map(row => [row.when, row] as const))('%s', async (_, row) => {
      const s = await scene().given(...setting, ...(row.given ?? []))
      if (row.passMs) await s.subject.passTime(row.passMs)
      const before = await s.store.accounts(s.book, { limit: 100 })
      expect(await s.refused(row.command)).toStrictEqual({ code, ...row.carries })
      expect(await s.store.accounts(s.book, { limit: 100 })).toStrictEqual(before)
    })
  })

  describe('a command that breaks two rules is refused for the earlier one', () => {
    it.each(orderAt(balanceMax).map(row => [row.codes.join(' before '), row] as const))(
      '%s',
      async (_, row) => {
        const s = await scene().given(...setting, ...(row.given ?? []))
        if (row.passMs) await s.subject.passTime(row.passMs)
        const [first, second] = row.codes
        expect(await s.refused(row.command)).toMatchObject({ code: first })
        // The same command with the first fault mended: so it did break both rules.
        expect(await s.refused(row.mended)).toMatchObject({ code: second })
      },
    )
  })
}
