import type { AccountId, Key } from './command.ts'
import type { Refusal } from './outcome.ts'

/** Every refusal beyond shape, made in one place so that all stores say the same. */
export const refusals = {
  keyReused: (key: Key, fields: readonly string[]): Refusal => ({
    code: 'KEY_REUSED',
    key,
    fields,
    message: `key ${key} was used before with other content: ${fields.join(', ')}`,
  }),
  holdSettled: (key: Key): Refusal => ({
    code: 'HOLD_SETTLED',
    key,
    message: `hold ${key} has been settled`,
  }),
  holdReleased: (key: Key): Refusal => ({
    code: 'HOLD_RELEASED',
    key,
    message: `hold ${key} has been released`,
  }),
  accountNotFound: (account: AccountId): Refusal => ({
    code: 'ACCOUNT_NOT_FOUND',
    account,
    message: `there is no account ${account}`,
  }),
  holdNotFound: (key: Key): Refusal => ({
    code: 'HOLD_NOT_FOUND',
    key,
    message: `there is no hold ${key}`,
  }),
  transferNotFound: (key: Key): Refusal => ({
    code: 'TRANSFER_NOT_FOUND',
    key,
    message: `there is no transfer or settled hold ${key}`,
  }),
  notReversible: (key: Key): Refusal => ({
    code: 'NOT_REVERSIBLE',
    key,
    message: `${key} is a reversal, or a hold that is not settled: it cannot be reversed`,
  }),
  accountDiffers: (account: AccountId): Refusal => ({
    code: 'ACCOUNT_DIFFERS',
    account,
    message: `account ${account} was opened before with another asset or floor`,
  }),
  accountClosed: (account: AccountId): Refusal => ({
    code: 'ACCOUNT_CLOSED',
    account,
    message: `account ${account} is closed to new transfers and holds`,
  }),
  assetMismatch: (account: AccountId, leg: number): Refusal => ({
    code: 'ASSET_MISMATCH',
    account,
    leg,
    field: `legs[${leg}].asset`,
    message: `account ${account} holds another asset than legs[${leg}] moves`,
  }),
  amountsMismatch: (legs: number, amounts: number): Refusal => ({
    code: 'INVALID_LEGS',
    field: 'amounts',
    message: `amounts: one for each of the ${legs} legs, not ${amounts}`,
  }),
  holdExpired: (key: Key): Refusal => ({
    code: 'HOLD_EXPIRED',
    key,
    message: `hold ${key} has expired and can no longer be settled`,
  }),
  holdNotExpired: (key: Key): Refusal => ({
    code: 'HOLD_NOT_EXPIRED',
    key,
    message: `hold ${key} has not expired`,
  }),
  amountExceedsHold: (leg: number, available: bigint, asked: bigint): Refusal => ({
    code: 'AMOUNT_EXCEEDS_HOLD',
    leg,
    available,
    asked,
    field: `amounts[${leg}]`,
    message: `amounts[${leg}]: ${asked} is more than the ${available} that is held`,
  }),
  amountExceedsTransfer: (leg: number, available: bigint, asked: bigint): Refusal => ({
    code: 'AMOUNT_EXCEEDS_TRANSFER',
    leg,
    available,
    asked,
    field: `amounts[${leg}]`,
    message: `amounts[${leg}]: ${asked} is more than the ${available} that is left to reverse`,
  }),
  insufficientFunds: (
    leg: number,
    sources: readonly AccountId[],
    available: bigint,
    asked: bigint,
  ): Refusal => ({
    code: 'INSUFFICIENT_FUNDS',
    leg,
    sources,
    available,
    asked,
    message: `legs[${leg}]: ${sources.join(', ')} can give ${available}, asked were ${asked}`,
  }),
  balanceTooLarge: (account: AccountId): Refusal => ({
    code: 'BALANCE_TOO_LARGE',
    account,
    message: `a balance of account ${account} would lie further from zero than the store can keep`,
  }),
} as const
