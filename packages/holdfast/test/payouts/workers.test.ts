import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ModelBank } from './model-bank.ts'
import { DATABASES, FUNDS, replacing, Scene, type OpenDatabase } from './scene.ts'

const ONE = { concurrency: 1 }
/** Longer than a lease. */
const LEASE_MS = 150_000

describe.each(DATABASES)('workers on %s', (_, openDatabase) => {
  let open: OpenDatabase
  beforeAll(async () => {
    open = await openDatabase()
  })
  afterAll(() => open.close())

  const newScene = (bank?: ModelBank) => new Scene(open.database, bank).open()

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
          turn: () => Promise.resolve(),
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
      expect(scene.bank.sends).toEqual([id])
    })

    test('while it claims, and wakes after the next has claimed, sends nothing', async () => {
      const scene = await newScene()
      const { id } = await scene.approved()
      const slow = replacing(scene.repository, {
        async move(...args) {
          await scene.payouts.payBatch(ONE)
          return scene.repository.move(...args)
        },
      })
      expect(await scene.worker({ repository: slow }).payBatch(ONE)).toMatchObject({ success: 0 })
      expect(scene.bank.sends).toEqual([id])
      expect(await scene.payouts.attempts(id)).toHaveLength(1)
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
