import { describe, expect, test } from 'vitest'
import { checkStatement, sumsIn, Tally, type Claims } from './check.ts'
import type { StatementLine } from './statement.ts'

function line(amount: bigint, over: Partial<StatementLine> = {}): StatementLine {
  return {
    amount,
    currency: 'EUR',
    direction: 'credit',
    status: 'booked',
    reversal: false,
    booked: '2026-01-05',
    value: null,
    bankRef: null,
    refs: {},
    batch: null,
    ...over,
  }
}

function tallyOf(...lines: StatementLine[]): Tally {
  const tally = new Tally()
  for (const each of lines) tally.add(each)
  return tally
}

function eur(amount: bigint): Claims['opening'] {
  return { amount, currency: 'EUR' }
}

const NO_CLAIMS: Claims = { currency: null, opening: null, closing: null, controls: [] }

describe('checkStatement', () => {
  test('opening and booked lines make the closing', () => {
    const tally = tallyOf(
      line(500n),
      line(200n, { direction: 'debit' }),
      line(999n, { status: 'pending' }),
      line(999n, { status: 'info', direction: 'debit' }),
    )
    const claims = { ...NO_CLAIMS, currency: 'EUR', opening: eur(-100n), closing: eur(200n) }
    expect(checkStatement(claims, tally)).toEqual({ ok: true, balancesAddUp: true })
    expect(checkStatement({ ...claims, closing: eur(195n) }, tally)).toEqual({
      ok: false,
      why: 'does not add up by -5',
    })
    expect(checkStatement({ ...claims, closing: eur(207n) }, tally)).toEqual({
      ok: false,
      why: 'does not add up by 7',
    })
  })

  test('sums beyond 2^53 are exact', () => {
    const tally = tallyOf(line(2n ** 53n), line(1n))
    const claims = { ...NO_CLAIMS, opening: eur(0n), closing: eur(2n ** 53n) }
    expect(checkStatement(claims, tally)).toEqual({ ok: false, why: 'does not add up by -1' })
  })

  test('one balance or none cannot be compared', () => {
    const tally = tallyOf(line(500n))
    for (const claims of [
      NO_CLAIMS,
      { ...NO_CLAIMS, opening: eur(1n) },
      { ...NO_CLAIMS, closing: eur(1n) },
    ])
      expect(checkStatement(claims, tally)).toEqual({ ok: true, balancesAddUp: null })
  })

  test.each<[string, Partial<Claims>]>([
    [
      'balances in two currencies (opening EUR, closing SEK): they cannot add up',
      { opening: eur(0n), closing: { amount: 0n, currency: 'SEK' } },
    ],
    [
      'balances in EUR on an account in SEK: they cannot add up',
      { currency: 'SEK', opening: eur(0n), closing: eur(0n) },
    ],
    [
      'balances in EUR on an account in SEK: they cannot add up',
      { currency: 'SEK', closing: eur(0n) },
    ],
  ])('%s', (why, claims) => {
    expect(checkStatement({ ...NO_CLAIMS, ...claims }, tallyOf())).toEqual({ ok: false, why })
  })

  test('a booked line in another currency cannot be added; a pending one need not be', () => {
    const claims = { ...NO_CLAIMS, opening: eur(0n), closing: eur(0n) }
    const sek = line(100n, { currency: 'SEK' })
    expect(checkStatement(claims, tallyOf(sek))).toEqual({
      ok: false,
      why: 'a booked line in SEK on an account in EUR: it cannot add up',
    })
    expect(checkStatement(claims, tallyOf({ ...sek, status: 'pending' })).ok).toBe(true)
    expect(checkStatement(NO_CLAIMS, tallyOf(sek)).ok).toBe(true)
  })

  test('a control total is one of what the lines give', () => {
    const controls = [
      { name: 'count', says: 2n, found: [1n, 2n] },
      { name: 'sum', says: 7n, found: [5n, 5n] },
    ]
    expect(checkStatement({ ...NO_CLAIMS, controls: controls.slice(0, 1) }, tallyOf()).ok).toBe(
      true,
    )
    expect(checkStatement({ ...NO_CLAIMS, controls }, tallyOf())).toEqual({
      ok: false,
      why: 'control total does not add up: sum says 7, the lines give 5',
    })
  })
})

test('a tally sums up by currency, side and status', () => {
  const tally = tallyOf(
    line(1n),
    line(2n),
    line(4n, { direction: 'debit' }),
    line(8n, { status: 'pending' }),
    line(16n, { currency: 'SEK' }),
  )
  expect(sumsIn(tally.booked, 'EUR')).toEqual({
    credit: { count: 2n, sum: 3n },
    debit: { count: 1n, sum: 4n },
  })
  expect(sumsIn(tally.all, 'EUR').credit).toEqual({ count: 3n, sum: 11n })
  expect(sumsIn(tally.booked, 'SEK').credit).toEqual({ count: 1n, sum: 16n })
  expect(sumsIn(tally.booked, 'CHF').debit).toEqual({ count: 0n, sum: 0n })
})
