import type { Asset } from 'holdfast'
import type { BankProfile } from 'holdfast/reconciliation'
import { GATEWAY_NAME } from './gateway-option.ts'

/** The name of the bank of the command line: its account in our books is `bank:bank`. */
export const BANK_NAME = 'bank'

/** The simulated bank, which pays at once and marks its fees by a text or, as CSV, by a type. */
export function bankProfile(asset: Asset): BankProfile {
  return {
    name: BANK_NAME,
    gateway: GATEWAY_NAME,
    asset,
    account: null,
    bookedWithinDays: 0,
    fees: [
      { ref: 'additionalInfo', startsWith: 'Fee for transfer ' },
      { ref: 'type', equals: 'fee' },
    ],
  }
}
