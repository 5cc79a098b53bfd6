import { createLock, type Lock, type Program, type Task, type View } from '../src/index.ts'

/** A balance of 100, and a bank that pays out. */
export interface Shop {
  balance: bigint
  held: bigint
  paid: bigint
  readonly lock: Lock
}

function portsOf(shop: Shop) {
  return {
    account: {
      load: () => 'user:1',
      read: () => shop.balance,
      write: (balance: bigint) => {
        shop.balance = balance
      },
      /** Checks and takes in one step. */
      reserve: (amount: bigint) => {
        if (shop.balance < amount) return false
        shop.balance -= amount
        shop.held += amount
        return true
      },
      settle: (amount: bigint) => {
        shop.held -= amount
      },
    },
    lock: shop.lock,
    bank: {
      pay: (amount: bigint) => {
        shop.paid += amount
      },
    },
  }
}

type Ports = ReturnType<typeof portsOf>
export type Withdraw = Task<Ports>
/** What a task sees of the ports; on a real store they are these at once. */
export type Seen = View<Ports>

const AMOUNT = 80n

export const naive = async ({ account, bank }: Seen): Promise<void> => {
  await account.load()
  const balance = await account.read()
  if (balance < AMOUNT) return
  await account.write(balance - AMOUNT)
  await bank.pay(AMOUNT)
}

export const checkTwice = async ({ account, bank }: Seen): Promise<void> => {
  await account.load()
  if ((await account.read()) < AMOUNT) return
  const balance = await account.read()
  if (balance < AMOUNT) return
  await account.write(balance - AMOUNT)
  await bank.pay(AMOUNT)
}

export const lockTheRead = async ({ account, bank, lock }: Seen): Promise<void> => {
  await account.load()
  await lock.lock()
  const balance = await account.read()
  await lock.unlock()
  if (balance < AMOUNT) return
  await account.write(balance - AMOUNT)
  await bank.pay(AMOUNT)
}

export const lockReadAndWrite = async ({ account, bank, lock }: Seen): Promise<void> => {
  await account.load()
  await lock.lock()
  const balance = await account.read()
  if (balance < AMOUNT) {
    await lock.unlock()
    return
  }
  await account.write(balance - AMOUNT)
  await lock.unlock()
  await bank.pay(AMOUNT)
}

export const reserve = async ({ account, bank }: Seen): Promise<void> => {
  await account.load()
  if (!(await account.reserve(AMOUNT))) return
  await bank.pay(AMOUNT)
  await account.settle(AMOUNT)
}

export const world = (): Shop => ({ balance: 100n, held: 0n, paid: 0n, lock: createLock() })

/** These withdrawals at once. */
export function shop(...tasks: readonly Withdraw[]): Program<Shop, Ports> {
  return {
    setup: world,
    ports: portsOf,
    tasks,
    invariant: ({ balance, held, paid }) => balance + held + paid === 100n,
  }
}

/** All of the shop that can be seen; who holds the lock follows from the steps of the tasks. */
export const shopState = ({ balance, held, paid }: Shop): string => `${balance} ${held} ${paid}`
