import { describe, expect, it } from 'vitest'
import { ManualClock, ManualTimer } from '../../test/support/clock.ts'
import { close, hold, leg, open, settle, transfer } from '../../test/support/commands.ts'
import { ScriptedStore } from '../../test/support/scripted-store.ts'
import type { Command } from './command.ts'
import { Ledger, LedgerBusy, LIST_COMMANDS_MAX, WAITING_COMMANDS_MAX } from './ledger.ts'
import { PAGE_MAX } from './limits.ts'

function scripted(): { store: ScriptedStore; ledger: Ledger; clock: ManualClock } {
  const clock = new ManualClock()
  const store = new ScriptedStore(clock)
  return {
    store,
    clock,
    ledger: new Ledger({ store, book: 'book', timer: new ManualTimer(clock) }),
  }
}

const fund = (index: number) => transfer(`t${index}`, leg('w', 'a', 1n))

describe('group commit', () => {
  it('sends the calls of the same tick in one list, in the order of the calls', async () => {
    const { store, ledger } = scripted()
    const commands: Command[] = [open('w', null), open('a'), fund(1), fund(2), close('a')]
    const outcomes = await Promise.all(commands.map(command => ledger.submit(command)))
    expect(outcomes.every(outcome => outcome.ok)).toBe(true)
    expect(store.sent).toStrictEqual([commands])
  })

  it('gathers what comes while a list is under way, and on its answer, into the next one', async () => {
    const { store, ledger } = scripted()
    const first = ledger.submit(open('w', null))
    await Promise.resolve()
    const later = [ledger.submit(open('a')), ledger.submit(fund(1))]
    await first
    later.push(ledger.submit(fund(2)))
    await Promise.all(later)
    expect(store.sent).toStrictEqual([[open('w', null)], [open('a'), fund(1), fund(2)]])
  })

  it('sends one list at a time', async () => {
    const { store, ledger } = scripted()
    let underWay = 0
    let most = 0
    const apply = store.apply.bind(store)
    store.apply = async (...list) => {
      underWay += 1
      most = Math.max(most, underWay)
      await new Promise(resolve => setTimeout(resolve, 1))
      const outcomes = await apply(...list)
      underWay -= 1
      return outcomes
    }
    await ledger.apply([open('w', null), open('a')])
    const calls: Promise<unknown>[] = []
    for (let index = 0; index < 20; index += 1) {
      calls.push(ledger.submit(fund(index)))
      if (index % 3 === 0) await new Promise(resolve => setTimeout(resolve, 1))
    }
    await Promise.all(calls)
    expect(most).toBe(1)
  })

  it('has the next list on its way, where it is full, before the last is answered', async () => {
    const { store, ledger } = scripted()
    const sentAtAnswer: number[] = []
    const calls = Array.from({ length: 3 * LIST_COMMANDS_MAX - 1 }, (_, index) =>
      ledger.submit(open(`a${index}`)).then(() => {
        if (index % LIST_COMMANDS_MAX === 0) sentAtAnswer.push(store.sent.length)
      }),
    )
    await Promise.all(calls)
    // The last list is not full.
    expect(sentAtAnswer).toStrictEqual([2, 2, 3])
  })

  it('puts at most so many commands into a list', async () => {
    const { store, ledger } = scripted()
    const commands = Array.from({ length: 2 * LIST_COMMANDS_MAX + 1 }, (_, index) =>
      open(`a${index}`),
    )
    await ledger.apply(commands)
    expect(store.sent.map(list => list.length)).toStrictEqual([
      LIST_COMMANDS_MAX,
      LIST_COMMANDS_MAX,
      1,
    ])
    expect(store.sent.flat()).toStrictEqual(commands)
  })

  it('lets a call that is made after a reply see its effect', async () => {
    const { ledger } = scripted()
    await ledger.apply([open('w', null), open('a'), fund(1), hold('h', leg('a', 'w', 1n))])
    expect(await ledger.account('a')).toMatchObject({ posted: 1n, held: 1n })
    expect(await ledger.submit(settle('h'))).toMatchObject({ ok: true, replayed: false })
    expect(await ledger.account('a')).toMatchObject({ posted: 0n, held: 0n })
  })

  it('gives each caller its own outcome', async () => {
    const { ledger } = scripted()
    await ledger.apply([open('w', null), open('a'), open('b')])
    const [funded, refused, replayed] = await Promise.all([
      ledger.submit(fund(1)),
      ledger.submit(transfer('t', leg('b', 'a', 1n))),
      ledger.submit(fund(1)),
    ])
    expect(funded).toMatchObject({ ok: true, replayed: false })
    expect(refused).toMatchObject({ ok: false, refusal: { code: 'INSUFFICIENT_FUNDS' } })
    expect(replayed).toMatchObject({ ok: true, replayed: true })
  })

  it('answers an empty list without the store', async () => {
    const { store, ledger } = scripted()
    expect(await ledger.apply([])).toStrictEqual([])
    expect(store.sent).toStrictEqual([])
  })
})

