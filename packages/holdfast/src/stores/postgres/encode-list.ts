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

interface EncodedLeg {
  to_: number
  asset: string
  amount: string
  least: string
  first: number
  last: number
}

/** A list as `apply_v1` takes it: names and keys once, everything else by index. */
class ListEncoder {
  readonly #accounts = new Index()
  readonly #keys = new Index()
  readonly #refs = new Set<number>()
  readonly #legs: EncodedLeg[] = []
  readonly #sources: number[] = []
  readonly #amounts: string[] = []

  command(command: Prepared): Record<string, unknown> {
    switch (command.do) {
      case 'open':
        return {
          kind: command.do,
          account: this.#accounts.of(command.account),
          asset: command.asset,
          floor: command.floor?.toString(),
        }
      case 'close':
        return { kind: command.do, account: this.#accounts.of(command.account) }
      case 'transfer':
        return {
          kind: command.do,
          key: this.#keys.of(command.key),
          ...this.#legsOf(command.legs),
          effective: command.effective,
          meta: command.meta ? JSON.stringify(command.meta) : null,
        }
      case 'hold':
        return {
          kind: command.do,
          key: this.#keys.of(command.key),
          ref: command.replaces === null ? null : this.#original(command.replaces),
          ...this.#legsOf(command.legs),
          expires: command.expiresInMs,
          meta: command.meta ? JSON.stringify(command.meta) : null,
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
          if_expired: command.ifExpired,
          reason: command.reason,
        }
      case 'reverse':
        return {
          kind: command.do,
          key: this.#keys.of(command.key),
          ref: this.#original(command.of),
          may_owe: command.mayOwe,
          ...this.#amountsOf(command.amounts),
        }
    }
  }

  finish(commands: readonly Record<string, unknown>[]): string {
    return JSON.stringify({
      accounts: this.#accounts.texts,
      keys: this.#keys.texts,
      refs: [...this.#refs],
      commands,
      legs: this.#legs,
      sources: this.#sources,
      amounts: this.#amounts,
    })
  }

  /** A key whose hold or transfer the list needs to see. */
  #original(key: string): number {
    const index = this.#keys.of(key)
    this.#refs.add(index)
    return index
  }

  #legsOf(legs: readonly KeptLeg[]): { first: number; last: number; legs: string } {
    const first = this.#legs.length + 1
    for (const leg of legs) {
      const firstSource = this.#sources.length + 1
      for (const source of leg.from) this.#sources.push(this.#accounts.of(source))
      this.#legs.push({
        to_: this.#accounts.of(leg.to),
        asset: leg.asset,
        amount: leg.amount.toString(),
        least: leg.atLeast.toString(),
        first: firstSource,
        last: this.#sources.length,
      })
    }
    return { first, last: this.#legs.length, legs: legsJson(legs) }
  }

  #amountsOf(amounts: readonly bigint[] | null): Record<string, unknown> {
    if (!amounts) return {}
    const first = this.#amounts.length + 1
    for (const amount of amounts) this.#amounts.push(amount.toString())
    return { amounts: first, count: amounts.length, asked: `{${amounts.join(',')}}` }
  }
}

/** Encodes well-formed commands for `apply_v1`. */
export function encodeList(commands: readonly Prepared[]): string {
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
