import { expect, it } from 'vitest'
import { hold, leg, MAX, mayOwe, open, reverse, settle, transfer } from '../support/commands.ts'
import type { Scene } from '../support/subject.ts'

/** Balances and sums up to 2^63-1 from zero, on both sides, and never one further. */
export function describeLimits(scene: () => Scene): void {
  it('carries the largest amount through transfer, hold, settle and reverse', async () => {
    const s = await scene().given(open('world', null), open('a'), open('b'))
    await s.given(transfer('t', leg('world', 'a', MAX)), hold('h', leg('a', 'b', MAX)))
    expect(await s.balance('world')).toStrictEqual([-MAX, 0n, 1n])
    expect(await s.balance('a')).toStrictEqual([MAX, MAX, 2n])
    await s.given(settle('h', MAX))
    expect(await s.balance('b')).toStrictEqual([MAX, 0n, 1n])
    await s.given(reverse('r', 'h', MAX - 1n), reverse('r2', 'h'))
    await s.given(reverse('r3', 't'))
    expect(await s.balance('a')).toStrictEqual([0n, 0n, 6n])
    const [movement] = await s.store.movements(s.book, 't')
    expect(movement).toMatchObject({ legs: [{ amount: MAX, atLeast: MAX }], moved: [[MAX]] })
    const [entry] = await s.store.entries(s.book, 'a', { before: 3n, limit: 1 })
    expect(entry).toMatchObject({ posted: MAX, held: MAX })
  })

  it('does not overflow on what a floor far below, or far above, leaves to give', async () => {
    const s = await scene().given(
      open('world', null),
      open('rich', -MAX),
      open('locked', MAX),
      open('sink', null),
      transfer('t', leg('world', 'rich', MAX)),
    )
    // It could give 2^64-2: first all that an amount can say, then the rest.
    await s.given(transfer('t1', leg('rich', 'sink', MAX)))
    await s.given(
      transfer('t2', leg('sink', 'world', MAX)),
      transfer('t3', leg('rich', 'sink', MAX)),
    )
    expect(await s.balance('rich')).toStrictEqual([-MAX, 0n, 3n])
    expect(await s.refused(transfer('t4', leg('rich', 'sink', 1n)))).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      available: 0n,
    })
    // Below zero, and a floor of 2^63-1: nothing to give, and no error.
    await s.given(transfer('lend', leg('sink', 'locked', MAX)), mayOwe(reverse('r', 'lend')))
    expect(await s.refused(transfer('t5', leg('locked', 'sink', 1n)))).toMatchObject({
      available: 0n,
    })
  })

  it('adds sources up to one amount without overflow', async () => {
    const s = await scene().given(
      open('w1', null),
      open('w2', null),
      open('x'),
      open('y'),
      open('pot', null),
      transfer('t', [leg('w1', 'x', MAX), leg('w2', 'y', MAX)]),
    )
    expect((await s.moved(transfer('all', leg(['x', 'y'], 'pot', MAX)))).moved).toStrictEqual([
      [MAX, 0n],
    ])
    expect((await s.moved(hold('h', leg(['x', 'y'], 'w1', MAX)))).moved).toStrictEqual([[0n, MAX]])
  })

  it('looks at a balance after every line: what comes later does not make good', async () => {
    const s = await scene().given(
      open('w', null),
      open('full', null),
      open('other', null),
      transfer('t', leg('w', 'full', MAX)),
    )
    const [give, take] = [leg('full', 'other', 5n), leg('other', 'full', 5n)]
    expect(await s.refused(transfer('t1', [take, give]))).toStrictEqual({
      code: 'BALANCE_TOO_LARGE',
      account: 'full',
    })
    await s.given(transfer('t1', [give, take]))
    expect(await s.balance('full')).toStrictEqual([MAX, 0n, 3n])
  })

  it('counts what is held when it looks at available', async () => {
    const s = await scene().given(open('w', null), open('deep', null), open('a'))
    await s.given(hold('h', leg('deep', 'a', MAX)))
    expect(await s.refused(transfer('t', leg('deep', 'a', 1n)))).toStrictEqual({
      code: 'BALANCE_TOO_LARGE',
      account: 'deep',
    })
    await s.given(
      transfer('in', leg('w', 'deep', 1n)),
      transfer('t', leg('deep', 'a', 1n)),
      settle('h', MAX - 1n),
    )
    expect(await s.balance('deep')).toStrictEqual([-(MAX - 1n), 0n, 4n])
    expect(await s.balance('a')).toStrictEqual([MAX, 0n, 2n])
  })
}
