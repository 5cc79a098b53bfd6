import { describe, expect, test } from 'vitest'
import { csvMapping, defaultAccount } from '../src/index.ts'
import { all, minorUnits, outOfOrder, parseXml, signedAmount, textAt } from './camt053.ts'
import type { Node } from './camt053.ts'
import { call, ledger, newBank, pay, setFault, standingClock } from './support.ts'
import type { RunningBank } from '../src/index.ts'

const start = '2026-11-30T09:00:00.000Z'

async function textOf(bank: RunningBank, query: string): Promise<string> {
  const response = await fetch(`${bank.url}/statement?${query}`)
  expect(response.status).toBe(200)
  return response.text()
}

async function camt(bank: RunningBank, date: string): Promise<Node> {
  const document = parseXml(await textOf(bank, `date=${date}&format=camt053`))
  const statement = all(document, 'BkToCstmrStmt/Stmt')[0]
  if (!statement) throw new Error('No statement')
  return statement
}

function balanceOf(statement: Node, code: string): bigint {
  const found = all(statement, 'Bal').filter(one => textAt(one, 'Tp/CdOrPrtry/Cd') === code)
  if (found.length !== 1 || !found[0]) throw new Error(`${code} is there ${found.length} times`)
  return signedAmount(found[0])
}

async function csv(bank: RunningBank, date: string): Promise<Record<string, string>[]> {
  const text = await textOf(bank, `date=${date}&format=csv`)
  const rows = text.split('\r\n').slice(0, -1).map(splitRow)
  const [header = [], ...lines] = rows
  return lines.map(line => Object.fromEntries(header.map((name, n) => [name, line[n] ?? ''])))
}

function splitRow(row: string): string[] {
  const cells = row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)
  return [...cells].map(cell => cell[2] ?? cell[1]?.replaceAll('""', '"') ?? '')
}

/** A day with a plain payment, one that comes back in part, a late one, and a refused one. */
async function busyDay(clock: { time: string }, bank: RunningBank): Promise<void> {
  await setFault(bank, { id: 'BACK', kind: 'return-part', amount: '7', delayMs: 1_000 })
  await setFault(bank, { id: 'LATE', kind: 'pay-late', delayMs: null })
  await setFault(bank, { id: 'NEVER', kind: 'refuse' })
  await pay(bank, 'PLAIN', { payeeName: 'Ada & Söhne <"GmbH">, Köln', destination: 'acct-42' })
  for (const id of ['BACK', 'LATE', 'NEVER']) await pay(bank, id, { amount: '99' })
  clock.time = '2026-11-30T09:00:01.000Z'
}

