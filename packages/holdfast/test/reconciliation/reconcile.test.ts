import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isClean, type ReconciliationReport } from '../../src/reconciliation/report.ts'
import type { StatementLine } from '../../src/statements/statement.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { line } from './fixtures.ts'
import { statementFile, type WrittenStatement } from './statement-file.ts'
import { onPglite } from './on-pglite.ts'
import { FUNDS, World, type Wanted } from './world.ts'

let database: Database
beforeAll(async () => {
  database = await onPglite()
})
afterAll(() => database.close())

const today = new Date().toISOString().slice(0, 10)

function paying(id: string, fields: Partial<StatementLine> = {}): StatementLine {
  return line({ booked: today, refs: { endToEndId: id }, ...fields })
}

function first(lines: readonly StatementLine[], more: Partial<WrittenStatement> = {}) {
  return statementFile({ id: 'S1', opening: FUNDS, lines, ...more })
}

function found({ findings }: ReconciliationReport): string[] {
  return findings.map(({ kind, payout, books, bank }) =>
    [kind, payout ?? '-', books ?? '-', bank ?? '-'].join(' '),
  )
}

const paid: Wanted = { amount: 1_000n, status: 'success' }

describe('a statement', () => {
  test('posts one transfer, after which our account for the bank is its closing balance', async () => {
    const world = await new World(database).open()
    const [one, two, three] = await world.pay(paid, { ...paid, amount: 300n }, paid)
    const lines = [
      paying(one?.id ?? ''),
      paying(two?.id ?? '', { amount: 300n }),
      paying(three?.id ?? ''),
      paying(three?.id ?? '', { direction: 'credit' }),
      line({ booked: today, amount: 35n, refs: { typeCode: 'FEE' } }),
      line({ booked: today, amount: 1_234n, direction: 'credit' }),
    ]
    const intake = await world.take(first(lines))
    const report = await world.reconcile([intake])
    const closing = FUNDS - 2_300n + 1_000n - 35n + 1_234n
    expect(report.statements).toMatchObject([{ opening: FUNDS, closing, books: closing }])
    expect(report.total).toEqual({
      books: { count: 6, sum: closing - FUNDS },
      bank: { count: 6, sum: closing - FUNDS },
    })
    expect(found(report)).toEqual([`RETURNED ${three?.id} -1000 1000`, 'NOT_IN_OUR_BOOKS - - 1234'])
    expect(await world.posted('bank:testbank')).toBe(-closing)
    expect(await world.posted('clearing:test')).toBe(0n)
    expect(await world.posted('fees:testbank')).toBe(-35n)
    expect(await world.posted('suspense:testbank')).toBe(1_234n)
    expect(await world.payout(three?.id ?? '')).toMatchObject({
      status: 'reversed',
      returned: 1_000n,
    })
    const { hash } = report.statements[0] ?? {}
    const movements = await world.ledger.movements(`statement:${hash}:1`)
    expect(movements.map(({ kind, legs }) => [kind, legs.length])).toEqual([['transfer', 4]])
  })

  test('is reconciled again without a change, and with the same report', async () => {
    const world = await new World(database).open()
    const [one, two] = await world.pay(paid, paid)
    const file = first([paying(one?.id ?? ''), paying(one?.id ?? '')])
    const intake = await world.take(file)
    const report = await world.reconcile([intake], { final: true })
    expect(found(report)).toEqual([
      `PAID_MORE_THAN_ONCE ${one?.id} -1000 -1000`,
      `NOT_ON_STATEMENT ${two?.id} -1000 -`,
    ])
    const before = await world.everything()
    expect(await world.take(file)).toBe(intake)
    expect(await world.reconcile([intake], { final: true })).toEqual(report)
    expect(await world.everything()).toBe(before)
  })

  test('without lines posts nothing', async () => {
    const world = await new World(database).open()
    const report = await world.reconcile([await world.take(first([]))])
    expect(report.statements).toMatchObject([{ closing: FUNDS, books: FUNDS }])
    expect(isClean(report)).toBe(true)
    expect((await world.ledger.feed(null)).movements).toHaveLength(1)
  })

  test('that closes with something else than our books is a finding', async () => {
    const world = await new World(database).open()
    const intake = await world.take(first([], { opening: FUNDS + 5n }))
    const report = await world.reconcile([intake])
    expect(found(report)).toEqual([`BALANCE_DIFFERS - ${FUNDS} ${FUNDS + 5n}`])
  })

  test('of a bank that books nothing of ours still adds up', async () => {
    const world = await new World(database).open()
    const file = first([line({ amount: 10n ** 18n }), line({ direction: 'credit', amount: 7n })])
    const report = await world.reconcile([await world.take(file)])
    expect(report.outcomes.map(({ outcome, bank }) => [outcome, bank.sum])).toEqual([
      ['paid', 0n],
      ['returned', 0n],
      ['fees', 0n],
      ['suspense-out', -(10n ** 18n)],
      ['suspense-in', 7n],
    ])
  })

  test('that the ledger cannot post is given its refusal', async () => {
    const world = await new World(database).open()
    await world.do({ do: 'close', account: 'bank:testbank' })
    const intake = await world.take(first([line()]))
    const reconciled = await world.reconciliation().run([intake], { final: false })
    expect(reconciled).toMatchObject({ ok: false, refusal: { code: 'ACCOUNT_CLOSED' } })
  })
})

