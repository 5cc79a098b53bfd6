import { isPaid, type Payout } from '../payouts/payout.ts'
import type { Allocation, LineFinding, Place } from './allocation.ts'
import type { BankProfile } from './bank-profile.ts'
import type { FindingKind } from './finding.ts'
import { carriedIds } from './identify.ts'
import { signed, type Part } from './parts.ts'

/** A payout as our books have it. */
export interface KnownPayout extends Payout {
  /** Its hold is released, or that is decided: so a line that pays it takes nothing from clearing. */
  readonly released: boolean
}

/** A batch of ours: its payouts through this bank that can have been paid. */
export interface PayoutBatch {
  readonly batch: string
  readonly payouts: readonly KnownPayout[]
}

/** What our books say, as far as the lines at hand name it. */
export interface Known {
  readonly payouts: ReadonlyMap<string, KnownPayout>
  readonly batches: readonly PayoutBatch[]
}

/** What lines before these have been matched with. */
export interface Seen {
  /** Payouts that a line has paid. */
  readonly paid: ReadonlySet<string>
  /** What has come back of a payout, in minor units. */
  readonly returned: ReadonlyMap<string, bigint>
  /** What the bank has paid of a payout beyond its amount, and not taken back, in minor units. */
  readonly overpaid: ReadonlyMap<string, bigint>
  /** What lines of other files have paid or returned, as {@link movedText} writes it. */
  readonly elsewhere: ReadonlySet<string>
}

/** Where nothing has been matched. */
export const NOTHING_SEEN: Seen = {
  paid: new Set(),
  returned: new Map(),
  overpaid: new Map(),
  elsewhere: new Set(),
}

/** What a line moves of a payout, to be recognised where it comes again in another file. */
export function movedText(payout: string, booked: string | null, amount: bigint): string {
  return `${payout} ${booked ?? '-'} ${amount}`
}

/** What a part says of the payouts it is about. */
type About = Partial<Pick<LineFinding, 'payout' | 'named' | 'books' | 'bank'>>

/** What an allocation says beside its amount in our books. */
interface AllocatedFor {
  readonly payout?: Payout
  readonly role?: 'pays' | 'returns'
  /** What the bank printed, where that differs. */
  readonly bank?: bigint
}

/** The matching under way: what is seen grows with every part. */
export class Matching {
  readonly bank: BankProfile
  readonly known: Known
  readonly allocations: Allocation[] = []
  readonly findings: LineFinding[] = []
  readonly #paid: Set<string>
  readonly #returned: Map<string, bigint>
  readonly #overpaid: Map<string, bigint>
  readonly #elsewhere: ReadonlySet<string>
  readonly #parts = new Map<number, number>()

  constructor(bank: BankProfile, known: Known, seen: Seen) {
    this.bank = bank
    this.known = known
    this.#paid = new Set(seen.paid)
    this.#returned = new Map(seen.returned)
    this.#overpaid = new Map(seen.overpaid)
    this.#elsewhere = seen.elsewhere
  }

  /** Our payouts that a part carries the id of: in a reference of its own, else in a text. */
  named(part: Part): { payouts: KnownPayout[]; exactly: boolean } {
    const { exact, mentioned } = carriedIds(part.refs, part.bankRef)
    const exactly = this.#ours(exact)
    return exactly.length > 0
      ? { payouts: exactly, exactly: true }
      : { payouts: this.#ours(mentioned), exactly: false }
  }

  wasSeenPaid(payout: Payout): boolean {
    return this.#paid.has(payout.id)
  }

  /** Whether money can have come back of it. */
  wasPaid(payout: Payout): boolean {
    return this.#paid.has(payout.id) || isPaid(payout)
  }

  /** What can still come back of a payout, in minor units. */
  leftToReturn({ id, amount }: Payout): bigint {
    return amount - (this.#returned.get(id) ?? 0n)
  }

  /** What the bank has paid beyond its amount, and not taken back, in minor units. */
  overpaid({ id }: Payout): bigint {
    const overpaid = this.#overpaid.get(id) ?? 0n
    return overpaid > 0n ? overpaid : 0n
  }

  /** Whether a line of another file has moved the same of the payout on the same day. */
  wasSeenElsewhere(part: Part, { id }: Payout): boolean {
    return this.#elsewhere.has(movedText(id, part.booked, signed(part, part.amount)))
  }

  /** What the bank pays beyond a payout's amount, or takes back of that: it is nobody's in our books. */
  overpay(part: Part, payout: Payout, amount: bigint, bank: bigint = amount): void {
    const before = this.#overpaid.get(payout.id) ?? 0n
    this.#overpaid.set(payout.id, before - signed(part, amount))
    this.allocate(part, 'suspense', amount, { payout, bank })
  }

  /** Puts a part of a line in its place; amounts are unsigned, on the side of the part. */
  allocate(
    part: Part,
    place: Place,
    books: bigint,
    { payout, role, bank }: AllocatedFor = {},
  ): void {
    const count = this.#parts.get(part.line) ?? 0
    this.#parts.set(part.line, count + 1)
    this.allocations.push({
      line: part.line,
      part: count,
      detail: part.detail,
      place,
      payout: payout?.id ?? null,
      role: role ?? null,
      books: signed(part, books),
      bank: signed(part, bank ?? books),
    })
  }

  /** The part pays the payout: out of clearing, where its hold was settled into. */
  pay(part: Part, payout: KnownPayout, bank: bigint): void {
    this.#paid.add(payout.id)
    this.allocate(part, placeOf(payout), payout.amount, { payout, role: 'pays', bank })
  }

  giveBack(part: Part, payout: KnownPayout, amount: bigint): void {
    this.#returned.set(payout.id, (this.#returned.get(payout.id) ?? 0n) + amount)
    this.allocate(part, placeOf(payout), amount, { payout, role: 'returns' })
  }

  /** What our books say of a payout; its amount only where it can be compared with the bank's. */
  about({ id, amount, asset }: Payout): About {
    return { payout: id, books: asset === this.bank.asset ? -amount : null }
  }

  find(part: Part, kind: FindingKind, about: About = {}): void {
    const { line, detail } = part
    const { payout = null, named = payout === null ? [] : [payout], books = null } = about
    this.findings.push({ line, detail, kind, payout, named, books, bank: about.bank ?? null })
  }

  /** A part that is matched with nothing: all of it goes to suspense, under a finding. */
  suspend(part: Part, kind: FindingKind, about: About = {}): void {
    this.allocate(part, 'suspense', part.amount)
    this.find(part, kind, { ...about, bank: signed(part, part.amount) })
  }

  #ours(ids: ReadonlySet<string>): KnownPayout[] {
    return [...ids].flatMap(id => this.known.payouts.get(id) ?? [])
  }
}

/** Where the money of a payout lies once it has left the bank. */
function placeOf({ released }: KnownPayout): Place {
  return released ? 'suspense' : 'clearing'
}
