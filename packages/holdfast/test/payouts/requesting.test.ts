import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '../../src/ledger/list-sender.ts'
import type { PayoutLedger } from '../../src/payouts/ledger-port.ts'
import { aRequest, DATABASES, FUNDS, replacing, Scene, type OpenDatabase } from './scene.ts'

describe.each(DATABASES)('requesting on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = () => new Scene(open.database).open()

  test('a request takes a hold and waits for approval', async () => {
    const scene = await newScene()
    const request = aRequest({ batch: 'payday' })
    const result = await scene.payouts.request(request)
    expect(result).toMatchObject({
      ok: true,
      replayed: false,
      payout: { ...request, book: scene.book, status: 'pending', reason: null, returned: 0n },
    })
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
  })

  test('the same request again gives the same payout and holds nothing more', async () => {
    const scene = await newScene()
    const request = aRequest()
    const first = await scene.payouts.request(request)
    const again = await scene.payouts.request(request)
    expect(again).toEqual({ ...first, replayed: true })
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
  })

  test('the same key with other content is refused, and the fields are named', async () => {
    const scene = await newScene()
    const request = aRequest()
    await scene.payouts.request(request)
    const other = { ...request, amount: 2_000n, payeeName: 'Bob Example', batch: 'other' }
    expect(await scene.payouts.request(other)).toMatchObject({
      ok: false,
      refusal: { code: 'KEY_REUSED', fields: ['batch', 'amount', 'payeeName'] },
    })
  })

  test('in one list the second use of a key sees the first, one way or the other', async () => {
    const scene = await newScene()
    const request = aRequest()
    const bad = aRequest({ amount: 0n })
    const results = await scene.payouts.requestMany([
      request,
      bad,
      { ...request },
      { ...request, amount: 2n },
    ])
    expect(results).toMatchObject([
      { ok: true, replayed: false },
      { ok: false, refusal: { code: 'INVALID_AMOUNT' } },
      { ok: true, replayed: true },
      { ok: false, refusal: { code: 'KEY_REUSED', fields: ['amount'] } },
    ])
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
  })

  test('where the ledger refuses the hold, the payout is refused and stays so', async () => {
    const scene = await newScene()
    const request = aRequest({ amount: FUNDS + 1n })
    const expected = { ok: true, payout: { status: 'refused', reason: 'INSUFFICIENT_FUNDS' } }
    expect(await scene.payouts.request(request)).toMatchObject(expected)
    expect(await scene.payouts.request(request)).toMatchObject({ ...expected, replayed: true })
  })

  test('another request key that gives the same id is refused by name', async () => {
    const scene = await newScene()
    const { id } = await scene.pending({ requestKey: 'first' })
    await open.database.query(
      'update "money_out".payout set request_key = $3 where book = $1 and id = $2',
      [scene.book, id, 'another key that collides'],
    )
    expect(await scene.payouts.request(aRequest({ requestKey: 'first' }))).toMatchObject({
      ok: false,
      refusal: { code: 'ID_COLLISION', payout: id },
    })
  })

  test('more requests than one statement takes are answered in order', async () => {
    const scene = await newScene()
    const requests = Array.from({ length: 1_200 }, (_, index) =>
      aRequest({ amount: BigInt(1 + (index % 7)), requestKey: `many-${1_200 - index}` }),
    )
    const results = await scene.payouts.requestMany(requests)
    const keys = results.map(each => (each.ok ? each.payout.requestKey : each.refusal.code))
    expect(keys).toEqual(requests.map(each => each.requestKey))
    expect(results.every(each => each.ok && each.payout.status === 'pending')).toBe(true)
    const total = requests.reduce((sum, each) => sum + each.amount, 0n)
    expect(await scene.balance('seller:1')).toEqual([FUNDS, total])
  })

  test('the same list sent twice at once makes each payout once', async () => {
    const scene = await newScene()
    const requests = Array.from({ length: 60 }, () => aRequest({ amount: 10n }))
    const lists = [requests, requests.toReversed(), requests]
    const answers = await Promise.all(lists.map(list => scene.worker().requestMany(list)))
    const made = answers.flat().filter(each => each.ok && !each.replayed)
    expect(made).toHaveLength(60)
    expect(answers.flat().every(each => each.ok)).toBe(true)
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 600n])
  })

  describe('a payout in place of a failed one', () => {
    const failed = async (scene: Scene) => {
      scene.bank.behave = () => 'refuse'
      const { id } = await scene.approved()
      await scene.payouts.payBatch({ concurrency: 1 })
      expect(await scene.status(id)).toBe('failed')
      return id
    }

    test('names it, and is paid under an id of its own', async () => {
      const scene = await newScene()
      const retryOf = await failed(scene)
      scene.bank.behave = () => 'pay'
      const { id } = await scene.approved({ retryOf })
      await scene.payouts.payBatch({ concurrency: 1 })
      expect(await scene.payout(id)).toMatchObject({ status: 'success', retryOf })
      expect([scene.bank.paid(id), scene.bank.paid(retryOf)]).toEqual([1, 0])
    })

    test('comes once', async () => {
      const scene = await newScene()
      const retryOf = await failed(scene)
      const answers = await Promise.all(
        [1, 2, 3].map(() => scene.worker().request(aRequest({ retryOf }))),
      )
      expect(answers.filter(each => each.ok)).toHaveLength(1)
      expect(
        answers.filter(each => !each.ok && each.refusal.code === 'ALREADY_RETRIED'),
      ).toHaveLength(2)
    })

    test('may come again where the first one was cancelled', async () => {
      const scene = await newScene()
      const retryOf = await failed(scene)
      const { id } = await scene.pending({ retryOf })
      await scene.payouts.cancel([id])
      expect(await scene.payouts.request(aRequest({ retryOf }))).toMatchObject({ ok: true })
    })

    test.each(['pending', 'success'] as const)('is refused for one that is %s', async status => {
      const scene = await newScene()
      const { id } = status === 'pending' ? await scene.pending() : await scene.approved()
      await scene.payouts.payBatch({ concurrency: 1 })
      expect(await scene.payouts.request(aRequest({ retryOf: id }))).toMatchObject({
        ok: false,
        refusal: { code: 'RETRY_OF_NOT_FAILED', payout: id, status },
      })
    })

    test('is refused for one that is not there', async () => {
      const scene = await newScene()
      expect(await scene.payouts.request(aRequest({ retryOf: 'PDCCMS1GPYY5EIZ' }))).toMatchObject({
        ok: false,
        refusal: { code: 'PAYOUT_NOT_FOUND', field: 'retryOf' },
      })
    })
  })

  describe('a lost answer of the ledger', () => {
    const deaf = (ledger: PayoutLedger, arrives: boolean): PayoutLedger => ({
      async submit(command) {
        if (arrives) await ledger.submit(command)
        throw new OutcomeUnknown()
      },
    })

    test.each([true, false])(
      'leaves it requested (hold taken: %s), and a sweep goes on',
      async arrives => {
        const scene = await newScene()
        const request = aRequest()
        const worker = scene.worker({ ledger: deaf(scene.ledger, arrives) })
        expect(await worker.request(request)).toMatchObject({
          ok: true,
          payout: { status: 'requested' },
        })
        expect(await scene.payouts.sweep(), 'another worker may be at it').toMatchObject({
          found: 0,
        })
        expect(await scene.payouts.request(request)).toMatchObject({
          payout: { status: 'requested' },
        })
        await scene.passTime(200_000)
        expect(await scene.payouts.sweep()).toEqual({ found: 1, stuck: [] })
        expect(await scene.payouts.request(request)).toMatchObject({
          payout: { status: 'pending' },
        })
        expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
      },
    )

    test('is made good by the same request, once the lease is over', async () => {
      const scene = await newScene()
      const request = aRequest()
      await scene.worker({ ledger: deaf(scene.ledger, true) }).request(request)
      await scene.passTime(200_000)
      expect(await scene.payouts.request(request)).toMatchObject({
        replayed: true,
        payout: { status: 'pending' },
      })
    })

    test('any other error is thrown', async () => {
      const scene = await newScene()
      const broken: PayoutLedger = { submit: () => Promise.reject(new TypeError('a bug')) }
      await expect(scene.worker({ ledger: broken }).request(aRequest())).rejects.toThrow('a bug')
    })
  })

  test('a worker that was stopped after its commit leaves the hold to the next sweep', async () => {
    const scene = await newScene()
    let readings = 0
    // Stands still, then has gone on by an hour: what a process sees that was stopped.
    const timer = {
      elapsedMs: () => (readings++ === 0 ? 0 : 3_600_000),
      sleep: () => Promise.resolve(),
      turn: () => Promise.resolve(),
      random: () => 0,
    }
    const { payout } = (await scene.worker({ timer }).request(aRequest())) as {
      payout: { id: string }
    }
    expect(await scene.status(payout.id)).toBe('requested')
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
  })

  describe('approving and cancelling', () => {
    test('approves by id, and says of each id what became of it', async () => {
      const scene = await newScene()
      const [one, two] = [await scene.pending(), await scene.pending()]
      await scene.payouts.cancel([two.id])
      const answers = await scene.payouts.approve([one.id, two.id, 'PDCCMS1GPYY5EIZ', one.id])
      expect(answers).toMatchObject([
        { ok: true, replayed: false, payout: { id: one.id, status: 'approved' } },
        { ok: false, refusal: { code: 'WRONG_STATUS', status: 'cancelled' } },
        { ok: false, refusal: { code: 'PAYOUT_NOT_FOUND' } },
        { ok: true, payout: { id: one.id } },
      ])
      expect(await scene.payouts.approve([one.id])).toMatchObject([{ ok: true, replayed: true }])
    })

    test('approves what is pending of a batch and nothing else', async () => {
      const scene = await newScene()
      const [one, two] = [await scene.pending({ batch: 'a' }), await scene.pending({ batch: 'a' })]
      const other = await scene.pending({ batch: 'b' })
      await scene.payouts.cancel([two.id])
      expect(await scene.payouts.approveBatch('a')).toBe(1)
      expect(await scene.payouts.approveBatch('a')).toBe(0)
      const all = [one, two, other].map(each => scene.status(each.id))
      expect(await Promise.all(all)).toEqual(['approved', 'cancelled', 'pending'])
    })

    test.each(['pending', 'approved'] as const)(
      'a cancel of a %s payout returns the money',
      async status => {
        const scene = await newScene()
        const { id } = status === 'pending' ? await scene.pending() : await scene.approved()
        const [answer] = await scene.payouts.cancel([id])
        expect(answer).toMatchObject({ ok: true, replayed: false, payout: { status: 'cancelled' } })
        expect(await scene.payouts.cancel([id])).toMatchObject([{ ok: true, replayed: true }])
        expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
        await scene.payouts.payBatch({ concurrency: 1 })
        expect(scene.bank.sends).toEqual([])
      },
    )

    test('a payout that is paid cannot be cancelled', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      await scene.payouts.payBatch({ concurrency: 1 })
      expect(await scene.payouts.cancel([id])).toMatchObject([
        { ok: false, refusal: { code: 'WRONG_STATUS', status: 'success' } },
      ])
    })

    test('a cancel that stopped half way is not approved, claimed or sent, and is finished', async () => {
      const scene = await newScene()
      const one = await scene.pending()
      const two = await scene.approved()
      const broken: PayoutLedger = { submit: () => Promise.reject(new OutcomeUnknown()) }
      const cancelling = scene.worker({ ledger: broken }).cancel([one.id, two.id])
      await expect(cancelling).rejects.toThrow(OutcomeUnknown)
      expect(await scene.payouts.approve([one.id])).toMatchObject([
        { ok: false, refusal: { code: 'WRONG_STATUS' } },
      ])
      await scene.payouts.payBatch({ concurrency: 1 })
      expect(scene.bank.sends).toEqual([])
      expect(await scene.payouts.sweep()).toEqual({ found: 2, stuck: [] })
      expect([await scene.status(one.id), await scene.status(two.id)]).toEqual([
        'cancelled',
        'cancelled',
      ])
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
    })

    test('a payout that a worker has leased and not yet claimed can still be cancelled', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      const cancelling = replacing(scene.repository, {
        async lease(...args) {
          const leased = await scene.repository.lease(...args)
          if (leased.length > 0) await scene.payouts.cancel([id])
          return leased
        },
      })
      await scene.worker({ repository: cancelling }).payBatch({ concurrency: 1 })
      expect(scene.bank.sends).toEqual([])
      expect(await scene.status(id)).toBe('cancelled')
    })
  })
})