describe('statements after another', () => {
  test('are posted in the order of their days, whatever the order in which they came', async () => {
    const world = await new World(database).open()
    const later = await world.take(
      statementFile({ id: 'S2', opening: FUNDS - 1_000n, lines: [line({ booked: '2026-11-03' })] }),
    )
    const gap = await world.reconcile([later])
    expect(found(gap)).toContain(`BALANCE_DIFFERS - ${FUNDS - 1_000n} ${FUNDS - 2_000n}`)
    const earlier = await world.take(first([line({ booked: '2026-11-02' })]))
    const report = await world.reconcile([later, earlier])
    expect(
      report.statements.map(({ id, books, closing, gap: missing }) => [
        id,
        books,
        closing,
        missing,
      ]),
    ).toEqual([
      ['S1', FUNDS - 1_000n, FUNDS - 1_000n, null],
      ['S2', FUNDS - 2_000n, FUNDS - 2_000n, null],
    ])
    expect(found(report)).toEqual(['NOT_IN_OUR_BOOKS - - -1000', 'NOT_IN_OUR_BOOKS - - -1000'])
  })

  test('that do not follow one another leave a gap', async () => {
    const world = await new World(database).open()
    const one = await world.take(first([]))
    const two = await world.take(statementFile({ id: 'S2', opening: FUNDS - 40n, lines: [] }))
    const report = await world.reconcile([one, two])
    expect(report.statements.map(({ gap }) => gap)).toEqual([null, -40n])
    expect(isClean(report)).toBe(false)
  })

  test('find what was paid on one of them and again on the next', async () => {
    const world = await new World(database).open()
    const [one] = await world.pay(paid)
    const id = one?.id ?? ''
    await world.reconcile([await world.take(first([paying(id)]))])
    const next = statementFile({ id: 'S2', opening: FUNDS - 1_000n, lines: [paying(id)] })
    const report = await world.reconcile([await world.take(next)])
    expect(found(report)).toEqual([`PAID_MORE_THAN_ONCE ${id} -1000 -1000`])
    const back = paying(id, { direction: 'credit', amount: 400n })
    const third = statementFile({ id: 'S3', opening: FUNDS - 2_000n, lines: [back, back] })
    await world.reconcile([await world.take(third)])
    expect(await world.payout(id)).toMatchObject({ status: 'reversed', returned: 800n })
    expect(await world.posted('clearing:test')).toBe(0n)
  })
})

