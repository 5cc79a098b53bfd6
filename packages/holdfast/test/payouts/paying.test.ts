import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PayoutProgress } from '../../src/payouts/payouts.ts'
import { ModelBank } from './model-bank.ts'
import { aRequest, DATABASES, FUNDS, replacing, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }
/** Longer than a lease, shorter than what makes an attempt final. */
const LEASE_MS = 150_000

describe.each(DATABASES)('paying on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = (bank?: ModelBank) => new Scene(open.database, bank).open()

  test('a batch is paid, each payout once, and the books say so', async () => {
    const scene = await newScene()
    const requests = Array.from({ length: 30 }, () => aRequest({ batch: 'payday', amount: 100n }))
    await scene.payouts.requestMany(requests)
    await scene.payouts.approveBatch('payday')
    const other = await scene.approved({ batch: 'other' })
    const progress: PayoutProgress[] = []
    const end = await scene.payouts.payBatch({
      concurrency: 7,
      batch: 'payday',
      onProgress: each => progress.push(each),
    })
    expect(end).toEqual({ success: 30, failed: 0, unknown: 0, stuck: [] })
    expect(progress.map(each => each.success)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    expect(new Set(scene.bank.sends).size).toBe(30)
    expect(scene.bank.payments).toHaveLength(30)
    expect(await scene.status(other.id)).toBe('approved')
    expect(await scene.balance('seller:1')).toEqual([FUNDS - 3_000n, 1_000n])
    expect(await scene.balance('clearing:bank')).toEqual([3_000n, 0n])
  })

  test('the bank is told what was asked for, and its reference is kept', async () => {
    const scene = await newScene()
    const { id } = await scene.approved({ amount: 1_234n, payeeName: 'Zoë', destination: 'acct_7' })
    await scene.payouts.payBatch(ONE)
    expect(scene.bank.payments).toEqual([
      { payout: id, amount: 1_234n, asset: 'EUR/2', payeeName: 'Zoë', destination: 'acct_7' },
    ])
    expect(await scene.payout(id)).toMatchObject({ status: 'success', reference: 'bank-1' })
    expect(await scene.payouts.attempts(id)).toMatchObject([
      { number: 1, answer: 'paid', reference: 'bank-1' },
    ])
  })

  test('before the bank is called the attempt is committed, and no transaction is open', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    const seen: unknown[] = []
    scene.bank.beforeSend = async () => {
      // Inside a transaction this would wait for itself on PGlite, and see nothing on Postgres.
      const sql = 'select answer from "money_out".payout_attempt where book = $1 and payout = $2'
      seen.push(...(await open.database.query(sql, [scene.book, id])).rows)
    }
    await scene.payouts.payBatch(ONE)
    expect(seen).toEqual([{ answer: null }])
  })

  test('what is not approved is not paid', async () => {
    const scene = await newScene()
    await scene.pending()
    await scene.payouts.payBatch(ONE)
    expect(scene.bank.sends).toEqual([])
  })

  test('the hold is taken before anything is paid', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    scene.bank.beforeSend = async () => {
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
    }
    await scene.payouts.payBatch(ONE)
    expect(scene.bank.paid(id)).toBe(1)
  })

  test('a refused payout fails, and its money is back', async () => {
    const scene = await newScene()
    scene.bank.behave = () => 'refuse'
    const { id } = await scene.approved()
    expect(await scene.payouts.payBatch(ONE)).toMatchObject({ failed: 1 })
    expect(await scene.payout(id)).toMatchObject({ status: 'failed', reason: 'account closed' })
    expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
    await scene.payouts.payBatch(ONE)
    await scene.payouts.resolve(ONE)
    expect(scene.bank.sends).toEqual([id])
  })

  test('two workers on the same batch at once pay each payout once', async () => {
    const scene = await newScene()
    const requests = Array.from({ length: 40 }, () => aRequest({ batch: 'payday', amount: 100n }))
    await scene.payouts.requestMany(requests)
    await scene.payouts.approveBatch('payday')
    const workers = [scene.worker(), scene.worker(), scene.worker()]
    const ends = await Promise.all(workers.map(each => each.payBatch({ concurrency: 5 })))
    expect(ends.reduce((sum, each) => sum + each.success, 0)).toBe(40)
    expect(scene.bank.sends).toHaveLength(40)
    expect(scene.bank.payments).toHaveLength(40)
  })

  describe('an answer that proves nothing', () => {
    test.each(['lose-before', 'lose-after', 'pay-later'] as const)(
      '(%s) makes the payout unknown, and the hold stays',
      async behaviour => {
        const scene = await newScene()
        scene.bank.behave = () => behaviour
        const { id } = await scene.approved()
        expect(await scene.payouts.payBatch(ONE)).toMatchObject({ unknown: 1 })
        expect(await scene.status(id)).toBe('unknown')
        expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
        await scene.payouts.payBatch(ONE)
        expect(scene.bank.sends, 'nobody pays again to find out').toEqual([id])
      },
    )

    test('an adapter that throws is no different', async () => {
      const scene = await newScene()
      scene.bank.beforeSend = () => Promise.reject(new Error('socket\0hang up'))
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      expect(await scene.payout(id)).toMatchObject({
        status: 'unknown',
        reason: 'Error: socket?hang up',
      })
    })

    test('was paid: the bank says so, and nothing is sent again', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-after'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(await scene.payout(id)).toMatchObject({ status: 'success', reference: 'bank-1' })
      expect(scene.bank.sends).toEqual([id])
      expect(await scene.balance('clearing:bank')).toEqual([1_000n, 0n])
    })

    test('was not found: asked about first, then sent again under the same id', async () => {
      const scene = await newScene()
      scene.bank.behave = (_, send) => (send === 1 ? 'lose-before' : 'pay')
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      scene.bank.beforeSend = () => {
        expect(scene.bank.questions).toEqual([id])
        return Promise.resolve()
      }
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(scene.bank.sends).toEqual([id, id])
      expect(scene.bank.paid(id)).toBe(1)
      expect(await scene.payouts.attempts(id)).toMatchObject([
        { number: 1, answer: 'unknown' },
        { number: 2, answer: 'paid' },
      ])
    })

    test('is still being worked on behind a not found: paid once in the end', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'pay-later-unseen'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
      scene.bank.payLater()
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(scene.bank.paid(id)).toBe(1)
    })

    test('is worked on: it waits, however long', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'pay-later'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      await scene.passTime(90_000_000)
      const coverage = () => '2999-01-01T00:00:00.000Z'
      expect(await scene.payouts.resolve({ ...ONE, coverage })).toMatchObject({ unknown: 1 })
      expect(await scene.payout(id)).toMatchObject({ reason: 'the gateway is working on it' })
      expect(scene.bank.sends).toEqual([id])
    })

    test('is a refusal by status: the money is back', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-before'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      scene.bank.statusInstead = () => ({ answer: 'refused', reason: 'limit' })
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ failed: 1 })
      expect(await scene.payout(id)).toMatchObject({ status: 'failed', reason: 'limit' })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
    })

    test('paid and partly returned already: reversed, both in the books', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-after'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      scene.bank.statusInstead = () => ({ answer: 'paid', reference: 'r', returned: 400n })
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(await scene.payout(id)).toMatchObject({ status: 'reversed', returned: 400n })
      expect(await scene.balance('seller:1')).toEqual([FUNDS - 600n, 0n])
      expect(await scene.balance('clearing:bank')).toEqual([600n, 0n])
    })

    test('a status that throws says nothing', async () => {
      const scene = await newScene()
      scene.bank.behave = () => 'lose-before'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      scene.bank.beforeStatus = () => Promise.reject(new Error('down'))
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1, stuck: [] })
      expect(await scene.payout(id)).toMatchObject({ status: 'unknown', reason: 'Error: down' })
    })
  })

  describe('a bank without idempotency keys', () => {
    const unsure = async () => {
      const scene = await newScene(new ModelBank({ idempotency: false }))
      scene.bank.behave = () => 'lose-before'
      const { id } = await scene.approved()
      await scene.payouts.payBatch(ONE)
      return { scene, id }
    }

    test('is never sent the same payout twice', async () => {
      const { scene, id } = await unsure()
      for (let run = 0; run < 3; run += 1) {
        await scene.passTime(LEASE_MS)
        expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
      }
      expect(scene.bank.sends).toEqual([id])
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
    })

    test('gets a payout released once it is final and final statements do not show it', async () => {
      const { scene, id } = await unsure()
      let covered = '2000-01-01T00:00:00.000Z'
      const coverage = () => covered
      await scene.payouts.resolve({ ...ONE, coverage })
      expect(await scene.status(id), 'not final').toBe('unknown')
      await scene.passTime(3_600_000)
      await scene.payouts.resolve({ ...ONE, coverage })
      expect(await scene.status(id), 'not covered').toBe('unknown')
      covered = new Date().toISOString()
      scene.bank.statusInstead = () => ({ answer: 'processing' })
      await scene.payouts.resolve({ ...ONE, coverage })
      expect(await scene.status(id), 'found after all').toBe('unknown')
      scene.bank.statusInstead = () => null
      expect(await scene.payouts.resolve({ ...ONE, coverage })).toMatchObject({ failed: 1 })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
      await scene.payouts.resolve(ONE)
      await scene.payouts.payBatch(ONE)
      expect(scene.bank.sends).toEqual([id])
    })

    test('still gets a payout that was claimed and certainly not sent', async () => {
      const scene = await newScene(new ModelBank({ idempotency: false }))
      const { id } = await scene.approved()
      const dying = replacing(scene.repository, {
        startAttempt: () => Promise.reject(new Error('killed')),
      })
      await scene.worker({ repository: dying }).payBatch(ONE)
      await scene.passTime(LEASE_MS)
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(scene.bank.sends).toEqual([id])
    })
  })

  test('keys that the bank may have forgotten are not used again', async () => {
    const scene = await newScene(new ModelBank({ keyRetentionMs: 3_600_000 }))
    scene.bank.behave = () => 'lose-before'
    const { id } = await scene.approved()
    await scene.payouts.payBatch(ONE)
    await scene.passTime(3_600_000)
    expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
    expect(scene.bank.sends).toEqual([id])
  })

  test('a payout whose gateway is not known here is left alone', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    await scene.worker({ gateways: [] }).payBatch(ONE)
    expect(await scene.status(id)).toBe('approved')
  })

  test('one payout that cannot be worked on does not stop the others', async () => {
    const scene = await newScene()
    const [one, two] = [await scene.approved(), await scene.approved()]
    // Somebody ends the hold behind our back.
    await scene.do({ do: 'release', hold: one.id })
    const end = await scene.payouts.payBatch(ONE)
    expect(end).toMatchObject({ success: 1, stuck: [{ payout: one.id }] })
    expect(end.stuck[0]?.error).toMatchObject({
      name: 'LedgerRefused',
      refusal: { code: 'HOLD_RELEASED' },
    })
    expect(await scene.status(two.id)).toBe('success')
  })

  describe('a worker that stops', () => {
    /** What a process sees that was stopped right after its attempt was committed. */
    test.each(['a process that was stopped', 'a machine that slept'] as const)(
      '%s before its call does not make it when it wakes',
      async what => {
        const scene = await newScene()
        const { id } = await scene.approved()
        let slept = false
        const asleep = replacing(scene.repository, {
          async startAttempt(...args) {
            const attempt = await scene.repository.startAttempt(...args)
            slept = true
            return attempt
          },
        })
        const hour = (ofWhat: string) => (slept && what === ofWhat ? 3_600_000 : 0)
        const timer = {
          elapsedMs: () => hour('a process that was stopped'),
          sleep: () => Promise.resolve(),
          random: () => 0,
        }
        const clock = { now: () => new Date(hour('a machine that slept')).toISOString() }
        await scene.worker({ repository: asleep, timer, clock }).payBatch(ONE)
        expect(scene.bank.sends).toEqual([])
        expect(await scene.payouts.attempts(id)).toMatchObject([{ answer: 'not-sent' }])
        expect(await scene.status(id)).toBe('unknown')
        expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
        expect(scene.bank.paid(id)).toBe(1)
      },
    )

    test('and wakes after another one has taken over commits no attempt', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      const late = replacing(scene.repository, {
        async startAttempt(...args) {
          await scene.passTime(LEASE_MS)
          await scene.payouts.resolve(ONE)
          return scene.repository.startAttempt(...args)
        },
      })
      expect(await scene.worker({ repository: late }).payBatch(ONE)).toMatchObject({ stuck: [] })
      expect(scene.bank.sends).toEqual([id])
      expect(await scene.payouts.attempts(id)).toHaveLength(1)
    })

    test('commits no attempt once its lease is over, also where nobody took over', async () => {
      const scene = await newScene()
      await scene.approved()
      const late = replacing(scene.repository, {
        async startAttempt(...args) {
          await scene.passTime(LEASE_MS)
          return scene.repository.startAttempt(...args)
        },
      })
      await scene.worker({ repository: late }).payBatch(ONE)
      expect(scene.bank.sends).toEqual([])
    })

    test('while it claims is not waited for: the payout is sent by the next', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      const dying = replacing(scene.repository, { move: () => Promise.reject(new Error('killed')) })
      await expect(scene.worker({ repository: dying }).payBatch(ONE)).rejects.toThrow('killed')
      await scene.payouts.payBatch(ONE)
      expect(await scene.status(id), 'the lease is alive').toBe('approved')
      await scene.passTime(LEASE_MS)
      await scene.payouts.payBatch(ONE)
      expect(scene.bank.sends).toEqual([id])
    })

    test('is left in peace while its lease is alive', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      scene.bank.beforeSend = async () => {
        expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 0, success: 0 })
        expect(await scene.status(id)).toBe('processing')
      }
      await scene.payouts.payBatch(ONE)
      expect(scene.bank.questions).toEqual([])
      expect(await scene.status(id)).toBe('success')
    })

    test('and answers late moves nothing, but its paid is not lost', async () => {
      const scene = await newScene(new ModelBank({ idempotency: false }))
      const { id } = await scene.approved()
      scene.bank.beforeSend = async () => {
        await scene.passTime(LEASE_MS)
        expect(await scene.payouts.resolve(ONE)).toMatchObject({ unknown: 1 })
      }
      await scene.payouts.payBatch(ONE)
      expect(await scene.status(id), 'the lease was lost').toBe('unknown')
      expect(await scene.payouts.attempts(id)).toMatchObject([{ answer: 'paid' }])
      scene.bank.statusInstead = () => ({ answer: 'unknown', reason: 'down' })
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ success: 1 })
      expect(await scene.payout(id)).toMatchObject({ status: 'success', reference: 'bank-1' })
    })

    test('and is refused late gives nothing back while the send of another one is open', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      scene.bank.behave = () => 'lose-before'
      const { name, declares } = scene.bank
      const slow = {
        name,
        declares,
        async send() {
          await scene.passTime(LEASE_MS)
          await scene.payouts.resolve(ONE)
          return { answer: 'refused', reason: 'limit' } as const
        },
        status: () => Promise.reject(new Error('it does not ask')),
      }
      await scene.worker({ gateways: [slow] }).payBatch(ONE)
      expect(await scene.payouts.attempts(id)).toMatchObject([
        { answer: 'refused' },
        { answer: 'unknown' },
      ])
      expect(await scene.status(id)).toBe('unknown')
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 1_000n])
    })

    test('between the decision to release and the ledger: it is released, and never sent again', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      scene.bank.behave = () => 'lose-before'
      await scene.payouts.payBatch(ONE)
      scene.bank.statusInstead = () => ({ answer: 'refused', reason: 'limit' })
      const ledger = { submit: () => Promise.reject(new Error('killed')) }
      await scene.worker({ ledger }).resolve(ONE)
      await scene.passTime(LEASE_MS)
      scene.bank.statusInstead = () => ({ answer: 'not-found' })
      scene.bank.behave = () => 'pay'
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ failed: 1 })
      expect(scene.bank.sends).toEqual([id])
      expect(await scene.payout(id)).toMatchObject({ status: 'failed', reason: 'limit' })
      expect(await scene.balance('seller:1')).toEqual([FUNDS, 0n])
    })

    test('after the bank refused and before the ledger: what is written down decides, without asking', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      scene.bank.behave = () => 'refuse'
      const ledger = { submit: () => Promise.reject(new Error('killed')) }
      await scene.worker({ ledger }).payBatch(ONE)
      await scene.passTime(LEASE_MS)
      expect(await scene.payouts.resolve(ONE)).toMatchObject({ failed: 1 })
      expect(scene.bank.questions).toEqual([])
      expect(await scene.status(id)).toBe('failed')
    })
  })

  test('a payout with its end decided cannot start an attempt, whoever asks', async () => {
    const scene = await newScene()
    const { id } = await scene.approved()
    scene.bank.behave = () => 'lose-before'
    await scene.payouts.payBatch(ONE)
    const { book, repository } = scene
    const filter = { statuses: ['unknown'], gateways: ['bank'], limit: 1 } as const
    const [leased] = await repository.lease(book, filter, 60_000)
    if (!leased) throw new Error('it was to be leased')
    const { token } = leased.lease
    expect(await repository.startAttempt(book, id, token - 1n, 1_000), 'an old token').toBeNull()
    await repository.markHoldEnd(book, [
      {
        id,
        from: ['unknown'],
        holdEnd: 'release',
        token,
        reason: null,
        reference: null,
        returnTotal: null,
      },
    ])
    expect(await repository.startAttempt(book, id, token, 1_000)).toBeNull()
  })
})
