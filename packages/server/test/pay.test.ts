import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bankFor } from './support/bank.ts'
import { holdfast, objects, temporaryFolder, write } from './support/holdfast.ts'
import { accountsCsv, PAYMENT_COLUMNS, paymentsCsv } from './support/payments.ts'
import { SERVER } from './support/places.ts'

const files = temporaryFolder()

describe('pay, again and again', () => {
  const { options } = SERVER.make()
  const run = (...args: string[]) => holdfast([...args, ...options()])

  test('pays a file once, however often it is given', async () => {
    const bank = await bankFor('once')
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(4)))
    const file = write(
      files,
      'once.csv',
      `\ufeff${PAYMENT_COLUMNS},batch\r\none,user:0,10.50,EUR,=cmd|'/c calc'!A1,D1,b1\r\ntwo,user:1,0.5,EUR/2,Bob,D2,b2\r\n`,
    )
    const first = await run('pay', file, ...bank.options)
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(first.stdout).toMatch(/^2 rows\n\nstatus +payouts +amount +asset\nsuccess +2 +11\.00 /)
    const again = await run('pay', file, ...bank.options)
    expect(again.code).toBe(0)
    expect(again.stdout).toContain('2 rows, 2 of them already requested')
    expect((await bank.ledger()).totals).toMatchObject({ payments: 2, paid: '1100' })

    const listed = objects((await run('payouts', '--json', '--batch', 'b1')).stdout)
    expect(listed).toMatchObject([
      { requestKey: 'one', amount: '1050', status: 'success', payeeName: "=cmd|'/c calc'!A1" },
    ])
    expect((await run('payouts', '--status', 'failed', '--json')).stdout).toBe('')
    expect((await run('payouts')).stdout).toMatch(/two +b2 +user:1 +0\.50 +EUR\/2 +success\n/)
    const balance = objects((await run('balance', 'clearing:bank', '--json')).stdout)
    expect(balance).toMatchObject([{ posted: '1100' }])
  })
})

