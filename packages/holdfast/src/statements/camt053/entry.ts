import { gatherReferences, type NamedReference } from '../refs.ts'
import type { LineDetail, Money, Reference, StatementLine } from '../statement.ts'
import { elementAt, elementsAt, refusedAt, textAt, textOf, type XmlElement } from '../xml.ts'
import { batchReferences, detailReferences, entryReferences, LISTS } from './references.ts'
import { amountIn, amountOf, dayIn, directionOf } from './values.ts'

/** One entry has at most so many details, and groups of them; pain.001 files stay below that. */
const DETAILS_MAX = 100_000

/** The references of one entry have at most so many characters. */
const REFERENCE_CHARACTERS_MAX = 67_108_864

/** `Sts` as text or as `Sts/Cd`. A code that is none of these is never taken for booked. */
const STATUS: ReadonlyMap<string, StatementLine['status']> = new Map([
  ['BOOK', 'booked'],
  ['PDNG', 'pending'],
  ['FUTR', 'pending'],
  ['INFO', 'info'],
])

/** Where a detail says its amount; version 02 has `AmtDtls` only. */
const DETAIL_AMOUNTS: readonly (readonly string[])[] = [
  ['Amt'],
  ['AmtDtls', 'TxAmt', 'Amt'],
  ['AmtDtls', 'InstdAmt', 'Amt'],
]

interface Detail {
  readonly money: Money | null
  readonly bankRef: string | null
  readonly refs: Readonly<Record<string, Reference>>
  readonly charges: readonly Money[]
}

/**
 * An `Ntry` while it goes by: its details are read one by one, so that a large batch stays small.
 */
export class Entry {
  readonly element: XmlElement
  readonly #details: Detail[] = []
  readonly #batchRefs: NamedReference[] = []
  #isBatch = false
  /** The transactions that the bank states, and those in an `NtryDtls` that states no number. */
  #count = 0
  #countIsKnown = true
  #groups = 0
  #detailsBefore = 0
  #characters = 0

  constructor(element: XmlElement) {
    this.element = element
  }

  /** A `TxDtls` has ended. */
  addDetail(element: XmlElement): void {
    if (this.#details.length === DETAILS_MAX)
      throw refusedAt(element, `an entry with more than ${DETAILS_MAX} details`)
    const references = this.#counted(element, detailReferences(element))
    this.#details.push({
      money: detailAmount(element),
      bankRef: textAt(element, 'Refs', 'AcctSvcrRef'),
      refs: gatherReferences(references, LISTS),
      charges: chargesOf(element),
    })
  }

  /** An `NtryDtls` has ended, after the `TxDtls` in it. */
  addGroup(element: XmlElement): void {
    if (this.#groups === DETAILS_MAX)
      throw refusedAt(element, `an entry with more than ${DETAILS_MAX} groups of details`)
    this.#groups += 1
    const inside = this.#details.length - this.#detailsBefore
    this.#detailsBefore = this.#details.length
    const batch = elementAt(element, 'Btch')
    if (batch !== null) this.#isBatch = true
    const stated = batch === null ? null : textAt(batch, 'NbOfTxs')
    if (stated !== null && /^\d{1,15}$/.test(stated)) this.#count += Number(stated)
    else if (batch !== null && inside === 0) this.#countIsKnown = false
    else this.#count += inside
    this.#batchRefs.push(...this.#counted(element, batchReferences(element)))
  }

  /** The `Ntry` has ended: the line that it is. */
  line(): StatementLine {
    const only = this.#onlyDetail()
    const money = amountIn(this.element)
    const charges = this.#charges()
    return {
      ...money,
      direction: directionOf(this.element),
      status: statusOf(this.element),
      reversal: isTrue(textAt(this.element, 'RvslInd')),
      ...datesOf(this.element),
      bankRef: textAt(this.element, 'AcctSvcrRef') ?? only?.bankRef ?? null,
      refs: this.#references(only),
      batch: this.#batch(),
      ...(only?.money && !sameMoney(only.money, money) ? { txAmount: only.money } : {}),
      ...(charges.length > 0 ? { charges } : {}),
    }
  }

  #counted(element: XmlElement, references: NamedReference[]): NamedReference[] {
    this.#characters += references.reduce((sum, [, text]) => sum + (text?.length ?? 0), 0)
    if (this.#characters > REFERENCE_CHARACTERS_MAX)
      throw refusedAt(
        element,
        `an entry with references of more than ${REFERENCE_CHARACTERS_MAX} characters`,
      )
    return references
  }

  /** The detail that is the whole entry, or null where there are more, or the bank says so. */
  #onlyDetail(): Detail | null {
    const [only, second] = this.#details
    if (only === undefined || second !== undefined) return null
    return this.#countIsKnown && this.#count === 1 ? only : null
  }

  #references(only: Detail | null): Record<string, Reference> {
    const ofDetail = Object.entries(only?.refs ?? {}).flatMap(([name, reference]) =>
      [reference].flat().map(text => [name, text] as const),
    )
    return gatherReferences(
      [...entryReferences(this.element), ...this.#batchRefs, ...ofDetail],
      LISTS,
    )
  }

  #batch(): StatementLine['batch'] {
    if (!this.#isBatch && this.#details.length < 2) return null
    return {
      count: this.#countIsKnown ? this.#count : null,
      details: this.#details.map(({ money, refs }): LineDetail => ({ ...money, refs })),
    }
  }

  /** Banks repeat charges at both levels: the entry's own count, else those of its details. */
  #charges(): readonly Money[] {
    const own = chargesOf(this.element)
    return own.length > 0 ? own : this.#details.flatMap(detail => detail.charges)
  }
}

