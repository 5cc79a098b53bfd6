import { describe, expect, test } from 'vitest'
import { line, payout } from '../../test/reconciliation/fixtures.ts'
import { matched } from '../../test/reconciliation/matched.ts'
import type { KnownPayout } from './matching.ts'

const one = payout(1)
const two = payout(2)

describe('a batch line with amounts in its details', () => {
  const detail = (of: KnownPayout, amount: bigint = of.amount) => ({
    amount,
    currency: 'EUR',
    refs: { endToEndId: of.id },
  })
  const batch = (amount: bigint, ...details: ReturnType<typeof detail>[]) =>
    line({ amount, batch: { count: details.length, details } })

  test('is matched detail by detail', () => {
    const three = payout(3, { amount: 500n })
    const lines = [batch(3_500n, detail(one), detail(two), detail(three), detail(payout(9)))]
    const { places, findings } = matched(lines, { payouts: [one, two, three] })
    expect(places).toEqual([
      '1 pays clearing -1000',
      '1 pays clearing -1000',
      '1 pays clearing -500',
      '1 suspense -1000',
    ])
    expect(findings).toEqual(['1 NOT_IN_OUR_BOOKS - - -1000'])
  })

  test('may have charges beside', () => {
    const charges = [{ amount: 30n, currency: 'EUR' }]
    const lines = [{ ...batch(2_030n, detail(one), detail(two)), charges }]
    const { places, findings } = matched(lines, { payouts: [one, two] })
    expect(places).toEqual(['1 pays clearing -1000', '1 pays clearing -1000', '1 fees -30'])
    expect(findings).toEqual([])
  })

  test('is left aside where it does not add up to its details, or is not so many', () => {
    const wrongSum = matched([batch(1_999n, detail(one), detail(two))], { payouts: [one, two] })
    expect(wrongSum.places).toEqual(['1 suspense -1999'])
    expect(wrongSum.findings).toEqual(['1 AMOUNT_DIFFERS - -2000 -1999'])
    const details = [detail(one), detail(two)]
    const wrongCount = line({ amount: 2_000n, batch: { count: 3, details } })
    const { places, findings } = matched([wrongCount], { payouts: [one, two] })
    expect(places).toEqual(['1 suspense -2000'])
    expect(findings).toEqual(['1 AMBIGUOUS - - -2000'])
  })

  test('brings back what its details say', () => {
    const lines = [{ ...batch(2_000n, detail(one), detail(two)), direction: 'credit' as const }]
    const { places } = matched(lines, { payouts: [one, two] })
    expect(places).toEqual(['1 returns clearing 1000', '1 returns clearing 1000'])
  })
})

describe('a batch line without amounts in its details', () => {
  const named = (...of: KnownPayout[]) => of.map(each => ({ refs: { endToEndId: each.id } }))
  const group = (amount: bigint, count: number | null, details: { refs: object }[] = []) =>
    line({ amount, batch: { count, details: details as never } })

  test('pays all that it names, or none', () => {
    const payouts = [one, two]
    const whole = matched([group(2_000n, 2, named(one, two))], { payouts })
    expect(whole.places).toEqual(['1 pays clearing -1000', '1 pays clearing -1000'])
    expect(whole.findings).toEqual([])
    const wrongSum = matched([group(1_999n, 2, named(one, two))], { payouts })
    expect(wrongSum.places).toEqual(['1 suspense -1999'])
    expect(wrongSum.findings).toEqual(['1 AMOUNT_DIFFERS - -2000 -1999'])
    const wrongCount = matched([group(2_000n, 3, named(one, two))], { payouts })
    expect(wrongCount.findings).toEqual(['1 AMBIGUOUS - -2000 -2000'])
    const seen = { paid: new Set([two.id]) }
    const again = matched([group(2_000n, 2, named(one, two))], { payouts, seen })
    expect(again.places).toEqual(['1 suspense -2000'])
    expect(again.findings).toEqual(['1 PAID_MORE_THAN_ONCE - -2000 -2000'])
    const unsent = payout(2, { status: 'approved' })
    const early = matched([group(2_000n, 2, named(one, unsent))], { payouts: [one, unsent] })
    expect(early.findings).toEqual(['1 STATUS_DIFFERS - -2000 -2000'])
  })

  test('names a released payout among the others', () => {
    const released = payout(2, { status: 'failed', released: true })
    const lines = [group(2_000n, 2, named(one, released))]
    const { places, findings } = matched(lines, { payouts: [one, released] })
    expect(places).toEqual(['1 pays clearing -1000', '1 pays suspense -1000'])
    expect(findings).toEqual([`1 PAID_AFTER_RELEASE ${released.id} -1000 -1000`])
  })

  test('is told by the name of a batch, else by its sum and count', () => {
    const november = { batch: 'november', payouts: [one, payout(3, { status: 'failed' }), two] }
    const byName = line({
      amount: 2_000n,
      refs: { paymentInfoId: 'november' },
      batch: { count: 2, details: [] },
    })
    expect(matched([byName], { batches: [november] }).findings).toEqual([])
    expect(matched([group(2_000n, 2)], { batches: [november] }).findings).toEqual([])
    expect(matched([group(2_000n, 3)], { batches: [november] }).findings).toEqual([
      '1 NOT_IN_OUR_BOOKS - - -2000',
    ])
    expect(matched([group(2_000n, null)], { batches: [november] }).findings).toEqual([
      '1 NOT_IN_OUR_BOOKS - - -2000',
    ])
    const ofOthers = group(2_000n, 2, [{ refs: { endToEndId: 'PO-1' } }, { refs: {} }])
    expect(matched([ofOthers], { batches: [november] }).findings).toEqual([
      '1 NOT_IN_OUR_BOOKS - - -2000',
    ])
    const other = { batch: 'other', payouts: [payout(4), payout(5)] }
    expect(matched([group(2_000n, 2)], { batches: [november, other] }).findings).toEqual([
      '1 AMBIGUOUS - - -2000',
    ])
    const seen = { paid: new Set([one.id]) }
    expect(matched([group(2_000n, 2)], { batches: [november, other], seen }).places).toEqual([
      '1 pays clearing -1000',
      '1 pays clearing -1000',
    ])
  })

  test('that came in is matched with nothing', () => {
    const back = { ...group(2_000n, 2, named(one, two)), direction: 'credit' as const }
    expect(matched([back], { payouts: [one, two] }).findings).toEqual(['1 AMBIGUOUS - - 2000'])
    expect(matched([back]).findings).toEqual(['1 NOT_IN_OUR_BOOKS - - 2000'])
  })
})
