import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Book, Command } from '../../src/ledger/command.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { LIST_DEADLINE_MS, OutcomeUnknown } from '../../src/ledger/list-sender.ts'
import type { Store } from '../../src/ledger/store.ts'
import { close, hold, leg, open, release, reverse, settle, transfer } from '../support/commands.ts'
import { newBook } from '../support/subject.ts'
import { until } from '../support/waiting.ts'
import type { Cut, Proxy } from '../support/tcp-proxy.ts'

/** A server that is reached through a proxy and past it. */
export interface Reached {
  readonly proxy: Proxy
  readonly through: Store
  readonly past: Store
  readonly close: () => Promise<void>
}

/** A book of some money, on a server of its own proxy. */
interface Prepared {
  readonly proxy: Proxy

  /** Through the proxy. */
  readonly ledger: Ledger
  /** Past it. */
  readonly elsewhere: Ledger
  /** Its store, past the proxy. */
  readonly past: Store
  readonly book: Book
}

async function prepared({ proxy, through, past }: Reached): Promise<Prepared> {
  const book = newBook()
  const ledger = new Ledger({ store: through, book })
  const elsewhere = new Ledger({ store: past, book })
  const outcomes = await elsewhere.apply([
    open('w', null),
    open('a'),
    open('b'),
    transfer('in', leg('w', 'a', 100n)),
    hold('old', leg('a', 'b', 10n)),
    hold('other', leg('a', 'b', 10n)),
  ])
  expect(outcomes.every(outcome => outcome.ok)).toBe(true)
  return { proxy, ledger, elsewhere, past, book }
}

const everyKind: [kind: string, command: Command, posted: bigint, held: bigint][] = [
  ['open', open('new'), 100n, 20n],
  ['close', close('a'), 100n, 20n],
  ['transfer', transfer('k', leg('a', 'b', 30n)), 70n, 20n],
  ['hold', hold('k', leg('a', 'b', 30n)), 100n, 50n],
  ['hold that replaces', hold('k', leg('a', 'b', 30n), { replaces: 'old' }), 100n, 40n],
  ['settle', settle('old', 4n), 96n, 10n],
  ['release', release('old', { reason: 'gone' }), 100n, 10n],
  ['reverse', reverse('k', 'in', 5n), 95n, 20n],
]

/**
 * Connections that break at every moment of a list; `messagesBeforeLast`: of the shortest answer.
 */
export function describeLostReplies(
  reach: () => Promise<Reached>,
  messagesBeforeLast: number,
): void {
  let reached: Reached
  beforeAll(async () => {
    reached = await reach()
  })
  afterAll(() => reached.close())
  const scene = () => prepared(reached)
  describeEveryKind(scene, messagesBeforeLast)
  describeBreaks(scene)
  describeStuckLists(scene)
}

function describeEveryKind(scene: () => Promise<Prepared>, messagesBeforeLast: number): void {
  describe.each(everyKind)('%s', (_, command, posted, held) => {
    const cuts: [when: string, cut: Cut, replayed: boolean][] = [
      ['before the server sees it', { what: 'request' }, false],
      ...Array.from(
        { length: messagesBeforeLast + 1 },
        (__, afterMessages): [string, Cut, boolean] => [
          `after ${afterMessages} messages of the reply`,
          { what: 'reply', afterMessages },
          true,
        ],
      ),
    ]

    it.each(cuts)(
      'is carried out once where the connection breaks %s',
      async (__, cut, replayed) => {
        const { proxy, ledger, elsewhere } = await scene()
        proxy.cuts.push(cut)
        const before = proxy.watched()
        const outcome = await ledger.submit(command)
        expect(proxy.watched() - before).toBe(2)
        expect(outcome).toMatchObject({ ok: true, replayed })
        const account = await elsewhere.account('a')
        expect(account).toMatchObject({ posted, held })
        expect(await elsewhere.submit(command)).toStrictEqual({ ...outcome, replayed: true })
        expect(await elsewhere.account('a')).toStrictEqual(account)
      },
    )
  })
}

