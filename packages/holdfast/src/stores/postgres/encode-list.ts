import type { KeptLeg } from '../../ledger/movement.ts'
import type { Prepared } from '../../ledger/prepare.ts'

/** Gives each distinct text an index from 1, as SQL arrays have it. */
class Index {
  readonly texts: string[] = []
  readonly #positions: Map<string, number> = new Map()

  of(text: string): number {
    const known = this.#positions.get(text)
    if (known !== undefined) return known
    this.texts.push(text)
    this.#positions.set(text, this.texts.length)
    return this.texts.length
  }
}

/** The columns of commands, in the order of the SQL type `list`. */
const COLUMNS = [
  'kind',
  'key',
  'ref',
  'account',
  'asset',
  'floor',
  'first',
  'last',
  'amounts',
  'count',
  'expires',
  'ifExpired',
  'mayOwe',
  'legs',
  'effective',
  'meta',
  'reason',
  'asked',
] as const

type Column = (typeof COLUMNS)[number]

/** What stands in an array; texts are quoted already, what is absent is null. */
type Cell = string | number | bigint | boolean | null | undefined

/** A list as `apply_v1` takes it: names and keys once, everything else by index. */
class ListEncoder {
  readonly #accounts = new Index()
  readonly #keys = new Index()
  readonly #refs = new Set<number>()
  readonly #amounts: bigint[] = []
  readonly #legTo: number[] = []
  readonly #legAsset: string[] = []
  readonly #legAmount: bigint[] = []
  readonly #legLeast: bigint[] = []
  readonly #legFirst: number[] = []
  readonly #legLast: number[] = []
  readonly #sources: number[] = []
  /** A column has a place for each command once one has put something into it. */
  readonly #columns: Readonly<Record<Column, Cell[]>>
  #commands = 0

  constructor() {
    const columns = COLUMNS.map((name): [Column, Cell[]] => [name, []])
    this.#columns = Object.fromEntries(columns) as Record<Column, Cell[]>
  }

  add(command: Prepared): void {
    this.#put('kind', command.do)
    switch (command.do) {
      case 'open':
        this.#put('account', this.#accounts.of(command.account))
        this.#put('asset', quoted(command.asset))
        this.#put('floor', command.floor)
        break
      case 'close':
        this.#put('account', this.#accounts.of(command.account))
        break
      case 'transfer':
        this.#put('key', this.#keys.of(command.key))
        this.#legsOf(command.legs)
        this.#put('effective', command.effective && quoted(command.effective))
        this.#put('meta', command.meta && quoted(JSON.stringify(command.meta)))
        break
      case 'hold':
        this.#put('key', this.#keys.of(command.key))
        this.#put('ref', command.replaces === null ? null : this.#original(command.replaces))
        this.#legsOf(command.legs)
        this.#put('expires', command.expiresInMs)
        this.#put('meta', command.meta && quoted(JSON.stringify(command.meta)))
        break
      case 'settle':
        this.#put('key', this.#original(command.hold))
        this.#amountsOf(command.amounts)
        break
      case 'release':
        this.#put('key', this.#original(command.hold))
        this.#put('ifExpired', command.ifExpired)
        this.#put('reason', command.reason === null ? null : quoted(command.reason))
        break
      case 'reverse':
        this.#put('key', this.#keys.of(command.key))
        this.#put('ref', this.#original(command.of))
        this.#put('mayOwe', command.mayOwe)
        this.#amountsOf(command.amounts)
    }
    this.#commands += 1
  }

  /** The arrays of the SQL type `list`, in its order, each as text; null where nothing is in one. */
  finish(): (string | null)[] {
    return [
      array(this.#accounts.texts.map(quoted)),
      array(this.#keys.texts.map(quoted)),
      array([...this.#refs]),
      ...COLUMNS.map(name => this.#column(this.#columns[name])),
      array(this.#amounts),
      array(this.#legTo),
      array(this.#legAsset),
      array(this.#legAmount),
      array(this.#legLeast),
      array(this.#legFirst),
      array(this.#legLast),
      array(this.#sources),
    ]
  }

  /** Of the command at hand. */
  #put(column: Column, cell: Cell): void {
    if (cell === null || cell === undefined) return
    const cells = this.#columns[column]
    while (cells.length < this.#commands) cells.push(null)
    cells.push(cell)
  }

  #column(cells: Cell[]): string | null {
    if (cells.length === 0) return null
    while (cells.length < this.#commands) cells.push(null)
    return array(cells)
  }

  /** A key whose hold or transfer the list needs to see. */
  #original(key: string): number {
    const index = this.#keys.of(key)
    this.#refs.add(index)
    return index
  }

  #legsOf(legs: readonly KeptLeg[]): void {
    this.#put('first', this.#legTo.length + 1)
    for (const leg of legs) {
      this.#legFirst.push(this.#sources.length + 1)
      for (const source of leg.from) this.#sources.push(this.#accounts.of(source))
      this.#legLast.push(this.#sources.length)
      this.#legTo.push(this.#accounts.of(leg.to))
      this.#legAsset.push(leg.asset)
      this.#legAmount.push(leg.amount)
      this.#legLeast.push(leg.atLeast)
    }
    this.#put('last', this.#legTo.length)
    this.#put('legs', legsOf(legs))
  }

  #amountsOf(amounts: readonly bigint[] | null): void {
    if (!amounts) return
    this.#put('amounts', this.#amounts.length + 1)
    this.#put('count', amounts.length)
    this.#put('asked', quoted(array(amounts)))
    this.#amounts.push(...amounts)
  }
}

/** Encodes well-formed commands for `apply_v1`: the arrays of the SQL type `list`, in its order. */
export function encodeList(commands: readonly Prepared[]): (string | null)[] {
  const encoder = new ListEncoder()
  for (const command of commands) encoder.add(command)
  return encoder.finish()
}

/**
 * The legs as they are kept in a movement's row, JSON with amounts as text, as an element of an array.
 * Names have no quote and no backslash in them (shape.ts), so they are written as they stand.
 */
function legsOf(legs: readonly KeptLeg[]): string {
  const each = legs.map(({ from, to, asset, amount, atLeast }) => {
    const sources = from.map(source => `\\"${source}\\"`).join(',')
    const names = `\\"from\\":[${sources}],\\"to\\":\\"${to}\\",\\"asset\\":\\"${asset}\\"`
    return `{${names},\\"amount\\":\\"${amount}\\",\\"atLeast\\":\\"${atLeast}\\"}`
  })
  return `"[${each.join(',')}]"`
}

const SPECIAL = /["\\]/
const SPECIALS = /["\\]/g

/** A text as an element of an array. */
function quoted(text: string): string {
  return `"${SPECIAL.test(text) ? text.replaceAll(SPECIALS, '\\$&') : text}"`
}

function array(cells: readonly Cell[]): string {
  return `{${cells.map(cell => cell ?? 'null').join(',')}}`
}
