import { describe, test } from 'vitest'
import type { Fault } from '../../../interleave/src/index.ts'
import type { Behaviour } from '../payouts/model-bank.ts'
import { rounds } from '#testing/rounds.ts'
import { aRequest, cancel, idOf, pay, resolve, sweep, withdraw } from './process.ts'
import { approveOne, expectCaught, expectSafe } from './scenario.ts'
import { checkFirst } from './spoilt.ts'
import type { World } from './world.ts'

const isNotPaidOnce = ({ bank }: World) => bank.payments.length !== 1
const one = withdraw(aRequest('one'))
const BEHAVIOURS = rounds<readonly Behaviour[]>({
  usual: ['pay', 'lose-after'],
  long: ['pay', 'refuse', 'lose-before', 'lose-after', 'pay-later'],
})
const KINDS = rounds<readonly Fault[]>({
  usual: ['reply lost', 'crash after'],
  long: ['reply lost', 'not sent', 'crash before', 'crash after', 'delivered twice'],
})

describe('two withdrawals of 80 from 100 at once', () => {
  test('one is paid', () =>
    expectSafe({ tasks: [one, withdraw(aRequest('two'))], alsoWrong: isNotPaidOnce }))

  test('both, where the balance is looked at before it is taken', () => {
    const tasks = ['one', 'two'].map(key => withdraw(aRequest(key), { store: checkFirst }))
    return expectCaught({ tasks, floor: null })
  })
})

describe('one withdrawal, and others that meddle', () => {
  test.each(BEHAVIOURS)('it is paid, cancelled and resolved, and the bank: %s', behaviour =>
    expectSafe({
      begin: approveOne,
      behave: send => (send === 1 ? behaviour : 'pay'),
      tasks: [pay, cancel(idOf('one')), resolve],
    }),
  )

  test('it is requested, approved, paid and cancelled', () =>
    expectSafe({ tasks: [one, cancel(idOf('one'))] }))

  test('it is requested, approved, paid and swept', () =>
    expectSafe({ tasks: [one, sweep, ...rounds({ usual: [], long: [cancel(idOf('one'))] })] }))

  test.each(['status', 'hold end'] as const)(
    'loses money where a cancel does not look at its %s',
    condition =>
      expectCaught({
        begin: approveOne,
        without: [condition],
        tasks: [pay, cancel(idOf('one'))],
      }),
  )
})

describe('with one fault anywhere', () => {
  const faults = { most: 1, kinds: KINDS }

  test('in a withdrawal and a cancel', () =>
    expectSafe({ faults, tasks: [one, cancel(idOf('one'))] }))

  test('in a withdrawal and a sweep', () => expectSafe({ faults, tasks: [one, sweep] }))

  test('in a payment, while another worker is at the same payout', () =>
    expectSafe({ faults, begin: approveOne, tasks: [pay, pay] }))
})
