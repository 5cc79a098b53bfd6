import type { NumberedLine } from '../statements/intake-ports.ts'
import type { LineDetail, Money, Reference, StatementLine } from '../statements/statement.ts'

type References = Readonly<Record<string, Reference>>

/** What is matched as one: a line, or a detail of a batch line. Amounts are in minor units. */
export interface Part {
  /**
   * `one`: one movement. `group`: a batch that can only be matched by its sum and count. `charge`:
   * what the bank took beside. `doubtful`: a batch line that contradicts itself.
   */
  readonly kind: 'one' | 'group' | 'charge' | 'doubtful'
  readonly line: number
  readonly detail: number
  readonly direction: StatementLine['direction']
  readonly booked: StatementLine['booked']
  readonly reversal: boolean
  readonly amount: bigint
  readonly bankRef: string | null
  readonly refs: References
  /** What was instructed, where the bank says it, and the charges that it names, if in one currency. */
  readonly instructed: bigint | null
  readonly charges: bigint
  /** For a group and a doubtful line: the references of its details, and their number by the bank. */
  readonly detailRefs: readonly References[]
  readonly count: number | null
  /** For a doubtful line: what its details add up to, null where only their number is wrong. */
  readonly detailSum: bigint | null
}

type ValuedDetail = LineDetail & Money

/**
 * The parts of a line that are matched one by one; none where nothing moved: only booked lines
 * count, and a zero moves nothing. The amounts of the parts add up to the line.
 */
export function partsOf({ number, line }: NumberedLine): Part[] {
  if (line.status !== 'booked' || line.amount === 0n) return []
  const whole = wholeLine(number, line)
  if (line.batch === null) return [whole]
  const { details, count } = line.batch
  const group: Part = {
    ...whole,
    kind: 'group',
    detailRefs: details.map(detail => detail.refs),
    count: count ?? (details.length > 0 ? details.length : null),
  }
  const valued = details.filter((detail): detail is ValuedDetail => isValued(detail, line))
  if (details.length === 0 || valued.length < details.length) return [group]
  const sum = valued.reduce((total, detail) => total + detail.amount, 0n)
  const charges = chargesBeside(whole, sum)
  if (charges === null) return [{ ...group, kind: 'doubtful', detailSum: sum }]
  if (count !== null && count !== details.length) return [{ ...group, kind: 'doubtful' }]
  return [
    ...valued.flatMap((detail, index) => detailPart(whole, detail, index + 1)),
    ...(charges > 0n ? [chargePart(whole, charges)] : []),
  ]
}

/** An amount of a part, signed as seen from the account. */
export function signed({ direction }: Pick<Part, 'direction'>, amount: bigint): bigint {
  return direction === 'debit' ? -amount : amount
}

function wholeLine(number: number, line: StatementLine): Part {
  const {
    amount,
    currency,
    direction,
    booked,
    reversal,
    bankRef,
    refs,
    txAmount,
    charges = [],
  } = line
  const sameCurrency = charges.every(charge => charge.currency === currency)
  return {
    kind: 'one',
    line: number,
    detail: 0,
    direction,
    booked,
    reversal,
    amount,
    bankRef,
    refs,
    instructed: txAmount?.currency === currency ? txAmount.amount : null,
    charges: sameCurrency ? charges.reduce((total, charge) => total + charge.amount, 0n) : 0n,
    detailRefs: [],
    count: null,
    detailSum: null,
  }
}

function isValued(detail: LineDetail, { currency }: StatementLine): boolean {
  return detail.amount !== undefined && detail.currency === currency
}

/** What the bank took beside the details: 0, the charges that it names, or null: it adds up to neither. */
function chargesBeside({ direction, amount, charges }: Part, sum: bigint): bigint | null {
  if (sum === amount) return 0n
  return charges > 0n && sum + (direction === 'debit' ? charges : -charges) === amount
    ? charges
    : null
}

function detailPart(whole: Part, detail: ValuedDetail, index: number): Part[] {
  if (detail.amount === 0n) return []
  const { amount, refs } = detail
  return [{ ...whole, detail: index, amount, bankRef: null, refs, instructed: null, charges: 0n }]
}

/** A charge leaves the account, also where it lessens what came in. */
function chargePart(whole: Part, charges: bigint): Part {
  return { ...whole, kind: 'charge', direction: 'debit', amount: charges }
}
