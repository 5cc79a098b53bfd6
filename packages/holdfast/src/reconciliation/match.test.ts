import { describe, expect, test } from 'vitest'
import { line, payment, payout } from '../../test/reconciliation/fixtures.ts'
import { matched } from '../../test/reconciliation/matched.ts'

const one = payout(1)
const two = payout(2)

describe('a debit', () => {
  test('pays the payout whose id is one of its references', () => {
    for (const refs of [
      { endToEndId: one.id },
      { customerRef: one.id },
      { remittance: ['Invoice', `payout ${one.id}, thank you`] },
      { remittance: [`payout ${one.id.slice(0, 9)}`, `${one.id.slice(9)} thank you`] },
    ]) {
      const { places, findings } = matched([line({ refs })], { payouts: [one] })
      expect(places).toEqual(['1 pays clearing -1000'])
      expect(findings).toEqual([])
    }
    expect(matched([line({ bankRef: one.id })], { payouts: [one] }).findings).toEqual([])
  })

  test('is not ours where it names no payout of ours', () => {
    for (const refs of [
      {},
      { endToEndId: 'INV-2209' },
      { endToEndId: two.id },
      { text: `X${one.id}` },
      { payee: one.id },
      { payeeAccount: one.id },
    ]) {
      const { places, findings } = matched([line({ refs })], { payouts: [one] })
      expect(places).toEqual(['1 suspense -1000'])
      expect(findings).toEqual(['1 NOT_IN_OUR_BOOKS - - -1000'])
    }
  })

  test('pays once: by lines at hand, and by lines before', () => {
    const twice = matched([payment(one), payment(one)], { payouts: [one] })
    expect(twice.places).toEqual(['1 pays clearing -1000', '2 suspense -1000'])
    expect(twice.findings).toEqual([`2 PAID_MORE_THAN_ONCE ${one.id} -1000 -1000`])
    const seen = { paid: new Set([one.id]) }
    expect(matched([payment(one)], { payouts: [one], seen }).findings).toEqual([
      `1 PAID_MORE_THAN_ONCE ${one.id} -1000 -1000`,
    ])
  })

  test('of its very amount pays before another one of the same id', () => {
    const small = payment(one, { amount: 35n })
    const { places, findings } = matched([small, payment(one)], { payouts: [one] })
    expect(places).toEqual(['2 pays clearing -1000', '1 suspense -35'])
    expect(findings).toEqual([`1 PAID_MORE_THAN_ONCE ${one.id} -1000 -35`])
  })

  test('of another amount leaves the difference in suspense', () => {
    const more = matched([payment(one, { amount: 1_035n })], { payouts: [one] })
    expect(more.places).toEqual(['1 pays clearing -1000 (bank -1035)', '1 suspense -35 (bank 0)'])
    expect(more.findings).toEqual([`1 AMOUNT_DIFFERS ${one.id} -1000 -1035`])
    const less = matched([payment(one, { amount: 900n })], { payouts: [one] })
    expect(less.places).toEqual(['1 pays clearing -1000 (bank -900)', '1 suspense 100 (bank 0)'])
  })

  test('of another amount is no evidence for a payout that is on hold', () => {
    for (const status of ['unknown', 'processing'] as const) {
      const held = payout(1, { status })
      const { places, findings } = matched([payment(held, { amount: 999n })], { payouts: [held] })
      expect(places).toEqual(['1 suspense -999'])
      expect(findings).toEqual([`1 AMOUNT_DIFFERS ${held.id} -1000 -999`])
    }
  })

  test('of another asset is matched with nothing', () => {
    const dollars = payout(1, { asset: 'USD/2' })
    const { places, findings } = matched([payment(dollars)], { payouts: [dollars] })
    expect(places).toEqual(['1 suspense -1000'])
    expect(findings).toEqual([`1 AMOUNT_DIFFERS ${dollars.id} - -1000`])
  })

  test('with charges that explain it pays the payout, and the charges are fees', () => {
    const charged = { txAmount: { amount: 1_000n, currency: 'EUR' } }
    const charges = [{ amount: 26n, currency: 'EUR' }]
    const whole = matched([payment(one, { amount: 1_026n, ...charged, charges })], {
      payouts: [one],
    })
    expect(whole.places).toEqual(['1 pays clearing -1000', '1 fees -26'])
    expect(whole.findings).toEqual([])
    for (const unexplained of [
      charged,
      { ...charged, charges: [{ amount: 25n, currency: 'EUR' }] },
    ]) {
      const { findings } = matched([payment(one, { amount: 1_026n, ...unexplained })], {
        payouts: [one],
      })
      expect(findings).toEqual([`1 AMOUNT_DIFFERS ${one.id} -1000 -1026`])
    }
  })

  test('whose charges the payee bore still moved the amount of the payout', () => {
    const txAmount = { amount: 974n, currency: 'EUR' }
    const charges = [{ amount: 26n, currency: 'EUR' }]
    const { places, findings } = matched([payment(one, { txAmount, charges })], { payouts: [one] })
    expect(places).toEqual(['1 pays clearing -1000'])
    expect(findings).toEqual([])
  })

  test('settles a payout without a final answer, and finds nothing', () => {
    for (const status of ['unknown', 'processing'] as const) {
      const held = payout(1, { status })
      const { places, findings } = matched([payment(held)], { payouts: [held] })
      expect(places).toEqual(['1 pays clearing -1000'])
      expect(findings).toEqual([])
    }
  })

  test('for a payout that was never sent is left aside', () => {
    for (const status of ['requested', 'pending', 'approved', 'cancelled', 'refused'] as const) {
      const unsent = payout(1, { status })
      const { places, findings } = matched([payment(unsent)], { payouts: [unsent] })
      expect(places).toEqual(['1 suspense -1000'])
      expect(findings).toEqual([`1 STATUS_DIFFERS ${unsent.id} -1000 -1000`])
    }
  })

  test('for a released payout pays it out of suspense, since nothing is in clearing', () => {
    for (const status of ['failed', 'success'] as const) {
      const released = payout(1, { status, released: true })
      const { places, findings } = matched([payment(released)], { payouts: [released] })
      expect(places).toEqual(['1 pays suspense -1000'])
      expect(findings).toEqual([`1 PAID_AFTER_RELEASE ${released.id} -1000 -1000`])
    }
  })

  test('to somebody else pays, and is found', () => {
    const other = payment(one, { refs: { endToEndId: one.id, payee: 'Mallory' } })
    const { places, findings } = matched([other], { payouts: [one] })
    expect(places).toEqual(['1 pays clearing -1000'])
    expect(findings).toEqual([`1 PAYEE_DIFFERS ${one.id} - -`])
  })

  test('that names two payouts is matched with neither, but an exact reference decides', () => {
    const both = line({ refs: { text: `${one.id} ${two.id}` } })
    const ambiguous = matched([both], { payouts: [one, two] })
    expect(ambiguous.places).toEqual(['1 suspense -1000'])
    expect(ambiguous.findings).toEqual(['1 AMBIGUOUS - - -1000'])
    const decided = line({ refs: { endToEndId: two.id, text: `${one.id}, again` } })
    expect(matched([decided], { payouts: [one, two] }).findings).toEqual([])
  })

  test('that takes back a credit is no payment', () => {
    const { places, findings } = matched([payment(one, { reversal: true })], { payouts: [one] })
    expect(places).toEqual(['1 suspense -1000'])
    expect(findings).toEqual([`1 AMBIGUOUS ${one.id} -1000 -1000`])
  })

  test('that is not booked, or of zero, is matched with nothing', () => {
    const lines = [
      payment(one, { status: 'pending' }),
      payment(one, { status: 'info' }),
      payment(one, { amount: 0n }),
    ]
    expect(matched(lines, { payouts: [one] })).toEqual({ places: [], findings: [] })
  })
})

