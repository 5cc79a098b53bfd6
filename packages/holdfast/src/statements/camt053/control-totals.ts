import { parseDecimal, sum } from '../../money/amount.ts'
import { minorUnits } from '../../money/currency.ts'
import { sumsIn, type ControlTotal, type Side, type Sums, type Tally } from '../check.ts'
import { elementAt, refusedAt, textAt, textOf, type XmlElement } from '../xml.ts'
import { directionOf, plainDecimal } from './values.ts'

/** The groups of `TxsSummry`, and the sides of the lines that each is about. */
const GROUPS: readonly (readonly [name: string, sidesOf: (sums: Sums) => readonly Side[]])[] = [
  ['TtlNtries', ({ debit, credit }) => [debit, credit]],
  ['TtlCdtNtries', ({ credit }) => [credit]],
  ['TtlDbtNtries', ({ debit }) => [debit]],
]

/**
 * The totals of a statement's `TxsSummry`, each with what the lines give. The standard leaves open
 * whether entries that are not booked count, so either is right. Sums are in the account's
 * currency: with an entry in another one they are not compared. On a page of several nothing is,
 * because the totals may be those of all pages.
 */
export function controlTotals(
  statement: XmlElement,
  currency: string,
  tally: Tally,
): ControlTotal[] {
  const summary = elementAt(statement, 'TxsSummry')
  if (summary === null || isOneOfSeveralPages(statement)) return []
  const scale = minorUnits(currency)
  const isComparable = [...tally.all.keys()].every(code => code === currency)
  return GROUPS.flatMap(([name, sidesOf]) => {
    const group = elementAt(summary, name)
    if (group === null) return []
    const counts = countControl(name, group, tally, sidesOf)
    if (scale === null || !isComparable) return counts
    const sums = [sumsIn(tally.booked, currency), sumsIn(tally.all, currency)]
    return [
      ...counts,
      ...sumControl(name, group, scale, sums.map(sidesOf)),
      ...netControl(name, group, scale, sums),
    ]
  })
}

function countControl(
  name: string,
  group: XmlElement,
  tally: Tally,
  sidesOf: (sums: Sums) => readonly Side[],
): ControlTotal[] {
  const found = [tally.booked, tally.all].map(byCurrency =>
    sum([...byCurrency.values()].flatMap(sidesOf).map(side => side.count)),
  )
  return control(`${name}/NbOfNtries`, readCount(elementAt(group, 'NbOfNtries')), found)
}

function sumControl(
  name: string,
  group: XmlElement,
  scale: number,
  sides: readonly (readonly Side[])[],
): ControlTotal[] {
  const found = sides.map(list => sum(list.map(side => side.sum)))
  return control(`${name}/Sum`, readSum(elementAt(group, 'Sum'), scale), found)
}

function control(name: string, says: bigint | null, found: readonly bigint[]): ControlTotal[] {
  return says === null ? [] : [{ name, says, found }]
}

/** Up to version 03 the net amount and its side stand in the group, later in a `TtlNetNtry`. */
function netControl(
  name: string,
  group: XmlElement,
  scale: number,
  counted: readonly Sums[],
): ControlTotal[] {
  const net = elementAt(group, 'TtlNetNtry') ?? group
  const amount = readSum(elementAt(net, 'TtlNetNtryAmt') ?? elementAt(net, 'Amt'), scale)
  if (amount === null) return []
  const nets = counted.map(({ credit, debit }) => credit.sum - debit.sum)
  if (textAt(net, 'CdtDbtInd') === null)
    return control(`${name}/TtlNetNtry`, amount, nets.map(magnitude))
  return control(`${name}/TtlNetNtry`, directionOf(net) === 'debit' ? -amount : amount, nets)
}

function readCount(element: XmlElement | null): bigint | null {
  const text = textOf(element)
  if (element === null || text === null) return null
  if (!/^\d{1,15}$/.test(text)) throw refusedAt(element, `control total ${text} is not a number`)
  return BigInt(text)
}

/** A sum without its sign: some banks print that of debits with a minus. */
function readSum(element: XmlElement | null, scale: number): bigint | null {
  const text = textOf(element)
  if (element === null || text === null) return null
  const parsed = parseDecimal(plainDecimal(text), scale, { negative: true })
  if (!parsed.ok) throw refusedAt(element, `control total ${text} ${parsed.why}`)
  return magnitude(parsed.amount)
}

function isOneOfSeveralPages(statement: XmlElement): boolean {
  const page = textAt(statement, 'StmtPgntn', 'PgNb')
  const last = textAt(statement, 'StmtPgntn', 'LastPgInd')
  return (page !== null && Number(page) !== 1) || last === 'false' || last === '0'
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount
}
