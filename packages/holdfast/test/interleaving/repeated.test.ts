import { describe, test } from 'vitest'
import { ReplyLost, type Faults, type Task } from '../../../interleave/src/index.ts'
import type { PayoutResult } from '../../src/payouts/context.ts'
import { rounds } from '#testing/rounds.ts'
import { aRequest, processOf, withdraw } from './process.ts'
import { expectCaught, expectSafe } from './scenario.ts'
import { freshKeys } from './spoilt.ts'
import { failLoudly, ONE, type Ports, type World } from './world.ts'

/** Half of what there is, so that two could be paid. */
const half = (key: string, amount = 50n) => aRequest(key, { amount, batch: 'payday' })
const isPaidTwice = ({ bank }: World) => bank.payments.length > 1

/** Requests, and keeps the answer for the test to see. */
function request(amount: bigint): Task<Ports> {
  return view => processOf(view).payouts.request(half('one', amount))
}

/** A caller who does not hear an answer, and asks again: under which key, the test says. */
function persistent(secondKey: string): Task<Ports> {
  return async view => {
    const { payouts } = processOf(view)
    const again = (error: unknown): Promise<PayoutResult> => {
      if (error instanceof ReplyLost) return payouts.request(half(secondKey))
      throw error
    }
    const first = await payouts.request(half('one')).catch(again)
    if (!first.ok || first.payout.status !== 'pending') return
    await payouts.approve([first.payout.id])
    failLoudly(await payouts.payBatch(ONE))
  }
}

/** What is left is approved and paid, as on any payday. */
const payday: Task<Ports> = async view => {
  const { payouts } = processOf(view)
  failLoudly(await payouts.sweep())
  await payouts.approveBatch('payday')
  failLoudly(await payouts.payBatch(ONE))
}

describe('the same request twice at once', () => {
  test('is one payout, and paid once', () =>
    expectSafe({ tasks: [withdraw(half('one')), withdraw(half('one'))], alsoWrong: isPaidTwice }))

  test('is answered as new to one of them, and the other gets the same payout', () =>
    expectSafe({
      tasks: [request(50n), request(50n)],
      outcomesAre: ([a, b]) =>
        a?.ok === true &&
        b?.ok === true &&
        a.payout.id === b.payout.id &&
        a.replayed !== b.replayed,
    }))

  test('is refused to one of them where the amounts differ, and the field is named', () =>
    expectSafe({
      tasks: [request(50n), request(40n)],
      outcomesAre: results => {
        const refusals = results.flatMap(each => (each.ok ? [] : [each.refusal]))
        const [refusal] = refusals
        return (
          refusals.length === 1 &&
          refusal?.code === 'KEY_REUSED' &&
          refusal.fields?.join() === 'amount'
        )
      },
    }))

  test('is paid twice where a key is not taken once', () =>
    expectCaught({
      without: ['free key'],
      declares: { idempotency: false },
      tasks: [withdraw(half('one')), withdraw(half('one'))],
    }))
})

describe('a request whose answer was lost', () => {
  const faults: Faults = { most: 1, kinds: ['reply lost', 'not sent'] }

  test('is one payout under the same key, beside another caller', () =>
    expectSafe({
      faults: rounds({ usual: { most: 1, kinds: ['reply lost'] }, long: faults }),
      tasks: [persistent('one'), rounds({ usual: request(50n), long: withdraw(half('one')) })],
      alsoWrong: isPaidTwice,
      endsWith: payday,
    }))

  test('is paid twice under a new key', () =>
    expectCaught({
      faults,
      tasks: [persistent('two')],
      alsoWrong: isPaidTwice,
      endsWith: payday,
    }))

  test('is held twice where the hold gets a new key each time', () =>
    expectCaught({ faults, tasks: [withdraw(half('one'), { store: freshKeys })] }))
})