describe('pay', () => {
  const { options } = SERVER.make()
  const run = (...args: string[]) => holdfast([...args, ...options()])

  test('names rows whose account is not there before anything is requested', async () => {
    const bank = await bankFor('accounts')
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(4)))
    const file = write(
      files,
      'accounts.csv',
      `${PAYMENT_COLUMNS}\na,nobody,1,EUR,p,d\nb,user:0,1,USD,p,d\nc,user:0,1,EUR,p,d\n`,
    )
    const { code, stdout, stderr } = await run('pay', file, ...bank.options)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain('row 2, account: "nobody" is no account of the book main')
    expect(stderr).toContain('row 3, asset: "USD/2" differs: user:0 holds EUR/2')
    expect((await run('payouts', '--json')).stdout).toBe('')
  })

  test('requests nothing where the gateway is away', async () => {
    const file = write(files, 'away.csv', paymentsCsv(1, 'away'))
    const { code, stdout, stderr } = await run('pay', file, '--gateway-url', 'http://127.0.0.1:1')
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
    expect(stderr).toMatch(/The gateway cannot be reached: .*Nothing was requested/)
    expect((await run('payouts', '--json')).stdout).toBe('')
  })

  test('tells what is refused, failed and not taken, each with its reason', async () => {
    const bank = await bankFor('refused')
    const one = write(
      files,
      'one.csv',
      `${PAYMENT_COLUMNS},batch\none,user:0,10.50,EUR,Ada,D1,b1\n`,
    )
    await run('pay', one, ...bank.options)
    const rows = [
      'one,user:0,99,EUR,Bob,D2,b1',
      'three,user:2,500,EUR,Bob,D2,b3',
      'four,user:2,1,EUR,Bob,D2,b3',
    ]
    await bank.faults({ refuse: 1 })
    const file = write(files, 'refused.csv', `${PAYMENT_COLUMNS},batch\n${rows.join('\n')}\n`)
    const { code, stdout } = await run('pay', file, ...bank.options, '--json')
    expect(code).toBe(1)
    expect(objects(stdout)).toMatchObject([
      {
        row: 2,
        payout: null,
        refusal: { code: 'KEY_REUSED', fields: ['amount', 'payeeName', 'destination'] },
      },
      { row: 3, status: 'refused', reason: 'INSUFFICIENT_FUNDS', amount: '50000' },
      { row: 4, status: 'failed', reason: 'account closed' },
    ])
    const inWords = await run('pay', file, ...bank.options)
    expect(inWords.stdout).toMatch(/^ +2 +one +not taken +requestKey: used before/m)
    expect((await bank.ledger()).totals).toMatchObject({ payments: 1 })
  })

  test('resolve finds out what became of lost answers, and asks for nothing more', async () => {
    const bank = await bankFor('lost')
    await bank.faults({ 'error-after-paying': 1 })
    const file = write(files, 'lost.csv', paymentsCsv(3, 'lost'))
    const paid = await run('pay', file, ...bank.options)
    expect(paid.code).toBe(1)
    expect(paid.stdout).toMatch(/unknown +3 +31\.50/)
    expect(paid.stdout).toContain('holdfast resolve')
    expect(await run('resolve', ...bank.options)).toEqual({
      code: 0,
      stdout: '3 paid, 0 failed, 0 still unknown; 0 without a final answer now\n',
      stderr: '',
    })
    const again = await run('resolve', ...bank.options, '--json')
    expect(objects(again.stdout)).toEqual([
      { success: 0, failed: 0, unknown: 0, stuck: 0, open: 0 },
    ])
    expect((await bank.ledger()).totals).toMatchObject({ payments: 3 })
  })

  test('resolve says how to see what is still unknown, and why', async () => {
    const bank = await bankFor('silent')
    await bank.faults({ 'not-found': 1 }, 600_000)
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(1)))
    await run('pay', write(files, 'silent.csv', paymentsCsv(1, 'silent')), ...bank.options)
    const { code, stdout } = await run('resolve', ...bank.options)
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        '0 paid, 0 failed, 1 still unknown; 1 without a final answer now\n' +
        'Which, and why: holdfast payouts --status unknown\n',
    })
    expect((await run('payouts', '--status', 'unknown')).stdout).toMatch(/unknown +processing$/m)
  })
})

describe('reconcile, again and again', () => {
  const { options } = SERVER.make()
  const run = (...args: string[]) => holdfast([...args, ...options()])

  test('books and bank agree, and the second run finds the same', async () => {
    const bank = await bankFor('agree')
    // What the bank has at first is ours: it stands on `platform` and is given by the bank's account.
    const opening = `account,asset,floor,balance\nplatform,EUR,0,999800.00\n`
    for (const content of [opening, accountsCsv(2)])
      await run('accounts', 'import', write(files, 'a.csv', content), '--from', 'bank:bank')
    await run('pay', write(files, 'agree.csv', paymentsCsv(2)), ...bank.options)
    const statement = write(files, 'day.xml', await bank.statement('camt053'))
    const folder = join(temporaryFolder(), 'report')
    const first = await run('reconcile', statement, '--final', '--report', folder)
    // The bank books one line that is not ours.
    expect(first).toMatchObject({ code: 1, stderr: '' })
    expect(first.stdout).toMatch(/Paid +2 +-21\.00 +2 +-21\.00 +0\.00/)
    expect(first.stdout).toMatch(/Fees of the bank +2 +-0\.40 +2 +-0\.40 +0\.00/)
    expect(first.stdout).toMatch(/1 finding/)
    for (const name of ['report.json', 'report.csv', 'report.html'])
      expect(existsSync(join(folder, name))).toBe(true)
    const second = await run('reconcile', statement, '--final')
    expect(second.stdout).toBe(first.stdout)
    expect(second.stderr).toBe(`${statement} was taken before\n`)
    const [report] = objects((await run('reconcile', statement, '--json')).stdout)
    expect(report).toMatchObject({ findings: [{ kind: 'NOT_IN_OUR_BOOKS', bank: '1234' }] })
    expect(readFileSync(join(folder, 'report.csv'), 'utf8')).toContain('NOT_IN_OUR_BOOKS')
    expect(await run('check')).toMatchObject({ code: 0 })
  })
})

