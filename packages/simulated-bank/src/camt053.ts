import { isIban, printAmount } from './account.ts'
import type { Account } from './account.ts'
import type { Line } from './book.ts'
import { dayOf, endOf, startOf } from './instant.ts'
import { sum } from './statement.ts'
import type { DayStatement } from './statement.ts'
import { element, nested, printXml } from './xml.ts'
import type { Element } from './xml.ts'

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'

/** Bank transaction codes of ISO 20022: domain payments, then family and sub-family. */
const CODES: Readonly<Record<Line['kind'], readonly [family: string, subFamily: string]>> = {
  payment: ['ICDT', 'DMCT'],
  fee: ['ICDT', 'CHRG'],
  return: ['ICDT', 'RRTN'],
  foreign: ['RCDT', 'DMCT'],
}

/** A day's statement as camt.053.001.08 (ISO 20022 BankToCustomerStatementV08). */
export function printCamt053(statement: DayStatement): string {
  const document = element(
    'Document',
    [element('BkToCstmrStmt', [groupHeader(statement), statementElement(statement)])],
    { xmlns: NAMESPACE },
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${printXml(document)}`
}

function groupHeader({ day, createdAt }: DayStatement): Element {
  return element('GrpHdr', [element('MsgId', `CAMT053-${day}`), element('CreDtTm', createdAt)])
}

function statementElement(statement: DayStatement): Element {
  const { account, day, lines, opening, closing } = statement
  return element('Stmt', [
    element('Id', `STMT-${day}`),
    element('ElctrncSeqNb', String(statement.number)),
    element('CreDtTm', statement.createdAt),
    element('FrToDt', [element('FrDtTm', startOf(day)), element('ToDtTm', endOf(day))]),
    element('Acct', [
      nested(['Id', 'IBAN'], account.iban),
      element('Ccy', account.currency),
      nested(['Ownr', 'Nm'], account.owner),
    ]),
    balance('OPBD', opening, statement),
    balance('CLBD', closing, statement),
    summary(lines, account),
    ...lines.map(line => entry(line, account)),
  ])
}

function balance(code: string, amount: bigint, { account, day }: DayStatement): Element {
  return element('Bal', [
    nested(['Tp', 'CdOrPrtry', 'Cd'], code),
    ...sided(amount, account),
    nested(['Dt', 'Dt'], day),
  ])
}

function summary(lines: readonly Line[], account: Account): Element {
  const credits = lines.filter(line => line.amount > 0n)
  const debits = lines.filter(line => line.amount < 0n)
  const totals = (name: string, some: readonly Line[], total: bigint): Element =>
    element(name, [
      element('NbOfNtries', String(some.length)),
      element('Sum', printAmount(total, account.scale)),
    ])
  return element('TxsSummry', [
    totals('TtlNtries', lines, sum(credits) - sum(debits)),
    totals('TtlCdtNtries', credits, sum(credits)),
    totals('TtlDbtNtries', debits, -sum(debits)),
  ])
}

function entry(line: Line, account: Account): Element {
  return element('Ntry', [
    ...sided(line.amount, account),
    nested(['Sts', 'Cd'], 'BOOK'),
    nested(['BookgDt', 'Dt'], dayOf(line.at)),
    nested(['ValDt', 'Dt'], dayOf(line.at)),
    element('AcctSvcrRef', line.reference),
    transactionCode('BkTxCd', line.kind),
    line.endToEndId === null
      ? null
      : nested(['NtryDtls'], [transaction(line, line.endToEndId, account)]),
    // Max500Text; a name has at most 140 characters.
    element('AddtlNtryInf', line.text),
  ])
}

function transaction(line: Line, endToEndId: string, account: Account): Element {
  return element('TxDtls', [
    element('Refs', [element('AcctSvcrRef', line.reference), element('EndToEndId', endToEndId)]),
    ...sided(line.amount, account),
    parties(line),
    line.kind === 'return'
      ? element('RtrInf', [
          transactionCode('OrgnlBkTxCd', 'payment'),
          // ISO 20022 ExternalReturnReason1Code: closed account number.
          nested(['Rsn', 'Cd'], 'AC04'),
        ])
      : null,
  ])
}

/** The other side: it paid us where the line is foreign, and was to be paid in all others. */
function parties({ kind, party }: Line): Element | null {
  if (!party) return null
  const role = kind === 'foreign' ? 'Dbtr' : 'Cdtr'
  const account = isIban(party.account)
    ? nested(['Id', 'IBAN'], party.account)
    : nested(['Id', 'Othr', 'Id'], party.account)
  return element('RltdPties', [
    nested([role, 'Pty', 'Nm'], party.name),
    element(`${role}Acct`, [account]),
  ])
}

/** An amount without its sign, and the side it is on. */
function sided(amount: bigint, { currency, scale }: Account): Element[] {
  const size = amount < 0n ? -amount : amount
  return [
    element('Amt', printAmount(size, scale), { Ccy: currency }),
    element('CdtDbtInd', amount < 0n ? 'DBIT' : 'CRDT'),
  ]
}

function transactionCode(name: string, kind: Line['kind']): Element {
  const [family, subFamily] = CODES[kind]
  return element(name, [
    element('Domn', [
      element('Cd', 'PMNT'),
      element('Fmly', [element('Cd', family), element('SubFmlyCd', subFamily)]),
    ]),
  ])
}
