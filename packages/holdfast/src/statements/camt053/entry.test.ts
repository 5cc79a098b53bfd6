import { Buffer } from 'node:buffer'
import { describe, expect, test } from 'vitest'
import { summarize, type LineJson } from '../statement-json.ts'
import { readCamt053 } from './read.ts'

async function* entryFile(inside: string): AsyncGenerator<Uint8Array> {
  const line = `<Ntry><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts>${inside}</Ntry>`
  yield await Promise.resolve(
    Buffer.from(`<Document><BkToCstmrStmt><Stmt>${line}</Stmt></BkToCstmrStmt></Document>`),
  )
}

async function read(...inside: string[]): Promise<LineJson> {
  const result = await summarize(readCamt053(entryFile(inside.join(''))))
  const line = result.statements[0]?.lines[0]
  if (line === undefined) throw new Error(JSON.stringify(result))
  return line
}

function detail(id: string, ...rest: string[]): string {
  return `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${rest.join('')}</TxDtls>`
}

function amount(value: string, currency = 'EUR'): string {
  return `<Amt Ccy="${currency}">${value}</Amt>`
}

describe('references', () => {
  test('every one that may carry our id, by its name', async () => {
    const line = await read(
      '<NtryRef>N1</NtryRef><AcctSvcrRef>B1</AcctSvcrRef><NtryDtls><TxDtls><Refs>',
      '<MsgId>M</MsgId><AcctSvcrRef>B2</AcctSvcrRef><PmtInfId>P</PmtInfId><InstrId>I</InstrId>',
      '<EndToEndId>0000000000000011</EndToEndId><UETR>U</UETR><TxId>T</TxId><MndtId>MD</MndtId>',
      '<ChqNb>C</ChqNb><ClrSysRef>CL</ClrSysRef><AcctOwnrTxId>AO</AcctOwnrTxId>',
      '<AcctSvcrTxId>AS</AcctSvcrTxId><MktInfrstrctrTxId>MI</MktInfrstrctrTxId><PrcgId>PR</PrcgId>',
      '<Prtry><Tp>X</Tp><Ref>100</Ref></Prtry><Prtry><Tp>Y</Tp><Ref>200</Ref></Prtry></Refs>',
      '<RltdPties><Cdtr><Pty><Nm>Payee</Nm></Pty></Cdtr>',
      '<CdtrAcct><Id><IBAN>NL02ABNA0123456789</IBAN></Id></CdtrAcct></RltdPties>',
      '<RltdRmtInf><RmtId>R</RmtId></RltdRmtInf><RmtInf><Ustrd>one</Ustrd><Ustrd>two</Ustrd>',
      '<Strd><RfrdDocInf><Nb>INV</Nb></RfrdDocInf><CdtrRefInf><Ref>RF18</Ref></CdtrRefInf>',
      '<AddtlRmtInf>more</AddtlRmtInf></Strd></RmtInf>',
      '<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>closed</AddtlInf></RtrInf>',
      '<AddtlTxInf>tx text</AddtlTxInf></TxDtls></NtryDtls><AddtlNtryInf>text</AddtlNtryInf>',
    )
    expect(line.bankRef).toBe('B1')
    expect(line.refs).toEqual({
      entryRef: 'N1',
      messageId: 'M',
      paymentInfoId: 'P',
      instrId: 'I',
      endToEndId: '0000000000000011',
      uetr: 'U',
      txId: 'T',
      mandateId: 'MD',
      checkNumber: 'C',
      clearingRef: 'CL',
      accountOwnerTxId: 'AO',
      accountServicerTxId: 'AS',
      marketInfrastructureTxId: 'MI',
      processingId: 'PR',
      proprietary: ['100', '200'],
      payee: 'Payee',
      payeeAccount: 'NL02ABNA0123456789',
      remittanceId: 'R',
      remittance: ['one', 'two'],
      documentNumber: 'INV',
      creditorRef: 'RF18',
      additionalRemittance: ['more'],
      reasonCode: 'AC04',
      reasonText: 'closed',
      additionalInfo: ['text', 'tx text'],
    })
  })

  test('what means nothing is left out', async () => {
    const line = await read(`<NtryRef/><NtryDtls>${detail('NOTPROVIDED')}</NtryDtls>`)
    expect(line.refs).toEqual({})
    expect(line.bankRef).toBeNull()
  })

  test('the bank’s own reference may stand in the only detail', async () => {
    const inside = '<TxDtls><Refs><AcctSvcrRef>B2</AcctSvcrRef></Refs></TxDtls>'
    expect((await read(`<NtryDtls>${inside}</NtryDtls>`)).bankRef).toBe('B2')
    expect((await read(`<NtryDtls>${inside}${inside}</NtryDtls>`)).bankRef).toBeNull()
  })

  test('an element’s name is no more than a name', async () => {
    const line = await read('<NtryDtls><TxDtls><constructor>x</constructor></TxDtls></NtryDtls>')
    expect(line.refs).toEqual({})
  })
})