function describeBreaks(scene: () => Promise<Prepared>): void {
  it('carries out a list once whose connection breaks twice', async () => {
    const { proxy, ledger, elsewhere } = await scene()
    const commands = Array.from({ length: 50 }, (_, index) =>
      transfer(`t${index}`, leg('a', 'b', 1n)),
    )
    proxy.cuts.push({ what: 'request' }, { what: 'reply', afterMessages: 4 })
    const outcomes = await ledger.apply(commands)
    expect(outcomes.every(outcome => outcome.ok && outcome.replayed)).toBe(true)
    expect(await elsewhere.account('b')).toMatchObject({ posted: 50n, version: 50n })
  })

  it('throws OutcomeUnknown where no answer can be had; the same command again answers it', async () => {
    const { proxy, ledger, elsewhere } = await scene()
    const command = transfer('k', leg('a', 'b', 30n))
    const before = proxy.watched()
    proxy.cuts.push({ what: 'reply', afterMessages: 0 })
    const answer = ledger.submit(command)
    await until(() => proxy.watched() > before)
    proxy.setDown(true)
    await expect(answer).rejects.toThrow(OutcomeUnknown)
    proxy.setDown(false)
    expect(await ledger.submit(command)).toMatchObject({ ok: true })
    expect(await elsewhere.account('b')).toMatchObject({ posted: 30n, version: 1n })
  })

  it('fails while the database is away, and works when it is back', async () => {
    const { proxy, ledger, elsewhere } = await scene()
    await ledger.submit(transfer('t1', leg('a', 'b', 1n)))
    proxy.setDown(true)
    const calls = [
      ledger.submit(transfer('t2', leg('a', 'b', 1n))),
      ledger.submit(transfer('t3', leg('a', 'b', 1n))),
    ]
    for (const call of calls) await expect(call).rejects.toThrow(Error)
    await expect(ledger.account('a')).rejects.toThrow(Error)
    proxy.setDown(false)
    expect(await ledger.submit(transfer('t4', leg('a', 'b', 1n)))).toMatchObject({ ok: true })
    const { movements } = await elsewhere.feed(null)
    expect(movements.map(movement => movement.key)).toStrictEqual([
      'in',
      'old',
      'other',
      't1',
      't4',
    ])
  })
}

function describeStuckLists(scene: () => Promise<Prepared>): void {
  describe('a list that is stuck on its way', () => {
    const pay = transfer('pay', leg('b', 'a', 10n))

    it('and arrives before its deadline is the answer, whatever a re-send was told', async () => {
      const { proxy, ledger, elsewhere } = await scene()
      const before = proxy.answered()
      proxy.cuts.push({ what: 'stuck' })
      const answer = ledger.submit(pay)
      // The re-send is refused: there is no money yet.
      await until(() => proxy.answered() > before)
      await elsewhere.submit(transfer('fund', leg('w', 'b', 10n)))
      await proxy.letGo()
      expect(await answer).toMatchObject({ ok: true, replayed: true, movement: { key: 'pay' } })
      expect(await elsewhere.account('b')).toMatchObject({ posted: 0n, version: 2n })
    })

    it('and arrives after its deadline does nothing: the refusal stays true', async () => {
      const { proxy, ledger, elsewhere, past, book } = await scene()
      proxy.cuts.push({ what: 'stuck' })
      const sentAt = Date.parse(await past.now(book))
      expect(await ledger.submit(pay)).toMatchObject({ refusal: { code: 'INSUFFICIENT_FUNDS' } })
      const answeredAt = Date.parse(await past.now(book))
      // The server's clock, not how fast this machine is: nothing earlier could have been certain.
      expect(answeredAt - sentAt).toBeGreaterThan(LIST_DEADLINE_MS / 2)
      await elsewhere.submit(transfer('fund', leg('w', 'b', 10n)))
      await proxy.letGo()
      expect(await elsewhere.movements('pay')).toStrictEqual([])
      expect(await elsewhere.account('b')).toMatchObject({ posted: 10n, version: 1n })
    })
  })
}