describe('the camt.053 of a day', () => {
  test('adds up, and the next day begins where it ended', async () => {
    const clock = standingClock(start)
    const bank = await newBank({ clock })
    await busyDay(clock, bank)
    const first = await camt(bank, '2026-11-30')
    const moved = all(first, 'Ntry').map(signedAmount)
    expect(moved).toEqual([1234n, -1250n, -20n, -99n, -20n, 7n])
    expect(balanceOf(first, 'OPBD')).toBe(100_000_000n)
    expect(balanceOf(first, 'CLBD')).toBe(100_000_000n + moved.reduce((a, b) => a + b))

    clock.time = '2026-12-01T00:00:00.000Z'
    await call(bank, 'POST', '/advance')
    const second = await camt(bank, '2026-12-01')
    expect(balanceOf(second, 'OPBD')).toBe(balanceOf(first, 'CLBD'))
    expect(all(second, 'Ntry').map(signedAmount)).toEqual([1234n, -99n, -20n])
    expect(all(second, 'Ntry/NtryDtls/TxDtls/Refs/EndToEndId').map(one => one.text)).toContain(
      'LATE',
    )
    expect(balanceOf(second, 'CLBD')).toBe(BigInt((await ledger(bank)).balance))
  })

  test('has the namespace, the order and the totals that ISO 20022 demands', async () => {
    const clock = standingClock(start)
    const bank = await newBank({ clock })
    await busyDay(clock, bank)
    const xml = await textOf(bank, 'date=2026-11-30')
    const document = parseXml(xml)
    expect(document.name).toBe('Document')
    const xmlns = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08'
    expect(document.attributes).toEqual({ xmlns })
    expect(outOfOrder(document)).toEqual([])

    const statement = await camt(bank, '2026-11-30')
    expect(textAt(statement, 'ElctrncSeqNb')).toBe('1')
    expect(textAt(statement, 'Acct/Id/IBAN')).toBe(defaultAccount.iban)
    expect(textAt(statement, 'TxsSummry/TtlNtries/NbOfNtries')).toBe('6')
    expect(textAt(statement, 'TxsSummry/TtlNtries/Sum')).toBe('26.30')
    expect(textAt(statement, 'TxsSummry/TtlCdtNtries/Sum')).toBe('12.41')
    expect(textAt(statement, 'TxsSummry/TtlDbtNtries/Sum')).toBe('13.89')
  })

  test('names each line: ours, the fee, the return of one of ours, and one that is not ours', async () => {
    const clock = standingClock(start)
    const bank = await newBank({ clock })
    await busyDay(clock, bank)
    const entries = all(await camt(bank, '2026-11-30'), 'Ntry')
    const line = (entry: Node | undefined): Record<string, string | undefined> => ({
      code: entry && textAt(entry, 'BkTxCd/Domn/Fmly/SubFmlyCd'),
      family: entry && textAt(entry, 'BkTxCd/Domn/Fmly/Cd'),
      id: entry && textAt(entry, 'NtryDtls/TxDtls/Refs/EndToEndId'),
      reference: entry && textAt(entry, 'AcctSvcrRef'),
    })
    expect(entries.map(line)).toMatchObject([
      { family: 'RCDT', code: 'DMCT', id: 'INV-2209', reference: 'SB0000000001' },
      { family: 'ICDT', code: 'DMCT', id: 'PLAIN', reference: 'SB0000000002' },
      { family: 'ICDT', code: 'CHRG', id: undefined, reference: 'SB0000000003' },
      { family: 'ICDT', code: 'DMCT', id: 'BACK', reference: 'SB0000000004' },
      { family: 'ICDT', code: 'CHRG', id: undefined, reference: 'SB0000000005' },
      { family: 'ICDT', code: 'RRTN', id: 'BACK', reference: 'SB0000000006' },
    ])
    const [, plain, , , , back] = entries
    if (!plain || !back) throw new Error('A line is missing')
    const parties = 'NtryDtls/TxDtls/RltdPties'
    expect(textAt(plain, `${parties}/Cdtr/Pty/Nm`)).toBe('Ada & Söhne <"GmbH">, Köln')
    expect(textAt(plain, `${parties}/CdtrAcct/Id/Othr/Id`)).toBe('acct-42')
    expect(textAt(back, `${parties}/CdtrAcct/Id/IBAN`)).toBe('DE03100000000000004242')
    expect(textAt(back, 'NtryDtls/TxDtls/RtrInf/Rsn/Cd')).toBe('AC04')
    expect(textAt(back, 'CdtDbtInd')).toBe('CRDT')
    expect(all(back, 'RvslInd')).toEqual([])
    expect(new Set(entries.map(entry => textAt(entry, 'BookgDt/Dt')))).toEqual(
      new Set(['2026-11-30']),
    )
  })

  test('of a day that is over never changes, byte for byte', async () => {
    const clock = standingClock(start)
    const bank = await newBank({ clock })
    await busyDay(clock, bank)
    clock.time = '2026-12-01T08:00:00.000Z'
    const once = await textOf(bank, 'date=2026-11-30')
    await call(bank, 'POST', '/advance')
    clock.time = '2026-12-02T08:00:00.000Z'
    expect(await textOf(bank, 'date=2026-11-30')).toBe(once)
  })

  test('of a day that is over stays, even where the clock is set back', async () => {
    const clock = standingClock(start)
    const bank = await newBank({ clock })
    clock.time = '2026-12-01T00:00:00.000Z'
    await pay(bank, 'A')
    clock.time = '2026-11-30T23:59:59.000Z'
    await pay(bank, 'B')
    expect(all(await camt(bank, '2026-11-30'), 'Ntry')).toEqual([])
    const ids = all(await camt(bank, '2026-12-01'), 'Ntry/NtryDtls/TxDtls/Refs/EndToEndId')
    expect(ids.map(one => one.text)).toEqual(['INV-2209', 'A', 'B'])
  })

  test('follows the scale of the currency, and a balance may be negative', async () => {
    const clock = standingClock(start)
    const account = { ...defaultAccount, currency: 'KWD', scale: 3, opening: 5n, fee: 0n }
    const bank = await newBank({ clock, account })
    await pay(bank, 'A', { currency: 'KWD', scale: 3, amount: '1250' })
    const statement = await camt(bank, '2026-11-30')
    const [opening, closing] = all(statement, 'Bal')
    expect(opening && textAt(opening, 'Amt')).toBe('0.005')
    expect(closing && textAt(closing, 'Amt')).toBe('0.011')
    expect(closing && textAt(closing, 'CdtDbtInd')).toBe('DBIT')
    const yen = await newBank({ clock, account: { ...account, currency: 'JPY', scale: 0 } })
    await pay(yen, 'A', { currency: 'JPY', amount: '1250' })
    const entries = all(await camt(yen, '2026-11-30'), 'Ntry')
    expect(entries.map(entry => textAt(entry, 'Amt'))).toEqual(['1234', '1250'])
  })
})