describe('amounts', () => {
  test('what was instructed, where the only detail differs, and the charges', async () => {
    const charge = `<Chrgs><Rcrd>${amount('2.00')}</Rcrd><Rcrd>${amount('0')}</Rcrd></Chrgs>`
    const line = await read(`<NtryDtls>${detail('A', amount('98.00'), charge)}</NtryDtls>`)
    expect(line).toMatchObject({
      amount: '10000',
      refs: { endToEndId: 'A' },
      batch: null,
      txAmount: { amount: '9800', currency: 'EUR' },
      charges: [{ amount: '200', currency: 'EUR' }],
    })
  })

  test.each([
    [amount('100.00'), undefined],
    [amount('110.00', 'USD'), { amount: '11000', currency: 'USD' }],
    [`<AmtDtls><TxAmt>${amount('98')}</TxAmt></AmtDtls>`, { amount: '9800', currency: 'EUR' }],
    [
      `<AmtDtls><InstdAmt>${amount('98')}</InstdAmt></AmtDtls>`,
      { amount: '9800', currency: 'EUR' },
    ],
    [
      `${amount('0', 'SEK')}<AmtDtls><TxAmt>${amount('98')}</TxAmt></AmtDtls>`,
      { amount: '0', currency: 'SEK' },
    ],
    ['', undefined],
  ])('%s is %j', async (printed, txAmount) => {
    expect((await read(`<NtryDtls>${detail('A', printed)}</NtryDtls>`)).txAmount).toEqual(txAmount)
  })

  test.each([
    [
      'version 02',
      `<Chrgs>${amount('2.00')}</Chrgs><Chrgs>${amount('1.00')}</Chrgs>`,
      ['200', '100'],
    ],
    [
      'a total only',
      `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">3.00</TtlChrgsAndTaxAmt></Chrgs>`,
      ['300'],
    ],
    [
      'a total and records',
      `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">3.00</TtlChrgsAndTaxAmt><Rcrd>${amount('3.00')}</Rcrd></Chrgs>`,
      ['300'],
    ],
    [
      'given back',
      `<Chrgs><Rcrd>${amount('3.00')}<CdtDbtInd>CRDT</CdtDbtInd></Rcrd></Chrgs>`,
      undefined,
    ],
    ['zero', `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">0</TtlChrgsAndTaxAmt></Chrgs>`, undefined],
  ])('charges: %s', async (_name, charges, amounts) => {
    const own = await read(charges)
    expect(own.charges?.map(charge => charge.amount)).toEqual(amounts)
    const both = await read(charges, `<NtryDtls>${detail('A', charges)}</NtryDtls>`)
    expect(both.charges?.map(charge => charge.amount)).toEqual(amounts)
  })
})