describe('payouts without a final answer', () => {
  test('are settled by a line, also one that names several of a batch', async () => {
    const world = await new World(database).open()
    const unknown: Wanted = { amount: 1_000n, status: 'unknown', batch: 'november' }
    const [one, two, three] = await world.pay(unknown, unknown, { ...unknown, batch: 'other' })
    const batch = line({
      booked: today,
      amount: 2_000n,
      refs: { paymentInfoId: 'november' },
      batch: { count: 2, details: [] },
    })
    const report = await world.reconcile([
      await world.take(first([batch, paying(three?.id ?? '')])),
    ])
    expect(found(report)).toEqual([])
    for (const each of [one, two, three])
      expect(await world.payout(each?.id ?? '')).toMatchObject({ status: 'success' })
    expect(await world.posted('clearing:test')).toBe(0n)
  })

  test('are told by the sum and count of a batch line where nothing names them', async () => {
    const world = await new World(database).open()
    const unknown: Wanted = { amount: 1_000n, status: 'unknown', batch: 'november' }
    const [one] = await world.pay(unknown, unknown, { ...unknown, batch: 'other' })
    const batch = line({ booked: today, amount: 2_000n, batch: { count: 2, details: [] } })
    await world.reconcile([await world.take(first([batch]))])
    expect(await world.payout(one?.id ?? '')).toMatchObject({ status: 'success' })
  })

  test('that were released are found, and nothing is taken from clearing', async () => {
    const world = await new World(database).open()
    const [one] = await world.pay({ amount: 1_000n, status: 'failed' })
    const id = one?.id ?? ''
    const back = paying(id, { direction: 'credit' })
    const report = await world.reconcile([await world.take(first([paying(id), back]))])
    expect(found(report)).toEqual([
      `PAID_AFTER_RELEASE ${id} -1000 -1000`,
      `RETURNED ${id} -1000 1000`,
    ])
    expect(await world.payout(id)).toMatchObject({ status: 'reversed', returned: 1_000n })
    expect(await world.posted('clearing:test')).toBe(0n)
    expect(await world.posted('suspense:testbank')).toBe(0n)
    expect(await world.posted('user:1')).toBe(FUNDS)
  })

  test('that are released after their line was matched are found all the same', async () => {
    const world = await new World(database).open()
    const [one] = await world.pay({ amount: 1_000n, status: 'unknown' })
    const id = one?.id ?? ''
    world.gateway.statuses.set(id, { answer: 'refused', reason: 'too late' })
    const releaseFirst = async (payout: string) => {
      await new Promise(resolve => setTimeout(resolve, 1))
      await world.payouts.resolve({ concurrency: 1 })
      await world.actions().recordPaid(payout)
    }
    // What the gateway says is no proof while the attempt may still be made.
    await world.database.query(
      `update money_in.payout_attempt set send_by = now() - interval '1 hour',
         started = now() - interval '2 hours' where book = $1`,
      [world.book],
    )
    const intake = await world.take(first([paying(id)]))
    const actions = { resolve: () => Promise.resolve(), recordPaid: releaseFirst }
    const reconciled = await world.reconciliation(actions).run([intake], { final: false })
    expect(reconciled.ok && found(reconciled.report)).toEqual([
      `PAID_AFTER_RELEASE ${id} -1000 -1000`,
    ])
    expect(await world.payout(id)).toMatchObject({ status: 'success' })
    expect(await world.posted('clearing:test')).toBe(0n)
    expect(await world.posted('suspense:testbank')).toBe(-1_000n)
  })
})