describe('the CSV of a day', () => {
  test('has the lines of the camt.053, under the names of its mapping', async () => {
    const clock = standingClock(start)
    const bank = await newBank({ clock })
    await busyDay(clock, bank)
    const rows = await csv(bank, '2026-11-30')
    const entries = all(await camt(bank, '2026-11-30'), 'Ntry')
    const { amount, booked, currency, refs, bankRef } = csvMapping
    const amounts = rows.map(row => minorUnits(row[amount.column] ?? ''))
    expect(amounts).toEqual(entries.map(signedAmount))
    expect(rows.map(row => row[bankRef])).toEqual(
      entries.map(entry => textAt(entry, 'AcctSvcrRef')),
    )
    expect(rows[1]).toEqual({
      'Booking date': '2026-11-30',
      'Value date': '2026-11-30',
      Amount: '-12.50',
      Currency: 'EUR',
      'End-to-end id': 'PLAIN',
      'Bank reference': 'SB0000000002',
      Payee: 'Ada & Söhne <"GmbH">, Köln',
      'Payee account': 'acct-42',
      Type: 'payment',
      Text: 'Transfer to Ada & Söhne <"GmbH">, Köln',
    })
    const columns = [amount, booked, csvMapping.value, currency].map(one => one.column)
    const header = Object.keys(rows[0] ?? {})
    for (const column of [...columns, bankRef, ...Object.values(refs)]) {
      expect(header).toContain(column)
    }
  })

  test('adds up: opening and rows give the closing balance', async () => {
    const clock = standingClock(start)
    const bank = await newBank({ clock })
    await busyDay(clock, bank)
    const rows = await csv(bank, '2026-11-30')
    const moved = rows.reduce((sum, row) => sum + minorUnits(row['Amount'] ?? ''), 0n)
    const { opening, balance } = await ledger(bank)
    expect(BigInt(opening) + moved).toBe(BigInt(balance))
  })

  test('comes with its mapping', async () => {
    const bank = await newBank()
    expect((await call(bank, 'GET', '/statement/csv-mapping')).body).toEqual(csvMapping)
  })
})

test('a day without a line has a statement without lines', async () => {
  const bank = await newBank({ clock: standingClock(start) })
  const statement = await camt(bank, '2026-11-30')
  expect(all(statement, 'Ntry')).toEqual([])
  expect(balanceOf(statement, 'CLBD')).toBe(balanceOf(statement, 'OPBD'))
  expect(await csv(bank, '2026-11-30')).toEqual([])
})

test.each([
  ['date=2026-02-30', 400],
  ['date=today', 400],
  ['format=mt940', 400],
  ['date=2026-11-29', 404],
  ['date=2026-12-01', 404],
  ['', 200],
])('GET /statement?%s is %i', async (query, status) => {
  const bank = await newBank({ clock: standingClock(start) })
  expect((await fetch(`${bank.url}/statement?${query}`)).status).toBe(status)
})
