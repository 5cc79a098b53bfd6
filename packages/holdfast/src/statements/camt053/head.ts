import { checkStatement, type Tally } from '../check.ts'
import type { Money, Statement } from '../statement.ts'
import { elementAt, elementsAt, refusedAt, textAt, type XmlElement } from '../xml.ts'
import { controlTotals } from './control-totals.ts'
import { amountIn, directionOf } from './values.ts'

/** ISO 20022 external balance types. Interim (ITBD) and available ones are never used. */
const OPENING = ['OPBD', 'PRCD'] as const
const CLOSING = ['CLBD'] as const

/** The account's identification: `Othr` since version 02, the others before. */
const ACCOUNT: readonly (readonly string[])[] = [
  ['IBAN'],
  ['Othr', 'Id'],
  ['BBAN'],
  ['PrtryAcct', 'Id'],
]

/** The head of a whole `Stmt`. Refuses it where it does not add up with the lines that went by. */
export function readHead(statement: XmlElement, tally: Tally): Statement {
  const opening = balanceOf(statement, OPENING)
  const closing = balanceOf(statement, CLOSING)
  const stated = textAt(statement, 'Acct', 'Ccy')
  const [ofLines] = tally.all.keys()
  const currency = stated ?? opening?.currency ?? anyCurrency(statement) ?? ofLines ?? null
  const controls = currency === null ? [] : controlTotals(statement, currency, tally)
  const verdict = checkStatement({ currency: stated, opening, closing, controls }, tally)
  const id = textAt(statement, 'Id')
  if (!verdict.ok) throw refusedAt(statement, verdict.why, `statement ${id ?? 'without an Id'}`)
  return {
    id,
    account: accountOf(statement),
    currency,
    opening: opening?.amount ?? null,
    closing: closing?.amount ?? null,
    balancesAddUp: verdict.balancesAddUp,
  }
}

function accountOf(statement: XmlElement): string | null {
  const texts = ACCOUNT.map(path => textAt(statement, 'Acct', 'Id', ...path))
  return texts.find(text => text !== null) ?? null
}

/** The balance of the first type that the statement has, signed; null where it has none of them. */
function balanceOf(statement: XmlElement, types: readonly string[]): Money | null {
  const balances = elementsAt(statement, 'Bal')
  for (const type of types) {
    const [first, ...others] = balances
      .filter(balance => typeOf(balance) === type)
      .map(element => ({ element, money: signedAmount(element) }))
    const other = others.find(
      ({ money }) =>
        money.amount !== first?.money.amount || money.currency !== first.money.currency,
    )
    if (other) throw refusedAt(other.element, `two balances ${type} that differ`)
    if (first) return first.money
  }
  return null
}

function typeOf(balance: XmlElement): string | null {
  return textAt(balance, 'Tp', 'CdOrPrtry', 'Cd') ?? textAt(balance, 'Tp', 'CdOrPrtry', 'Prtry')
}

function signedAmount(balance: XmlElement): Money {
  const { amount, currency } = amountIn(balance)
  return { amount: directionOf(balance) === 'debit' ? -amount : amount, currency }
}

/** The currency of a balance that is not used otherwise. */
function anyCurrency(statement: XmlElement): string | null {
  return elementAt(statement, 'Bal', 'Amt')?.attributes['Ccy'] ?? null
}
