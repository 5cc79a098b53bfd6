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

/** What a column of commands may hold; texts are quoted already. */
type Cell = string | number | bigint | boolean | null | undefined

/** One command in the columns of the SQL type `list`; what is absent is null. */
interface EncodedCommand {
  readonly kind: string
  readonly key?: number
  readonly ref?: number | null
  readonly account?: number
  readonly asset?: string
  readonly floor?: bigint | null
  readonly first?: number
  readonly last?: number
  readonly amounts?: number
  readonly count?: number
  readonly expires?: number | null
  readonly ifExpired?: boolean
  readonly mayOwe?: boolean
  readonly legs?: string
  readonly effective?: string | null
  readonly meta?: string | null
  readonly reason?: string | null
  readonly asked?: string
}

/** The columns of commands, in the order of the SQL type `list`. */
const COMMAND_COLUMNS: readonly (keyof EncodedCommand)[] = [
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
]

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

  command(command: Prepared): EncodedCommand {
    switch (command.do) {
      case 'open':
        return {
          kind: command.do,
          account: this.#accounts.of(command.account),
          asset: quoted(command.asset),
          floor: command.floor,
        }
      case 'close':
        return { kind: command.do, account: this.#accounts.of(command.account) }
      case 'transfer':
        return {
          kind: command.do,
          key: this.#keys.of(command.key),
          ...this.#legsOf(command.legs),
          effective: command.effective && quoted(command.effective),
          meta: command.meta && quoted(JSON.stringify(command.meta)),
        }
      case 'hold':
        return {
          kind: command.do,
          key: this.#keys.of(command.key),
          ref: command.replaces === null ? null : this.#original(command.replaces),
          ...this.#legsOf(command.legs),
          expires: command.expiresInMs,
          meta: command.meta && quoted(JSON.stringify(command.meta)),
        }
      case 'settle':
        return {
          kind: command.do,
          key: this.#original(command.hold),
          ...this.#amountsOf(command.amounts),
        }
      case 'release':
        return {
          kind: command.do,
          key: this.#original(command.hold),
          ifExpired: command.ifExpired,
          reason: command.reason === null ? null : quoted(command.reason),
        }
      case 'reverse':
        return {
          kind: command.do,
          key: this.#keys.of(command.key),
          ref: this.#original(command.of),
          mayOwe: command.mayOwe,
          ...this.#amountsOf(command.amounts),
        }
    }
  }

  /** The arrays of the SQL type `list`, in its order, each as text. */
  finish(commands: readonly EncodedCommand[]): (string | null)[] {
    return [
      array(this.#accounts.texts.map(quoted)),
      array(this.#keys.texts.map(quoted)),
      array([...this.#refs]),
      ...COMMAND_COLUMNS.map(name => arrayOrNull(commands.map(command => command[name]))),
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

  /** A key whose hold or transfer the list needs to see. */
  #original(key: string): number {
    const index = this.#keys.of(key)
    this.#refs.add(index)
    return index
  }

  #legsOf(legs: readonly KeptLeg[]): { first: number; last: number; legs: string } {
    const first = this.#legTo.length + 1
    for (const leg of legs) {
      this.#legFirst.push(this.#sources.length + 1)
      for (const source of leg.from) this.#sources.push(this.#accounts.of(source))
      this.#legLast.push(this.#sources.length)
      this.#legTo.push(this.#accounts.of(leg.to))
      this.#legAsset.push(quoted(leg.asset))
      this.#legAmount.push(leg.amount)
      this.#legLeast.push(leg.atLeast)
    }
    return { first, last: this.#legTo.length, legs: quoted(legsJson(legs)) }
  }

  #amountsOf(amounts: readonly bigint[] | null): Partial<EncodedCommand> {
    if (!amounts) return {}
    const first = this.#amounts.length + 1
    this.#amounts.push(...amounts)
    return { amounts: first, count: amounts.length, asked: quoted(array(amounts)) }
  }
}

/** Encodes well-formed commands for `apply_v1`: the arrays of the SQL type `list`, in its order. */
export function encodeList(commands: readonly Prepared[]): (string | null)[] {
  const encoder = new ListEncoder()
  return encoder.finish(commands.map(command => encoder.command(command)))
}

/** The legs as they are kept in a movement's row, amounts as text. */
function legsJson(legs: readonly KeptLeg[]): string {
  return JSON.stringify(
    legs.map(({ from, to, asset, amount, atLeast }) => ({
      from,
      to,
      asset,
      amount: amount.toString(),
      atLeast: atLeast.toString(),
    })),
  )
}

/** A text as an element of an array. */
function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}

function array(cells: readonly Cell[]): string {
  return `{${cells.map(cell => cell ?? 'null').join(',')}}`
}

/** Most columns are empty in most lists. */
function arrayOrNull(cells: readonly Cell[]): string | null {
  return cells.every(cell => cell === null || cell === undefined) ? null : array(cells)
}