describe('final statements', () => {
  test('show what was paid and is on none of them', async () => {
    const world = await new World(database).open()
    const [one, two] = await world.pay(paid, paid)
    const intake = await world.take(first([paying(one?.id ?? '')]))
    expect(found(await world.reconcile([intake]))).toEqual([])
    const report = await world.reconcile([intake], { final: true })
    expect(found(report)).toEqual([`NOT_ON_STATEMENT ${two?.id} -1000 -`])
    const next = statementFile({
      id: 'S2',
      opening: FUNDS - 1_000n,
      lines: [paying(two?.id ?? '')],
    })
    expect(found(await world.reconcile([await world.take(next)]))).toEqual([])
  })

  test('say nothing of days that they do not reach', async () => {
    const world = await new World(database).open()
    const [one] = await world.pay(paid)
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    const early = first([line({ booked: yesterday })])
    const report = await world.reconcile([await world.take(early)], { final: true })
    expect(found(report)).toEqual(['NOT_IN_OUR_BOOKS - - -1000'])
    const slow = new World(database, world.book, { ...world.bank, bookedWithinDays: 1 })
    const next = statementFile({
      id: 'S2',
      opening: FUNDS - 1_000n,
      lines: [line({ booked: today, amount: 1n, refs: { typeCode: 'FEE' } })],
    })
    expect(found(await slow.reconcile([await slow.take(next)], { final: true }))).toEqual([])
    const again = await world.reconcile([], { final: false })
    expect(found(again)).toEqual([`NOT_ON_STATEMENT ${one?.id} -1000 -`])
  })

  test('do not list what a line may be about', async () => {
    const world = await new World(database).open()
    const [one, two] = await world.pay(paid, paid)
    const both = line({ booked: today, refs: { text: `${one?.id} ${two?.id}` } })
    const report = await world.reconcile([await world.take(first([both]))], { final: true })
    expect(found(report)).toEqual(['AMBIGUOUS - - -1000'])
    expect(report.findings[0]?.named.toSorted()).toEqual([one?.id, two?.id].toSorted())
  })

  const since = '2026-11-02T12:00:00.000Z'

  /** A book with payouts without a final answer, requested at `since`. */
  async function open(...wanted: readonly Omit<Wanted, 'status'>[]) {
    const world = await new World(database).open()
    const payouts = await world.pay(
      ...wanted.map((each): Wanted => ({ ...each, status: 'unknown' })),
    )
    const sql = `update money_in.payout set created = $2 where book = $1`
    await world.database.query(sql, [world.book, since])
    return { world, ids: payouts.map(({ id }) => id) }
  }

  /** Until when final statements of 2 to 4 November with these lines prove something of a payout. */
  async function covered(world: World, id = '', ...lines: readonly StatementLine[]) {
    const ends = ['2026-11-02', '2026-11-04'].map(booked => line({ booked, amount: 5n }))
    await world.reconcile([await world.take(first([...ends, ...lines]))], { final: true })
    return world.coverages.at(-1)?.(await world.payout(id))
  }

  test('are told to those who resolve, once they are posted', async () => {
    const { world, ids } = await open({ amount: 1_000n })
    expect(await covered(world, ids[0])).toBe('2026-11-04T10:00:00.000Z')
    const payout = await world.payout(ids[0] ?? '')
    expect(world.coverages[0]?.(payout)).toBeNull()
    const named = line({ booked: '2026-11-04', amount: 999n, refs: { text: ids[0] ?? '' } })
    const next = statementFile({ id: 'S2', opening: FUNDS - 10n, lines: [named] })
    await world.reconcile([await world.take(next)], { final: true })
    expect(world.coverages.at(-1)?.(payout)).toBeNull()
  })

  test('prove of one payout what they do not prove of another', async () => {
    const { world, ids } = await open({ amount: 1_000n }, { amount: 777n }, { amount: 888n })
    const before = `update money_in.payout set created = '2026-10-01T12:00Z' where id = $1`
    await world.database.query(before, [ids[2]])
    const stray = line({ booked: '2026-11-03', amount: 777n })
    expect(await covered(world, ids[0], stray)).toBe('2026-11-04T10:00:00.000Z')
    for (const id of ids.slice(1))
      expect(world.coverages.at(-1)?.(await world.payout(id))).toBeNull()
  })

  test('prove nothing where a line names such a payout, whatever else it is', async () => {
    const naming: ((id: string) => Partial<StatementLine>)[] = [
      id => ({ status: 'pending', booked: null, refs: { endToEndId: id } }),
      id => ({ status: 'info', direction: 'credit', refs: { endToEndId: id } }),
      id => ({ refs: { additionalInfo: `Fee for payment ${id}` } }),
      id => ({ refs: { typeCode: 'FEE', endToEndId: id } }),
      id => ({ refs: { endToEndId: id.toLowerCase() } }),
      id => ({ refs: { remittance: [`for ${id.slice(0, 9)}`, id.slice(9).toLowerCase()] } }),
      id => ({ bankRef: id.toLowerCase() }),
      id => ({ batch: { count: null, details: [{ refs: { endToEndId: id.toLowerCase() } }] } }),
    ]
    for (const fields of naming) {
      const { world, ids } = await open({ amount: 1_000n })
      const named = line({ booked: '2026-11-04', amount: 35n, ...fields(ids[0] ?? '') })
      expect([named, await covered(world, ids[0], named)]).toEqual([named, null])
    }
  })

  test('prove nothing where a debit that nothing explains may be such a payout or its batch', async () => {
    const batch = 'november'
    const charged = { charges: [{ amount: 26n, currency: 'EUR' }] }
    const detail = { amount: 1_000n, currency: 'EUR', refs: {} }
    for (const fields of [
      { amount: 1_000n },
      { amount: 1_000n, status: 'pending', booked: null },
      { amount: 1_026n, ...charged },
      { amount: 1_026n, txAmount: { amount: 1_000n, currency: 'EUR' } },
      { amount: 1_500n },
      { amount: 1_500n, batch: { count: null, details: [] } },
      { amount: 1_035n, batch: { count: 2, details: [detail, { ...detail, amount: 35n }] } },
      { amount: 1_040n, batch: { count: 2, details: [detail, { ...detail, amount: 35n }] } },
    ] as const satisfies readonly Partial<StatementLine>[]) {
      const { world, ids } = await open({ amount: 1_000n, batch }, { amount: 500n, batch })
      const debit = line({ booked: '2026-11-04', ...fields })
      expect([debit, await covered(world, ids[0], debit)]).toEqual([debit, null])
    }
  })

  test('prove something beside debits that cannot be such a payout', async () => {
    for (const fields of [
      { amount: 1_001n },
      { direction: 'credit' },
      { refs: { typeCode: 'FEE' } },
      { booked: '2026-10-31' },
    ] as const satisfies readonly Partial<StatementLine>[]) {
      const { world, ids } = await open({ amount: 1_000n })
      const other = line({ booked: '2026-11-04', amount: 1_000n, ...fields })
      expect([other, await covered(world, ids[0], other)]).toEqual([
        other,
        '2026-11-04T10:00:00.000Z',
      ])
    }
  })

  test('prove nothing for a payout of another asset than that of the account', async () => {
    const { world, ids } = await open({ amount: 1_000n })
    const sql = `update money_in.payout set asset = 'USD/2' where book = $1`
    await world.database.query(sql, [world.book])
    expect(await covered(world, ids[0])).toBeNull()
  })
})

test('texts of posted lines can be erased, and the findings stay', async () => {
  const world = await new World(database).open()
  const intake = await world.take(first([line({ refs: { payee: 'Ann Weber' } })]))
  expect(await world.store.eraseTexts('2026-11-02')).toBe(0)
  const report = await world.reconcile([intake])
  expect(await world.store.eraseTexts('2026-11-01')).toBe(0)
  expect(await world.store.eraseTexts('2026-11-02')).toBe(1)
  expect(await world.reconcile([intake])).toEqual(report)
})