describe('reconcile', () => {
  const { options } = SERVER.make()
  const run = (...args: string[]) => holdfast([...args, ...options()])

  test('a statement settles a payout whose answer was lost', async () => {
    const bank = await bankFor('evidence')
    await bank.faults({ nonsense: 1 })
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(1)))
    const file = write(files, 'evidence.csv', paymentsCsv(1, 'evidence'))
    expect(await run('pay', file, ...bank.options)).toMatchObject({ code: 1 })
    const csv = write(files, 'day.csv', await bank.statement('csv'))
    const mapping = await (await fetch(`${bank.url}/statement/csv-mapping`)).text()
    const args = ['reconcile', csv, '--mapping', write(files, 'day.mapping.json', mapping)]
    const { code, stdout } = await run(...args, '--json')
    expect(code).toBe(1)
    expect(objects(stdout)).toMatchObject([{ findings: [{ kind: 'NOT_IN_OUR_BOOKS' }] }])
    const paid = objects((await run('payouts', '--json', '--status', 'success')).stdout)
    expect(paid).toContainEqual(expect.objectContaining({ requestKey: 'evidence-0' }))
  })

  test('files of both formats may be mixed, whatever the mapping is for', async () => {
    const bank = await bankFor('mixed')
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(1)))
    const mapping = await (await fetch(`${bank.url}/statement/csv-mapping`)).text()
    const { stdout } = await run(
      ...['reconcile', '--json', '--mapping', write(files, 'mixed.mapping.json', mapping)],
      write(files, 'mixed.xml', await bank.statement('camt053')),
      write(files, 'mixed.csv', await bank.statement('csv')),
    )
    expect(objects(stdout)).toMatchObject([
      { statements: [{ id: expect.stringMatching(/^STMT-/) as string }, { id: null }] },
    ])
  })

  test('takes nothing where one of the files is refused', async () => {
    const good = write(files, 'good.xml', await (await bankFor('refusals')).statement('camt053'))
    const bad = write(files, 'bad.xml', '<Document><BkToCstmrStmt>')
    const { code, stdout, stderr } = await run('reconcile', good, bad, `${files}/none.xml`)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`${bad}: refused: `)
    expect(stderr).toContain('none.xml: refused: there is no such file')
    expect(stderr).not.toContain('taken before')
  })

  test('takes nothing where one of the files is of another account', async () => {
    const day = await (await bankFor('other-account')).statement('camt053')
    const own = write(files, 'own.xml', day)
    // A book of its own: an empty day of another bank is the same file.
    const book = ['--book', 'other']
    await run('accounts', 'import', write(files, 'accounts.csv', accountsCsv(1)), ...book)
    const iban = /<IBAN>[^<]*<\/IBAN>|<Othr>\s*<Id>[^<]*<\/Id>/
    expect(day).toMatch(iban)
    const other = write(files, 'other.xml', day.replace(iban, '<IBAN>NL20INGB0001234567</IBAN>'))
    const { code, stderr } = await run('reconcile', own, other, ...book)
    expect(code).toBe(2)
    expect(stderr).toContain('other.xml: refused: Statement 1 is of the account')
    expect(await run('reconcile', own, ...book)).toMatchObject({ stderr: '' })
  })

  test('names a report folder that cannot be made, before anything is taken', async () => {
    const good = write(files, 'report.xml', await (await bankFor('report')).statement('camt053'))
    const { code, stderr } = await run('reconcile', good, '--report', `${good}/x`)
    expect(code).toBe(2)
    expect(stderr).toBe(`--report ${good}/x: a part of its path is a file\n`)
    const file = await run('reconcile', good, '--report', good)
    expect(file).toMatchObject({ code: 2, stderr: `--report ${good}: is a file, not a folder\n` })
  })
})
