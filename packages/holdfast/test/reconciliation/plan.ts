import fc from 'fast-check'
import type { FindingKind } from '../../src/reconciliation/finding.ts'
import type { KnownPayout } from '../../src/reconciliation/matching.ts'
import type { LineDetail, StatementLine } from '../../src/statements/statement.ts'
import { line, payment, payout } from './fixtures.ts'

/** What became of a payout at the bank, as it is planted. */
const FATES = [
  'paid',
  'paid, unknown to us',
  'paid twice',
  'another amount',
  'another payee',
  'with a charge',
  'returned',
  'returned in part',
  'paid after release',
  'never sent',
  'missing',
  'refused',
] as const

export type Fate = (typeof FATES)[number]

/** A payout, what the bank did with it, and what must be found. */
export interface Planted {
  readonly fate: Fate
  readonly payout: KnownPayout
  readonly lines: readonly StatementLine[]
  readonly finding: FindingKind | null
}

/** Payouts and the lines of the bank about them, in any order; some others among them. */
export interface Plan {
  readonly planted: readonly Planted[]
  readonly lines: readonly StatementLine[]
  /** How many findings there are about lines that name no payout of ours. */
  readonly foreign: number
}

const EUR = 'EUR'

function plant(fate: Fate, of: KnownPayout): Planted {
  const paid = payment(of)
  const back = (amount: bigint) => payment(of, { direction: 'credit', amount })
  switch (fate) {
    case 'paid':
      return { fate, payout: of, lines: [paid], finding: null }
    case 'paid, unknown to us':
      return { fate, payout: { ...of, status: 'unknown' }, lines: [paid], finding: null }
    case 'paid twice':
      return { fate, payout: of, lines: [paid, paid], finding: 'PAID_MORE_THAN_ONCE' }
    case 'another amount': {
      const other = payment(of, { amount: of.amount + 7n })
      return { fate, payout: of, lines: [other], finding: 'AMOUNT_DIFFERS' }
    }
    case 'another payee': {
      const other = payment(of, { refs: { endToEndId: of.id, payee: 'Somebody else' } })
      return { fate, payout: of, lines: [other], finding: 'PAYEE_DIFFERS' }
    }
    case 'with a charge': {
      const charged = payment(of, {
        amount: of.amount + 26n,
        txAmount: { amount: of.amount, currency: EUR },
        charges: [{ amount: 26n, currency: EUR }],
      })
      return { fate, payout: of, lines: [charged], finding: null }
    }
    case 'returned':
      return { fate, payout: of, lines: [paid, back(of.amount)], finding: 'RETURNED' }
    case 'returned in part':
      return { fate, payout: of, lines: [paid, back(of.amount / 2n)], finding: 'RETURNED' }
    case 'paid after release': {
      const released = { ...of, status: 'failed', released: true } as const
      return { fate, payout: released, lines: [paid], finding: 'PAID_AFTER_RELEASE' }
    }
    case 'never sent': {
      const unsent = { ...of, status: 'pending' } as const
      return { fate, payout: unsent, lines: [paid], finding: 'STATUS_DIFFERS' }
    }
    case 'missing':
      return { fate, payout: of, lines: [], finding: 'NOT_ON_STATEMENT' }
    case 'refused': {
      const failed = { ...of, status: 'failed', released: true } as const
      return { fate, payout: failed, lines: [], finding: null }
    }
  }
}

/** Lines that are about no payout of ours; each of the first two kinds is a finding. */
const STRANGERS: readonly StatementLine[] = [
  line({ amount: 1_234n, direction: 'credit', refs: { endToEndId: 'INV-2209' } }),
  line({ amount: 555n, refs: { endToEndId: 'ZZZZZZZZZZZZZZZ' } }),
  line({ amount: 35n, refs: { typeCode: 'FEE' } }),
  line({ amount: 9_999n, status: 'pending' }),
]
const FOUND_STRANGERS = 2

/** Payouts that were paid as one line: with amounts in the details, or by sum and count. */
function batchLine(of: readonly KnownPayout[], valued: boolean): StatementLine {
  const details = of.map(({ id, amount }): LineDetail => {
    const refs = { endToEndId: id }
    return valued ? { amount, currency: EUR, refs } : { refs }
  })
  const amount = of.reduce((sum, each) => sum + each.amount, 0n)
  return line({ amount, batch: { count: of.length, details } })
}

/** Any plan. Payouts are numbered from 1, without gaps. */
export const anyPlan: fc.Arbitrary<Plan> = fc
  .record({
    fates: fc.array(fc.tuple(fc.constantFrom(...FATES), fc.bigInt(2n, 10n ** 12n)), {
      maxLength: 16,
    }),
    batches: fc.array(
      fc.tuple(fc.boolean(), fc.array(fc.bigInt(1n, 10n ** 12n), { minLength: 2, maxLength: 4 })),
      { maxLength: 2 },
    ),
    strangers: fc.array(fc.nat(STRANGERS.length - 1), { maxLength: 5 }),
  })
  .chain(({ fates, batches, strangers }) => {
    let number = 0
    const next = (amount: bigint) => payout((number += 1), { amount })
    const single = fates.map(([fate, amount]) => plant(fate, next(amount)))
    const groups = batches.map(([valued, amounts]) => {
      const payouts = amounts.map(next)
      const [first, ...others] = payouts.map((each): Planted => {
        return { fate: 'paid', payout: each, lines: [], finding: null }
      })
      const lines = [batchLine(payouts, valued)]
      return [...(first ? [{ ...first, lines }] : []), ...others]
    })
    const planted = [...single, ...groups.flat()]
    const lines = [
      ...planted.flatMap(each => each.lines),
      ...strangers.flatMap(index => STRANGERS[index] ?? []),
    ]
    return fc.shuffledSubarray(lines, { minLength: lines.length }).map(shuffled => ({
      planted,
      lines: shuffled,
      foreign: strangers.filter(index => index < FOUND_STRANGERS).length,
    }))
  })

/** What must be found, as `KIND payout`, sorted. */
export function findingsOf({ planted, foreign }: Plan, withMissing: boolean): string[] {
  const ours = planted.flatMap(({ finding, payout: { id } }) =>
    finding === null || (finding === 'NOT_ON_STATEMENT' && !withMissing)
      ? []
      : [`${finding} ${id}`],
  )
  const others = Array.from({ length: foreign }, () => 'NOT_IN_OUR_BOOKS -')
  return [...ours, ...others].sort()
}
