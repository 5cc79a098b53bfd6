import type { AccountId, Asset } from '../ledger/command.ts'
import { TRIAL_ACCOUNT_PREFIX } from '../payouts/ledger-port.ts'
import type { Day } from './schedule.ts'

/** The name of a buyer or a seller, `seller:7`. 1 to 64 of `A-Za-z0-9._:/@+-`. */
export type Party = string

/**
 * The accounts of charges are named here and nowhere else. What a seller has earned is credited by
 * charges alone, because no other function of the room makes a leg to it (I10); topping up cannot
 * name it.
 */

/** What a buyer has paid in and not spent. */
export function prepaidAccount(buyer: Party, asset: Asset): AccountId {
  return `prepaid:${buyer}/${asset}`
}

/** What a buyer was given to try things: spent first, and never paid out. */
export function trialAccount(buyer: Party, asset: Asset): AccountId {
  return `${TRIAL_ACCOUNT_PREFIX}${buyer}/${asset}`
}

/** What a seller is owed; below 0 where the seller owes. */
export function earnedAccount(seller: Party, asset: Asset): AccountId {
  return `earned:${seller}/${asset}`
}

/** What a buyer may still spend on a day of UTC. */
export function dayLimitAccount(buyer: Party, day: Day, asset: Asset): AccountId {
  return `limit:day:${day}:${buyer}/${asset}`
}

/** What may still be spent with a key. */
export function keyLimitAccount(spendKey: Party, asset: Asset): AccountId {
  return `limit:key:${spendKey}/${asset}`
}

/** Where limits come from and where what was spent of them goes. It has no floor. */
export function limitPoolAccount(asset: Asset): AccountId {
  return `limits/${asset}`
}

/** Through which one asset becomes another. It has no floor. */
export function exchangeAccount(asset: Asset): AccountId {
  return `exchange/${asset}`
}
