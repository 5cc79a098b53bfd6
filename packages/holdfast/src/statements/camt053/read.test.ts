import { Buffer } from 'node:buffer'
import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { summarize, type FileJson, type LineJson, type StatementJson } from '../statement-json.ts'
import { readCamt053 } from './read.ts'

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes)
}

function read(file: string | Uint8Array): Promise<FileJson> {
  return summarize(readCamt053(once(typeof file === 'string' ? Buffer.from(file) : file)))
}

async function accepted(file: string | Uint8Array): Promise<StatementJson> {
  const result = await read(file)
  const [statement, second] = result.statements
  if (!result.accepted || statement === undefined || second !== undefined)
    throw new Error(JSON.stringify(result))
  return statement
}

async function why(file: string): Promise<string> {
  const result = await read(file)
  if (result.accepted) throw new Error('accepted')
  return result.why
}

function document(inside: string, version = '08'): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>
<GrpHdr><MsgId>M1</MsgId></GrpHdr>${inside}</BkToCstmrStmt></Document>`
}

const ACCOUNT = '<Acct><Id><IBAN>NL02ABNA0123456789</IBAN></Id><Ccy>EUR</Ccy></Acct>'

function balance(type: string, amount: string, side = 'CRDT', currency = 'EUR'): string {
  return `<Bal><Tp><CdOrPrtry><Cd>${type}</Cd></CdOrPrtry></Tp><Amt Ccy="${currency}">${amount}</Amt>
    <CdtDbtInd>${side}</CdtDbtInd><Dt><Dt>2026-01-05</Dt></Dt></Bal>`
}

function statement(...inside: string[]): string {
  return document(`<Stmt><Id>S1</Id>${ACCOUNT}${inside.join('\n')}</Stmt>`)
}

const BOOKED = '<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt>'

function entry(amount: string, side: string, rest = '', status = BOOKED): string {
  return `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd>${status}${rest}</Ntry>`
}

async function lineOf(...entries: string[]): Promise<LineJson> {
  const { lines } = await accepted(statement(...entries))
  const [line] = lines
  if (line === undefined) throw new Error('no line')
  return line
}

describe('statements', () => {
  test.each(['02', '03', '04', '06', '08', '10', '13', '14'])('version %s', async version => {
    const result = await read(document(`<Stmt><Id>S1</Id>${ACCOUNT}</Stmt>`, version))
    expect(result).toEqual({
      format: `camt.053.001.${version}`,
      accepted: true,
      statements: [
        {
          id: 'S1',
          account: 'NL02ABNA0123456789',
          currency: 'EUR',
          opening: null,
          closing: null,
          balances_add_up: null,
          lines: [],
        },
      ],
    })
  })

  test('several in one file, each with its own balances', async () => {
    const first = `<Stmt><Id>A</Id>${balance('OPBD', '1.00')}${entry('2.00', 'CRDT')}${balance('CLBD', '3.00')}</Stmt>`
    const second = `<Stmt><Id>B</Id>${balance('OPBD', '10', 'DBIT', 'JPY')}${balance('CLBD', '10', 'DBIT', 'JPY')}</Stmt>`
    const result = await read(document(first + second))
    expect(result.statements).toMatchObject([
      { id: 'A', currency: 'EUR', opening: '100', closing: '300', lines: [{ amount: '200' }] },
      { id: 'B', currency: 'JPY', opening: '-10', closing: '-10', lines: [] },
    ])
  })

  test('by local names, with any prefix, in any envelope, without a namespace', async () => {
    const plain = statement(balance('OPBD', '1.00'), balance('CLBD', '1.00'))
    const prefixed = plain
      .replace(/<(\/?)(?=[A-Z])/g, '<$1doc:')
      .replace('xmlns=', 'xmlns:head="urn:iso:std:iso:20022:tech:xsd:head.001.001.02" xmlns:doc=')
    const enveloped = `<Envelope><AppHdr xmlns="urn:iso:std:iso:20022:tech:xsd:head.001.001.02"/>${plain.replace(/<\?.*\?>/, '')}</Envelope>`
    const bare = plain.replace(/ xmlns="[^"]*"/, '')
    expect(await read(prefixed)).toEqual(await read(plain))
    expect(await read(enveloped)).toEqual(await read(plain))
    expect(await read(bare)).toEqual({ ...(await read(plain)), format: 'camt.053' })
  })

  test.each(['utf-8', 'utf-16le', 'utf-16be'] as const)(
    'in %s with a byte order mark and Windows line ends',
    async encoding => {
      const file = statement(entry('1.00', 'CRDT', '<NtryRef>é日</NtryRef>')).replaceAll(
        '\n',
        '\r\n',
      )
      const { lines } = await accepted(iconv.encode(file, encoding, { addBOM: true }))
      expect(lines[0]?.refs).toEqual({ entryRef: 'é日' })
    },
  )

  test('other messages have no statement', async () => {
    const report = statement()
      .replaceAll('BkToCstmrStmt', 'BkToCstmrAcctRpt')
      .replaceAll('Stmt>', 'Rpt>')
      .replace('camt.053.001.08', 'camt.052.001.08')
    expect(await read(report)).toEqual({
      format: 'camt.052.001.08',
      accepted: false,
      why: 'no statement in the message',
      place: null,
      statements: [],
    })
    expect(await why(document(''))).toBe('no statement in the message')
    expect(await why('<Stmt><Id>S1</Id></Stmt>')).toBe('no statement in the message')
  })

  test.each([
    ['<Id><IBAN>I</IBAN></Id>', 'I'],
    ['<Id><Othr><Id>O</Id></Othr></Id>', 'O'],
    ['<Id><BBAN>B</BBAN></Id>', 'B'],
    ['<Id/>', null],
  ])('account %s is %s', async (id, account) => {
    const file = document(`<Stmt><Acct>${id}</Acct></Stmt>`)
    expect(await accepted(file)).toMatchObject({ id: null, account })
  })
})

describe('balances', () => {
  test.each([
    [[balance('PRCD', '1.00'), balance('CLBD', '1.00')], '100', '100'],
    [[balance('PRCD', '9.00'), balance('OPBD', '1.00'), balance('CLBD', '1.00')], '100', '100'],
    [[balance('OPBD', '1.00', 'DBIT'), balance('CLBD', '1.00', 'DBIT')], '-100', '-100'],
    [[balance('OPBD', '5442.09000'), balance('CLBD', '+5442.09')], '544209', '544209'],
    [[balance('OPBD', '.5'), balance('CLBD', '0.50')], '50', '50'],
    [[balance('OPBD', '1.00'), balance('OPBD', '1.00'), balance('CLBD', '1.00')], '100', '100'],
    [[balance('OPBD', '1.00'), balance('CLAV', '7.00'), balance('ITBD', '8.00')], '100', null],
    [[balance('ITBD', '1.00'), balance('ITBD', '2.00')], null, null],
    [[balance('CLBD', '1.00')], null, '100'],
    [[], null, null],
  ])('%#', async (balances, opening, closing) => {
    expect(await accepted(statement(...balances))).toMatchObject({
      opening,
      closing,
      balances_add_up: opening !== null && closing !== null ? true : null,
    })
  })

  test.each([
    ['does not add up by -5', [balance('OPBD', '1.00'), balance('CLBD', '0.95')]],
    ['does not add up by 200', [balance('OPBD', '1.00', 'DBIT'), balance('CLBD', '1.00')]],
    ['two balances CLBD that differ', [balance('CLBD', '1.00'), balance('CLBD', '2.00')]],
    ['missing amount', [balance('CLBD', '')]],
    ['missing CdtDbtInd', [balance('CLBD', '1.00', '')]],
    ['unknown CdtDbtInd DEBT', [balance('CLBD', '1.00', 'DEBT')]],
    ['amount "1.005" EUR is not exact in 2 decimals', [balance('OPBD', '1.005')]],
    [
      'balances in two currencies (opening EUR, closing SEK): they cannot add up',
      [balance('OPBD', '0'), balance('CLBD', '0', 'CRDT', 'SEK')],
    ],
    [
      'balances in SEK on an account in EUR: they cannot add up',
      [balance('OPBD', '0', 'CRDT', 'SEK'), balance('CLBD', '0', 'CRDT', 'SEK')],
    ],
  ])('%s', async (reason, balances) => {
    expect(await why(statement(...balances))).toBe(reason)
  })

  test('the currency is the account’s, else that of a balance, else that of a line', async () => {
    const bal = balance('CLAV', '1', 'CRDT', 'CHF')
    expect((await accepted(document(`<Stmt>${bal}</Stmt>`))).currency).toBe('CHF')
    expect((await accepted(document(`<Stmt>${entry('1', 'CRDT')}</Stmt>`))).currency).toBe('EUR')
    expect((await accepted(document('<Stmt/>'))).currency).toBeNull()
  })

  test('a refusal names the statement and the place', async () => {
    const result = await read(statement(balance('OPBD', '1.00'), balance('CLBD', '0.95')))
    expect(result).toMatchObject({
      place: 'statement S1, line 3, column 40, Document/BkToCstmrStmt/Stmt',
    })
  })
})

describe('lines', () => {
  test('only booked ones count, whichever way the status is written', async () => {
    const status = (code: string): string => `<Sts>${code}</Sts>`
    const { lines, balances_add_up } = await accepted(
      statement(
        balance('OPBD', '10.00'),
        balance('CLBD', '9.00'),
        entry('1.00', 'DBIT', '', status('BOOK')),
        entry('2.00', 'DBIT', '', status('PDNG')),
        entry('3.00', 'DBIT', '', status('<Cd>FUTR</Cd>')),
        entry('4.00', 'DBIT', '', status('<Cd>INFO</Cd>')),
        entry('5.00', 'DBIT', '', status('<Prtry>OWN</Prtry>')),
        entry('6.00', 'DBIT', '', status('NEW!')),
      ),
    )
    expect(balances_add_up).toBe(true)
    expect(lines.map(line => line.status)).toEqual([
      ...['booked', 'pending', 'pending', 'info', 'info', 'info'],
    ])
  })

  test('a reversal keeps the side that is printed', async () => {
    expect(await lineOf(entry('1.00', 'CRDT', '<RvslInd>true</RvslInd>'))).toMatchObject({
      direction: 'credit',
      reversal: true,
    })
    expect(await lineOf(entry('1.00', 'DBIT', '<RvslInd>1</RvslInd>'))).toMatchObject({
      direction: 'debit',
      reversal: true,
    })
    expect((await lineOf(entry('1.00', 'DBIT', '<RvslInd>false</RvslInd>'))).reversal).toBe(false)
  })

  test.each([
    ['<BookgDt><DtTm>2026-01-05T23:30:00.123456789-05:00</DtTm></BookgDt>', '2026-01-05'],
    ['<BookgDt><Dt>2026-01-05+13:00</Dt></BookgDt>', '2026-01-05'],
    ['<BookgDt><Dt>2026-01-05T10:00:00</Dt></BookgDt>', '2026-01-05'],
    ['<BookgDt/>', null],
    ['', null],
  ])('%s is booked on %s', async (date, booked) => {
    expect((await lineOf(entry('1.00', 'CRDT', '', `<Sts>BOOK</Sts>${date}`))).booked).toBe(booked)
  })

  test('30 February is a value date, and no day', async () => {
    const line = await lineOf(entry('1.00', 'CRDT', '<ValDt><Dt>2026-02-30</Dt></ValDt>'))
    expect(line).toMatchObject({ value: null, valueRaw: '2026-02-30' })
    const other = await lineOf(entry('1.00', 'CRDT', '<ValDt><Dt>2026-02-28</Dt></ValDt>'))
    expect(other.value).toBe('2026-02-28')
    expect(other).not.toHaveProperty('valueRaw')
  })

  test('zero is an amount', async () => {
    expect((await lineOf(entry('0', 'CRDT'))).amount).toBe('0')
  })

  test.each([
    ['missing amount: no Amt', '<Ntry><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry>'],
    ['missing amount', entry(' ', 'CRDT')],
    ['amount 5 without a currency', entry('5', 'CRDT').replace(' Ccy="EUR"', '')],
    ['unknown currency "EUX"', entry('5', 'CRDT').replace('EUR', 'EUX')],
    ['amount "10.005" EUR is not exact in 2 decimals', entry('10.005', 'CRDT')],
    ['amount "-5.00" EUR is negative', entry('-5.00', 'CRDT')],
    ['amount "1,000.00" EUR is not a plain decimal number', entry('1,000.00', 'CRDT')],
    ['amount "1e3" EUR is not a plain decimal number', entry('1e3', 'CRDT')],
    ['amount "." EUR is not a plain decimal number', entry('.', 'CRDT')],
    [
      'amount "92233720368547758.08" EUR is over 2^63-1 minor units',
      entry('92233720368547758.08', 'CRDT'),
    ],
    ['missing CdtDbtInd', entry('1', '')],
    ['a second Amt', entry('5', 'CRDT', '<Amt Ccy="EUR">7</Amt>')],
    ['a second CdtDbtInd', entry('5', 'CRDT', '<CdtDbtInd>DBIT</CdtDbtInd>')],
    ['missing status: no Sts', entry('1', 'CRDT', '', '')],
    [
      'impossible booking date: 2026-02-30',
      entry('1', 'CRDT', '', BOOKED.replace('2026-01-05', '2026-02-30')),
    ],
    ['impossible booking date: soon', entry('1', 'CRDT', '', BOOKED.replace('2026-01-05', 'soon'))],
    ['a template, not data: Amt is the placeholder {{x}}', entry('{{x}}', 'CRDT')],
    [
      'a template, not data: ValDt is the placeholder {{ d }}',
      entry('1', 'CRDT', '<ValDt><Dt>{{ d }}</Dt></ValDt>'),
    ],
  ])('refused: %s', async (reason, ntry) => {
    expect(await why(statement(ntry))).toBe(reason)
  })

  test('a booked one in another currency cannot be added, a pending one is shown', async () => {
    const balances = balance('OPBD', '0') + balance('CLBD', '0')
    const sek = entry('5', 'CRDT').replace('EUR', 'SEK')
    expect(await why(statement(balances, sek))).toBe(
      'a booked line in SEK on an account in EUR: it cannot add up',
    )
    const { lines } = await accepted(statement(balances, sek.replace('BOOK', 'PDNG')))
    expect(lines[0]?.currency).toBe('SEK')
  })

  test('an entry counts only where the standard has it', async () => {
    const stray = `<SplmtryData><Envlp>${entry('7', 'CRDT')}<Stmt>${entry('8', 'CRDT')}</Stmt></Envlp></SplmtryData>`
    const { lines } = await accepted(statement(stray, entry('1.00', 'CRDT', stray)))
    expect(lines.map(line => line.amount)).toEqual(['100'])
  })
})
