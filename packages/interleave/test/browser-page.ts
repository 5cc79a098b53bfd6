// Runs in a browser: explores programs, and posts to the server of the page what came of it.
import { explore, UncontrolledAwait } from '../src/index.ts'
import { naive, shop, shopState, type Withdraw } from './programs.ts'
import { TABLE } from './table.ts'

/** What the page found, as it comes through JSON. */
export interface Found {
  /** `orders violations exhaustive` of each row of the table, run one by one and merged. */
  readonly table: readonly (readonly [everyOrder: string, mergedStates: string])[]
  readonly fourCopies: string
  readonly nested: string
  readonly atOnce: string
  readonly uncontrolled: string
}

const DEPTH = 8

const counted = async (program: ReturnType<typeof shop>): Promise<string> => {
  const { orders, violations, exhaustive } = await explore(program)
  return `${orders} ${violations} ${exhaustive}`
}

/** The naive withdrawal below so many awaits that are no calls. */
const nested =
  (depth: number): Withdraw =>
  async ports =>
    depth === 0 ? naive(ports) : await nested(depth - 1)(ports)

const atOnce: Withdraw = ({ account }) => Promise.all([account.load(), account.read()])

const waitsForTimer: Withdraw = async ({ account }) => {
  await account.load()
  await new Promise(resolve => {
    setTimeout(resolve, 1)
  })
  await account.read()
}

async function uncontrolled(): Promise<string> {
  try {
    await explore(shop(waitsForTimer, naive))
    return 'nothing was thrown'
  } catch (error) {
    return error instanceof UncontrolledAwait ? error.message : String(error)
  }
}

async function find(): Promise<Found> {
  const table: [string, string][] = []
  for (const { withdraw, copies } of TABLE) {
    const tasks = Array.from({ length: copies }, () => withdraw)
    const program = shop(...tasks)
    table.push([await counted(program), await counted({ ...program, state: shopState })])
  }
  return {
    table,
    fourCopies: await counted({ ...shop(naive, naive, naive, naive), state: shopState }),
    nested: await counted(shop(nested(DEPTH), nested(DEPTH))),
    atOnce: await counted(shop(atOnce, atOnce)),
    uncontrolled: await uncontrolled(),
  }
}

const body = await find().then(JSON.stringify, (error: unknown) =>
  JSON.stringify({ error: String(error) }),
)
await fetch('/answer', { method: 'POST', body })