describe('what is no call at all', () => {
  it.each([[{}], [null], [undefined], ['open'], [{ do: 'steal' }], [{ do: 'toString' }]])(
    'throws a TypeError for %j, and does nothing',
    async value => {
      const { store, ledger } = scripted()
      const bad = value as unknown as Command
      await expect(ledger.submit(bad)).rejects.toThrow(TypeError)
      await expect(ledger.apply([open('a'), bad])).rejects.toThrow(TypeError)
      expect(store.sent).toStrictEqual([])
      expect(await ledger.account('a')).toBeNull()
    },
  )

  it('refuses what is only ill-formed as a value', async () => {
    const { ledger } = scripted()
    const [outcome] = await ledger.apply([transfer('', leg('a', 'b', 1n))])
    expect(outcome).toMatchObject({ ok: false, refusal: { code: 'INVALID_KEY', field: 'key' } })
  })

  it.each(['', 'a b', 'x'.repeat(129), 'ü'])('throws a RangeError for the book %j', book => {
    const store = new ScriptedStore(new ManualClock())
    expect(() => new Ledger({ store, book })).toThrow(RangeError)
  })

  it.each([0, -1, 1.5, NaN, PAGE_MAX + 1])('throws a RangeError for a page of %j', async limit => {
    const { ledger } = scripted()
    const reads = [
      () => ledger.accounts({ limit }),
      () => ledger.entries('a', { limit }),
      () => ledger.feed(null, limit),
      () => ledger.releaseExpired(limit),
    ]
    for (const read of reads) await expect((async () => read())()).rejects.toThrow(RangeError)
  })

  it('throws where too many would wait, and goes on as if they had not come', async () => {
    const { ledger } = scripted()
    const many = ledger.apply(Array.from({ length: WAITING_COMMANDS_MAX }, () => open('a')))
    await expect(ledger.submit(open('b'))).rejects.toThrow(LedgerBusy)
    expect(await many).toHaveLength(WAITING_COMMANDS_MAX)
    expect(await ledger.submit(open('c'))).toMatchObject({ ok: true })
    expect(await ledger.account('b')).toBeNull()
  })

  it('throws another error for so many at once that no wait helps', async () => {
    const { store, ledger } = scripted()
    const many = Array.from({ length: WAITING_COMMANDS_MAX + 1 }, () => open('a'))
    await expect(ledger.apply(many)).rejects.toThrow(RangeError)
    expect(store.sent).toStrictEqual([])
  })
})

describe('a store that is away', () => {
  it('fails the calls, and takes later ones when it is back', async () => {
    const { store, ledger } = scripted()
    store.down = true
    const calls = [ledger.submit(open('a')), ledger.apply([open('b'), open('c')])]
    for (const call of calls) await expect(call).rejects.toThrow(Error)
    store.down = false
    expect(await ledger.submit(open('a'))).toStrictEqual({ ok: true, replayed: false })
    expect(store.sent).toStrictEqual([[open('a')]])
  })

  it('fails only the calls of the list that it could not take', async () => {
    const { store, ledger } = scripted()
    await ledger.apply([open('w', null), open('a')])
    store.down = true
    const lost = ledger.submit(fund(1)).catch((error: unknown) => {
      store.down = false
      return error
    })
    const [error] = await Promise.all([lost])
    expect(error).toBeInstanceOf(Error)
    expect(await ledger.submit(fund(2))).toMatchObject({ ok: true })
  })
})

describe('releaseExpired', () => {
  it('releases what has expired and says how many that were', async () => {
    const { ledger, clock } = scripted()
    await ledger.apply([
      open('w', null),
      open('a'),
      ...['h1', 'h2', 'h3'].map(key => hold(key, leg('w', 'a', 1n), { expiresInMs: 1_000 })),
      hold('later', leg('w', 'a', 1n), { expiresInMs: 5_000 }),
      settle('h3'),
    ])
    expect(await ledger.releaseExpired()).toBe(0)
    clock.pass(1_000)
    expect(await ledger.releaseExpired(1)).toBe(1)
    expect(await ledger.releaseExpired()).toBe(1)
    expect(await ledger.releaseExpired()).toBe(0)
    expect(await ledger.movements('h2')).toMatchObject([{}, { kind: 'release', reason: 'expired' }])
    expect(await ledger.account('w')).toMatchObject({ posted: -1n, held: 1n })
  })
})
