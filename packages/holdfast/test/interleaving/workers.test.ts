import { describe, test } from 'vitest'
import type { Behaviour } from '../payouts/model-bank.ts'
import { rounds } from '#testing/rounds.ts'
import { pay, payWith, resolve, takeOver } from './process.ts'
import { approveOne, expectCaught, expectSafe } from './scenario.ts'

/** A bank that would pay again whatever it is sent again. */
const NO_KEYS = { idempotency: false }
const BEHAVIOURS = rounds<readonly Behaviour[]>({
  usual: ['pay', 'lose-before'],
  long: ['pay', 'refuse', 'lose-before', 'lose-after', 'pay-later', 'pay-later-unseen'],
})
const mayStop = payWith({ timePasses: true })

describe('two workers on one payout', () => {
  test.each([true, false])(
    'pay it once, and a third resolves; the bank has keys: %s',
    idempotency =>
      expectSafe({ begin: approveOne, declares: { idempotency }, tasks: [pay, pay, resolve] }),
  )

  test('pay it twice where a row moves whoever moves it', () =>
    expectCaught({
      begin: approveOne,
      declares: NO_KEYS,
      without: ['status', 'lease token'],
      tasks: [pay, pay],
    }))
})

describe('a worker that is stopped while its lease runs out and another takes over', () => {
  test.each(BEHAVIOURS)('does no harm where the bank has keys, and: %s', behaviour =>
    expectSafe({
      begin: approveOne,
      behave: send => (send === 1 ? behaviour : 'pay'),
      tasks: [mayStop, takeOver],
    }),
  )

  test.each(BEHAVIOURS)('does no harm where the bank has no keys, and: %s', behaviour =>
    expectSafe({
      begin: approveOne,
      declares: NO_KEYS,
      behave: send => (send === 1 ? behaviour : 'pay'),
      tasks: [mayStop, takeOver],
    }),
  )

  test('does no harm where something is lost or dies besides', () =>
    expectSafe({
      begin: approveOne,
      declares: NO_KEYS,
      faults: {
        most: 1,
        kinds: rounds({
          usual: ['crash after'],
          long: ['crash after', 'crash before', 'reply lost', 'not sent'],
        }),
      },
      tasks: [mayStop, takeOver],
    }))

  test('pays what was given back where it does not look at the clock before it sends', () =>
    expectCaught({
      begin: approveOne,
      declares: NO_KEYS,
      tasks: [payWith({ timePasses: true, hearsNoTime: true }), takeOver],
    }))

  test('pays once more where nobody looks at its lease', () =>
    expectCaught({
      begin: approveOne,
      declares: NO_KEYS,
      without: ['lease token'],
      tasks: [mayStop, takeOver],
    }))
})
