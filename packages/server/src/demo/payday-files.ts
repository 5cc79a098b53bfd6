import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatDecimal } from 'holdfast/money'

const ASSET = 'EUR'
const SCALE = 2
/** The least and the most that a creator is paid, in minor units. */
const PAYOUT_MIN = 500n
const PAYOUT_MAX = 250_000n
/** What is left to a creator after payday: it must not be touched. */
const LEFT = 1_000n

/** The files of a payday. */
export interface PaydayFiles {
  readonly accounts: string
  readonly payments: string
}

/**
 * Writes the files of a payday: creators with what they have earned, and the payouts. The platform
 * keeps what is left of the money at the bank, so that books and bank agree before the first payout.
 */
export function writePaydayFiles(
  folder: string,
  { payouts, seed, opening }: { payouts: number; seed: number; opening: bigint },
): PaydayFiles {
  const amounts = Array.from({ length: payouts }, (_, index) => amountOf(seed, index))
  const earned = amounts.reduce((total, amount) => total + amount + LEFT, 0n)
  const files = {
    accounts: join(folder, 'accounts.csv'),
    payments: join(folder, 'payments.csv'),
  }
  const money = (amount: bigint) => formatDecimal(amount, SCALE)
  const creators = amounts.map((amount, index) => [
    creator(index),
    ASSET,
    '0',
    money(amount + LEFT),
  ])
  const platform = ['platform', ASSET, '', money(opening - earned)]
  writeCsv(files.accounts, ['account', 'asset', 'floor', 'balance'], [platform, ...creators])
  writeCsv(
    files.payments,
    ['request_key', 'account', 'amount', 'asset', 'payee', 'destination', 'batch'],
    amounts.map((amount, index) => [
      `payday-${seed}-${number(index)}`,
      creator(index),
      money(amount),
      ASSET,
      `Creator ${number(index)}`,
      ibanOf(index),
      `payday-${seed}`,
    ]),
  )
  return files
}

/** So many payouts fit into the money at the bank. */
export function payoutsMax(opening: bigint): number {
  return Number(opening / (PAYOUT_MAX + LEFT))
}

function amountOf(seed: number, index: number): bigint {
  const hash = createHash('sha256').update(`${seed}:${index}`).digest()
  return PAYOUT_MIN + (hash.readBigUInt64BE(0) % (PAYOUT_MAX - PAYOUT_MIN + 1n))
}

function number(index: number): string {
  return String(index + 1).padStart(4, '0')
}

function creator(index: number): string {
  return `creator:${number(index)}`
}

/** An IBAN with right check digits (ISO 13616, MOD 97-10), of a bank that does not exist. */
function ibanOf(index: number): string {
  const account = `SIMB${String(index + 1).padStart(10, '0')}`
  const digits = `${account}NL00`.replaceAll(/[A-Z]/g, letter => String(parseInt(letter, 36)))
  const check = 98n - (BigInt(digits) % 97n)
  return `NL${String(check).padStart(2, '0')}${account}`
}

/** None of the cells holds a comma, a quote or a line end. */
function writeCsv(file: string, columns: readonly string[], rows: readonly string[][]): void {
  writeFileSync(file, [columns, ...rows].map(row => `${row.join(',')}\n`).join(''))
}
