/** So much each account begins with, in EUR. */
const OPENING = '100.00'
/** So much each payout is, in EUR. */
const AMOUNT = '10.50'

/** The accounts of a payday, as a file. */
export function accountsCsv(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `user:${index},EUR,0,${OPENING}\n`)
  return `account,asset,floor,balance\n${rows.join('')}`
}

export const PAYMENT_COLUMNS = 'request_key,account,amount,asset,payee,destination'

/** The payouts of a payday, as a file: one for each account. */
export function paymentsCsv(count: number, name = 'pay'): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `${name}-${index},user:${index},${AMOUNT},EUR,Payee ${index},DEST${index}\n`,
  )
  return `${PAYMENT_COLUMNS}\n${rows.join('')}`
}