function detailAmount(element: XmlElement): Money | null {
  const found = DETAIL_AMOUNTS.map(path => elementAt(element, ...path)).find(
    amount => textOf(amount) !== null,
  )
  return found ? amountOf(found) : null
}

/**
 * The charges that were taken: the records (`Chrgs/Rcrd` since version 03, `Chrgs` itself before),
 * or the total where there are none. Zeros say nothing, and what was given back (CRDT) is no
 * charge.
 */
function chargesOf(element: XmlElement): Money[] {
  const records = [...elementsAt(element, 'Chrgs', 'Rcrd'), ...elementsAt(element, 'Chrgs')]
    .filter(record => elementAt(record, 'Amt') !== null)
    .filter(record => textAt(record, 'CdtDbtInd') !== 'CRDT')
    .map(amountIn)
  const totals = elementsAt(element, 'Chrgs', 'TtlChrgsAndTaxAmt')
  const charges = records.length > 0 ? records : totals.map(total => amountOf(total))
  return charges.filter(charge => charge.amount > 0n)
}

function statusOf(element: XmlElement): StatementLine['status'] {
  const status = textAt(element, 'Sts', 'Cd') ?? textAt(element, 'Sts')
  if (status !== null) return STATUS.get(status) ?? 'info'
  if (elementAt(element, 'Sts', 'Prtry') !== null) return 'info'
  throw refusedAt(element, 'missing status: no Sts')
}

/** A booking date is a day of the calendar, where there is one; a value date may be 30 February. */
function datesOf(element: XmlElement): Pick<StatementLine, 'booked' | 'value' | 'valueRaw'> {
  const booked = dayIn(element, 'BookgDt')
  if (booked?.day === null) throw refusedAt(element, `impossible booking date: ${booked.printed}`)
  const value = dayIn(element, 'ValDt')
  return {
    booked: booked?.day ?? null,
    value: value?.day ?? null,
    ...(value?.day === null ? { valueRaw: value.printed } : {}),
  }
}

function isTrue(text: string | null): boolean {
  return text === 'true' || text === '1'
}

function sameMoney(left: Money, right: Money): boolean {
  return left.amount === right.amount && left.currency === right.currency
}
