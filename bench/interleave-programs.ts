import { explore, type Program, type View } from '../packages/interleave/src/index.ts'

/** A balance, and what a bank has paid of it. */
export interface World {
  balance: bigint
  paid: bigint
}

export const portsOf = (world: World) => ({
  load: () => 'user:1',
  read: () => world.balance,
  write: (balance: bigint) => {
    world.balance = balance
  },
  pay: (amount: bigint) => {
    world.paid += amount
  },
})
export type Ports = ReturnType<typeof portsOf>
type Withdraw = (ports: View<Ports>) => Promise<void>

const AMOUNT = 80n

/** One of two or more that read before they write. */
export const withdraw: Withdraw = async ({ load, read, write, pay }) => {
  await load()
  const balance = await read()
  if (balance < AMOUNT) return
  await write(balance - AMOUNT)
  await pay(AMOUNT)
}

/** Loads and reads at once. */
export const withdrawAtOnce: Withdraw = async ({ load, read, write, pay }) => {
  const [, balance] = await Promise.all([load(), read()])
  if (balance < AMOUNT) return
  await write(balance - AMOUNT)
  await pay(AMOUNT)
}

export const world = (): World => ({ balance: 100n, paid: 0n })
export const isWell = ({ balance, paid }: World) => balance + paid === 100n

/** The same withdrawal so many times at once. */
export function copies(task: Withdraw, count: number): Program<World, Ports> {
  return {
    setup: world,
    ports: portsOf,
    tasks: Array.from({ length: count }, () => task),
    invariant: isWell,
  }
}

const ORDERS_A_BATCH = 10_000
const BATCHES_MAX = 100_000

/** Orders a second: makes batches of orders until the time is over. */
export async function rateOf(
  durationMs: number,
  run: (orders: number) => Promise<number>,
): Promise<number> {
  const startMs = performance.now()
  let orders = 0
  for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
    orders += await run(ORDERS_A_BATCH)
    if (performance.now() - startMs >= durationMs) break
  }
  return (orders * 1_000) / (performance.now() - startMs)
}

/** Explores until so many orders are run, or all; gives how many there were. */
export async function explored(program: Program<World, Ports>, orders: number): Promise<number> {
  return Number((await explore({ ...program, bounds: { orders } })).orders)
}
