import type { AccountId, Command, Leg } from 'holdfast'

const ASSET = 'EUR/2'
/** What each account has to begin with, in minor units. */
export const FUNDS: bigint = 10n ** 12n
/** The accounts of the widest shape; every shape uses some of them. */
export const ACCOUNTS = 1_000

/** What callers ask for. */
export interface Shape {
  readonly name: string
  /** The commands of one operation, sent one after the other. */
  operation(key: string, count: number): Command[]
}

/** Opens and funds what the shapes use. */
export function preparation(): Command[] {
  const ids = ['hot', 'platform', 'tax', ...Array.from({ length: ACCOUNTS }, (_, n) => `a${n}`)]
  return [
    { do: 'open', account: 'world', asset: ASSET, floor: null },
    ...ids.map((account): Command => ({ do: 'open', account, asset: ASSET, floor: 0n })),
    ...ids.map((id): Command => transfer(`fund-${id}`, leg('world', id, FUNDS))),
  ]
}

/** A buyer of those that were prepared. */
export function anyBuyer(): AccountId {
  return anyOf(ACCOUNTS)
}

/** Of these many accounts one at random. */
function anyOf(accounts: number): AccountId {
  return `a${Math.floor(Math.random() * accounts)}`
}

/** Two of these many accounts that are not the same. */
export function pairOf(accounts: number): [AccountId, AccountId] {
  const giver = Math.floor(Math.random() * accounts)
  const taker = (giver + 1 + Math.floor(Math.random() * (accounts - 1))) % accounts
  return [`a${giver}`, `a${taker}`]
}

/** The hot account and another one, in either direction. */
export function hotPair(): [AccountId, AccountId] {
  const other = anyOf(ACCOUNTS)
  return Math.random() < 0.5 ? ['hot', other] : [other, 'hot']
}

function leg(from: AccountId, to: AccountId, amount: bigint): Leg {
  return { from, to, asset: ASSET, amount }
}

function transfer(key: string, ...legs: Leg[]): Command {
  return { do: 'transfer', key, legs }
}

export const RANDOM: Shape = {
  name: '1,000 accounts',
  operation: key => [transfer(key, leg(...pairOf(ACCOUNTS), 1n))],
}

export const HOT: Shape = {
  name: 'one hot account',
  operation: key => [transfer(key, leg(...hotPair(), 1n))],
}

export const TEN: Shape = {
  name: '10 accounts',
  operation: key => [transfer(key, leg(...pairOf(10), 1n))],
}

/** A buyer pays a seller, the platform and the tax. */
export const CHARGE: Shape = {
  name: 'charge of three legs',
  operation: key => {
    const [buyer, seller] = pairOf(ACCOUNTS)
    const charge = [leg(buyer, seller, 8n), leg(buyer, 'platform', 1n), leg(buyer, 'tax', 1n)]
    return [transfer(key, ...charge)]
  },
}

/** Shapes that only the ledger is measured with. */
export const FURTHER: readonly Shape[] = [
  {
    name: 'hold, then settle',
    operation: key => [
      { do: 'hold', key, legs: [leg(...pairOf(ACCOUNTS), 1n)] },
      { do: 'settle', hold: key },
    ],
  },
  CHARGE,
  {
    name: 'elastic legs',
    operation: key => {
      const [giver, taker] = pairOf(ACCOUNTS)
      return [transfer(key, { ...leg(giver, taker, 10n), from: [giver, 'platform'], atLeast: 1n })]
    },
  },
  {
    name: '50% replays',
    operation: (key, count) => [
      count % 2 === 0
        ? transfer(key, leg('a0', 'a1', 1n))
        : transfer(before(key, count), leg('a0', 'a1', 1n)),
    ],
  },
  {
    name: '40% refusals',
    operation: (key, count) => [
      transfer(key, leg(...pairOf(ACCOUNTS), count % 5 < 2 ? FUNDS * 1_000n : 1n)),
    ],
  },
]

/** The key of the caller's last operation. */
function before(key: string, count: number): string {
  return key.replace(/\d+$/, String(count - 1))
}
