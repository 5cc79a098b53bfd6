import {
  checkTwice,
  lockReadAndWrite,
  lockTheRead,
  naive,
  reserve,
  type Withdraw,
} from './programs.ts'

/** Copies of one program at once: how many orders there are, and how many of them lose money. */
export interface Expected {
  readonly name: string
  readonly withdraw: Withdraw
  readonly copies: number
  readonly orders: bigint
  readonly violations: bigint
}

const expected = (
  name: string,
  withdraw: Withdraw,
  copies: number,
  orders: bigint,
  violations: bigint,
): Expected => ({ name, withdraw, copies, orders, violations })

/** Worked out by hand or by an independent count; see the README. */
export const TABLE: readonly Expected[] = [
  expected('naive', naive, 2, 54n, 36n),
  expected('check twice', checkTwice, 2, 182n, 120n),
  expected('lock around the read only', lockTheRead, 2, 180n, 100n),
  expected('lock around read and write', lockReadAndWrite, 2, 50n, 0n),
  expected('reserve, then settle', reserve, 2, 24n, 0n),
  expected('naive', naive, 3, 11_862n, 11_340n),
  expected('reserve, then settle', reserve, 3, 846n, 0n),
]
