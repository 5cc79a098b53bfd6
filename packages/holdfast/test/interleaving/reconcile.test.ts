import { describe, test } from 'vitest'
import type { Faults, Task } from '../../../interleave/src/index.ts'
import { actOnEvidence } from '../../src/reconciliation/evidence.ts'
import type {
  AcceptedStatement,
  PayoutReads,
  ReconciliationStore,
} from '../../src/reconciliation/ports.ts'
import { rounds } from '#testing/rounds.ts'
import { aRequest, cancel, idOf, pay, processOf, resolve, withdraw } from './process.ts'
import { approveOne, expectCaught, expectSafe } from './scenario.ts'
import { freshKeys } from './spoilt.ts'
import { replacing } from './timed.ts'
import { BOOK, failLoudly, ONE, type Ports, type World } from './world.ts'

const ID = idOf('one')
const RETURNED = 30n

/** Only its number and its file are ever named. */
const STATEMENT = { intake: 'file', number: 1 } as unknown as AcceptedStatement

/** What reconciliation does once the bank's line has been matched with payout `one`. */
function reconcileWith(options: Parameters<typeof processOf>[1]): Task<Ports> {
  return async view => {
    const { payouts, rows } = processOf(view, options)
    // Only these methods are called: what else the ports have is for the matching before it.
    const store = replacing({} as ReconciliationStore, {
      matchedPayouts: (...args) => view.statement.matchedPayouts(...args),
      movePaidAfterRelease: (...args) => view.statement.movePaidAfterRelease(...args),
    })
    const reads = replacing({} as PayoutReads, {
      byIds: async ids =>
        (await rows.find(BOOK, { ids })).map(({ payout, holdEnd }) => ({
          ...payout,
          released: holdEnd === 'release',
        })),
    })
    const actions = {
      resolve: async () => {
        failLoudly(await payouts.resolve(ONE))
      },
      recordPaid: (id: string) => payouts.recordPaid(id),
      paidAfterRelease: (id: string) => payouts.paidAfterRelease(id),
      recordReturn: (id: string, total: bigint) => payouts.recordReturn(id, total),
    }
    await actOnEvidence(STATEMENT, { store, reads, payouts: actions })
  }
}

const reconcile = reconcileWith({})
const webhook: Task<Ports> = view => processOf(view).payouts.recordReturn(ID, RETURNED)

/** It was sent, and the answer was lost: nobody here knows that it was paid. */
async function paidUnheard(world: World): Promise<void> {
  await approveOne(world)
  failLoudly(await world.alone().payBatch(ONE))
}

/** In a run of the suite: what leaves most behind. Otherwise all there are. */
const KINDS = rounds<Pick<Faults, 'kinds'>>({ usual: { kinds: ['crash after'] }, long: {} })

const unheard = { begin: paidUnheard, behave: () => 'lose-after' as const }

describe('the bank has paid, and its statement says so while others are at it', () => {
  test('a worker that resolves, and a second reconciliation', () =>
    expectSafe({
      ...unheard,
      tasks: [resolve, reconcile, ...rounds({ usual: [], long: [reconcile] })],
    }))

  test('the worker that pays', () =>
    expectSafe({
      begin: approveOne,
      tasks: [pay, reconcile, ...rounds({ usual: [], long: [cancel(ID)] })],
    }))

  test('the whole of the withdrawal', () =>
    expectSafe({ tasks: [withdraw(aRequest('one')), reconcile] }))

  test('a worker to whom the gateway says that it was refused', () =>
    expectSafe({
      ...unheard,
      begin: async world => {
        await paidUnheard(world)
        world.bank.statusInstead = () => ({ answer: 'refused', reason: 'limit' })
      },
      tasks: [resolve, reconcile],
      endsWith: reconcile,
    }))

  test('one fault anywhere', () =>
    expectSafe({ ...unheard, faults: { most: 1, ...KINDS }, tasks: [resolve, reconcile] }))

  test('ends its hold in two ways where that is not decided once', () =>
    expectCaught({
      ...unheard,
      without: ['hold end', 'status'],
      begin: async world => {
        await paidUnheard(world)
        world.bank.statusInstead = () => ({ answer: 'refused', reason: 'limit' })
      },
      tasks: [resolve, reconcile],
      endsWith: reconcile,
    }))
})

describe('a part came back, and the status, the statement and a webhook say so at once', () => {
  const begin = async (world: World) => {
    await paidUnheard(world)
    world.returned = RETURNED
    world.bank.statusInstead = () => ({ answer: 'paid', reference: 'bank-1', returned: RETURNED })
  }
  const isNotBack = async ({ rows }: World) => {
    const [record] = await rows.find(BOOK, { ids: [ID] })
    return record?.payout.returned !== RETURNED
  }

  const pairs: readonly (readonly Task<Ports>[])[] = [
    [resolve, webhook],
    [reconcile, webhook],
    [resolve, reconcile],
  ]
  test.each(
    rounds({ usual: pairs, long: [[resolve, reconcile, webhook]] }).map(tasks => ({ tasks })),
  )('it is brought back once, %#', ({ tasks }) =>
    expectSafe({ ...unheard, begin, tasks, endsWith: webhook, alsoWrong: isNotBack }),
  )

  test('with one fault', () =>
    expectSafe({
      ...unheard,
      begin,
      faults: { most: 1, ...KINDS },
      tasks: rounds({ usual: [resolve, webhook], long: [resolve, reconcile] }),
      endsWith: webhook,
      alsoWrong: isNotBack,
    }))

  test('it is brought back twice where the ledger gets a new key each time', () =>
    expectCaught({
      ...unheard,
      begin,
      faults: { most: 1, kinds: ['reply lost'] },
      tasks: [reconcileWith({ store: freshKeys })],
    }))
})