describe('a credit', () => {
  const back = payment(one, { direction: 'credit' })
  const seen = { paid: new Set([one.id]) }

  test('with the id of a paid payout is a return, whole or in parts', () => {
    const whole = matched([back], { payouts: [one], seen })
    expect(whole.places).toEqual(['1 returns clearing 1000'])
    expect(whole.findings).toEqual([`1 RETURNED ${one.id} -1000 1000`])
    const parts = [payment(one, { direction: 'credit', amount: 400n }), back]
    const inParts = matched(parts, { payouts: [one], seen })
    expect(inParts.places).toEqual([
      '1 returns clearing 400',
      '2 returns clearing 600',
      '2 suspense 400',
    ])
    expect(inParts.findings).toEqual([
      `1 RETURNED ${one.id} -1000 400`,
      `2 RETURNED ${one.id} -1000 600`,
      `2 AMOUNT_DIFFERS ${one.id} 600 1000`,
    ])
  })

  test('that comes less a charge gives back the whole', () => {
    const less = payment(one, {
      direction: 'credit',
      amount: 974n,
      txAmount: { amount: 1_000n, currency: 'EUR' },
      charges: [{ amount: 26n, currency: 'EUR' }],
    })
    const { places, findings } = matched([less], { payouts: [one] })
    expect(places).toEqual(['1 returns clearing 1000', '1 fees -26'])
    expect(findings).toEqual([`1 RETURNED ${one.id} -1000 1000`])
  })

  test('after all has come back is left aside', () => {
    const returned = new Map([[one.id, 1_000n]])
    const { places, findings } = matched([back], { payouts: [one], seen: { returned } })
    expect(places).toEqual(['1 suspense 1000'])
    expect(findings).toEqual([`1 AMOUNT_DIFFERS ${one.id} 0 1000`])
  })

  test('for a payout that nobody paid is left aside, until a line has paid it', () => {
    const held = payout(1, { status: 'unknown' })
    expect(matched([back], { payouts: [held] }).findings).toEqual([
      `1 STATUS_DIFFERS ${one.id} -1000 1000`,
    ])
    expect(matched([back], { payouts: [held], seen }).places).toEqual(['1 returns clearing 1000'])
  })

  test('for a payout that was paid after its release comes back to suspense', () => {
    const released = payout(1, { released: true })
    expect(matched([back], { payouts: [released] }).places).toEqual(['1 returns suspense 1000'])
  })

  test('without an id is not ours', () => {
    const { places, findings } = matched([line({ direction: 'credit' })], { payouts: [one] })
    expect(places).toEqual(['1 suspense 1000'])
    expect(findings).toEqual(['1 NOT_IN_OUR_BOOKS - - 1000'])
  })
})

describe('a fee', () => {
  test('is told by the code, whatever it names', () => {
    const fee = line({ refs: { typeCode: 'FEE', endToEndId: one.id } })
    const refund = line({ refs: { typeCode: ['X', 'FEE'] }, direction: 'credit' })
    const { places, findings } = matched([fee, refund], { payouts: [one] })
    expect(places).toEqual(['1 fees -1000', '2 fees 1000'])
    expect(findings).toEqual([])
  })

  test('is told by a text only where no reference is the id of a payout', () => {
    const fee = line({ amount: 35n, refs: { additionalInfo: `Fee for payment ${one.id}` } })
    expect(matched([fee], { payouts: [one] }).places).toEqual(['1 fees -35'])
    const disguised = payment(one, {
      refs: { endToEndId: one.id, additionalInfo: 'Fee for nothing Ltd' },
    })
    const { findings } = matched([payment(one), disguised], { payouts: [one] })
    expect(findings).toEqual([`2 PAID_MORE_THAN_ONCE ${one.id} -1000 -1000`])
  })
})
