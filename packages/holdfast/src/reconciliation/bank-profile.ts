import type { AccountId, Asset } from '../ledger/command.ts'
import { isName } from '../ledger/shape.ts'
import { parseAsset } from '../money/asset.ts'
import { minorUnits } from '../money/currency.ts'
import { clearingAccount } from '../payouts/ledger-port.ts'
import type { Reference } from '../statements/statement.ts'

/**
 * How a bank marks its own fees. `ref` names a reference of the line that the bank itself writes.
 * `equals` is for codes. `startsWith` is for known texts, and a line whose reference is the id of a
 * payout is no fee by it.
 */
export type FeeRule =
  | { readonly ref: string; readonly equals: string }
  | { readonly ref: string; readonly startsWith: string }

/** One account at one bank, as data. */
export interface BankProfile {
  /** Stands in account ids, `bank:<name>`. 1 to 40 of `A-Za-z0-9._-`. */
  readonly name: string
  /** The gateway whose payouts leave this account; stands in `clearing:<gateway>`. */
  readonly gateway: string
  /** A currency with its ISO 4217 scale, `EUR/2`: what a statement counts in. */
  readonly asset: Asset
  /** The number that the bank prints; null: that of the first statement that was taken. */
  readonly account: string | null
  /** So many days after a payout succeeded the bank has booked it. */
  readonly bookedWithinDays: number
  readonly fees: readonly FeeRule[]
}

/** The accounts that an accepted statement moves money between. */
export interface BankAccounts {
  /** Carries the negative of our money at the bank. */
  readonly bank: AccountId
  readonly clearing: AccountId
  readonly fees: AccountId
  readonly suspense: AccountId
}

/** The accounts of a bank in our books. */
export function bankAccounts({ name, gateway }: BankProfile): BankAccounts {
  return {
    bank: `bank:${name}`,
    clearing: clearingAccount(gateway),
    fees: `fees:${name}`,
    suspense: `suspense:${name}`,
  }
}

const NAME = /^[A-Za-z0-9._-]{1,40}$/

/** Throws a RangeError that names the field where a profile is none. */
export function assertBankProfile(profile: BankProfile): void {
  const { name, asset, bookedWithinDays } = profile
  if (!NAME.test(name)) throw new RangeError(`name: 1 to 40 of A-Za-z0-9._-, not ${name}`)
  if (!isName(bankAccounts(profile).clearing))
    throw new RangeError(`gateway: must give the name of an account, not ${profile.gateway}`)
  const parsed = parseAsset(asset)
  if (!parsed.ok) throw new RangeError(`asset: ${asset} ${parsed.why}`)
  if (minorUnits(parsed.code) !== parsed.scale)
    throw new RangeError(`asset: a currency with its ISO 4217 scale, not ${asset}`)
  if (!Number.isInteger(bookedWithinDays) || bookedWithinDays < 0)
    throw new RangeError('bookedWithinDays: a whole number, 0 or more')
}

/** Whether a line is a fee of the bank by one of its rules. */
export function isFee(
  refs: Readonly<Record<string, Reference>>,
  rules: readonly FeeRule[],
  isPayout: boolean,
): boolean {
  return rules.some(rule => {
    const texts = [refs[rule.ref] ?? []].flat()
    if ('equals' in rule) return texts.includes(rule.equals)
    return !isPayout && texts.some(text => text.startsWith(rule.startsWith))
  })
}
