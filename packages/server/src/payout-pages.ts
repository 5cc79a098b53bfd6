import type { Payout, PayoutFilter, Payouts } from 'holdfast/payouts'

/**
 * The payouts that a filter lets through, page by page, in the order in which they were requested.
 * Where there are none, one empty page.
 */
export async function* payoutPages(
  payouts: Payouts,
  filter: PayoutFilter = {},
): AsyncGenerator<readonly Payout[], void> {
  let page = await payouts.list(filter)
  yield page.payouts
  while (page.next !== null) {
    page = await payouts.list(filter, { after: page.next })
    yield page.payouts
  }
}