describe('batches', () => {
  const batch = (inside: string): string => `<Btch>${inside}</Btch>`
  const two = detail('A', amount('60.00')) + detail('B', amount('40.00'))

  test('details stay apart from the line', async () => {
    const stated = batch('<MsgId>M</MsgId><PmtInfId>P</PmtInfId><NbOfTxs>2</NbOfTxs>')
    const line = await read('<NtryRef>N</NtryRef>', `<NtryDtls>${stated}${two}</NtryDtls>`)
    expect(line.refs).toEqual({ entryRef: 'N', messageId: 'M', paymentInfoId: 'P' })
    expect(line).not.toHaveProperty('txAmount')
    expect(line.batch).toEqual({
      count: 2,
      details: [
        { amount: '6000', currency: 'EUR', refs: { endToEndId: 'A' } },
        { amount: '4000', currency: 'EUR', refs: { endToEndId: 'B' } },
      ],
    })
  })

  test('the count is the bank’s own, right or wrong, else that of the details', async () => {
    const count = async (...inside: string[]): Promise<unknown> =>
      (await read(...inside.map(each => `<NtryDtls>${each}</NtryDtls>`))).batch?.count
    expect(await count(batch('<NbOfTxs>3</NbOfTxs>') + two)).toBe(3)
    expect(await count(batch('<NbOfTxs>20</NbOfTxs>'))).toBe(20)
    expect(await count(two)).toBe(2)
    expect(await count(detail('A'), detail('B'), detail('C'))).toBe(3)
    expect(await count(batch('<NbOfTxs>3</NbOfTxs>'), batch('<NbOfTxs>4</NbOfTxs>'))).toBe(7)
    expect(await count(batch('') + two)).toBe(2)
    expect(await count(batch('<PmtInfId>P</PmtInfId>'))).toBeNull()
    expect(await count('')).toBeUndefined()
  })

  test('details without amounts say nothing of amounts', async () => {
    const line = await read(`<NtryDtls>${detail('A')}${detail('A')}</NtryDtls>`)
    expect(line.batch?.details).toEqual([
      { amount: null, currency: null, refs: { endToEndId: 'A' } },
      { amount: null, currency: null, refs: { endToEndId: 'A' } },
    ])
  })

  test('one detail of several that the bank counts is not the line', async () => {
    const one = detail('A', amount('60.00'))
    const line = await read(`<NtryDtls>${batch('<NbOfTxs>2</NbOfTxs>')}${one}</NtryDtls>`)
    expect(line.refs).toEqual({})
    expect(line).not.toHaveProperty('txAmount')
    const whole = await read(`<NtryDtls>${batch('<NbOfTxs>1</NbOfTxs>')}${one}</NtryDtls>`)
    expect(whole.refs).toEqual({ endToEndId: 'A' })
    expect(whole.txAmount).toEqual({ amount: '6000', currency: 'EUR' })
    expect(whole.batch?.count).toBe(1)
  })

  test.each([
    ['an entry with more than 100000 details', '<NtryDtls>', '<TxDtls/>', 100_001, '</NtryDtls>'],
    ['an entry with more than 100000 groups of details', '', '<NtryDtls/>', 100_001, ''],
    [
      'an entry with references of more than 67108864 characters',
      '<NtryDtls>',
      `<TxDtls><AddtlTxInf>${'x'.repeat(900_000)}</AddtlTxInf></TxDtls>`,
      75,
      '</NtryDtls>',
    ],
  ])('%s', async (why, before, one, count, after) => {
    async function* file(): AsyncGenerator<Uint8Array> {
      yield await Promise.resolve(Buffer.from(`<Document><BkToCstmrStmt><Stmt><Ntry>${before}`))
      const bytes = Buffer.from(one)
      for (let times = 0; times < count; times += 1) yield bytes
      yield Buffer.from(`${after}</Ntry></Stmt></BkToCstmrStmt></Document>`)
    }
    expect(await summarize(readCamt053(file()))).toMatchObject({ accepted: false, why })
  })

  test('every one of many references of one name is kept', async () => {
    const texts = Array.from({ length: 80_000 }, (_, index) => `<Ustrd>${index}</Ustrd>`)
    const line = await read(
      `<NtryDtls><TxDtls><RmtInf>${texts.join('')}</RmtInf></TxDtls></NtryDtls>`,
    )
    expect(line.refs['remittance']).toHaveLength(80_000)
  })
})
