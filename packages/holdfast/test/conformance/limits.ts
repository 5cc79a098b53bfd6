import { expect, it } from 'vitest'
import { hold, leg, mayOwe, open, reverse, settle, transfer } from '../support/commands.ts'
import type { Scene } from '../support/subject.ts'

/** Balances and sums up to the store's limit from zero, on both sides, and never one further. */
export function describeLimits(scene: () => Scene, balanceMax: bigint): void {
  it('carries the largest amount through transfer, hold, settle and reverse', async () => {
    const s = await scene().given(open('world', null), open('a'), open('b'))
    await s.given(
      transfer('t', leg('world', 'a', balanceMax)),
      hold('h', leg('a', 'b', balanceMax)),
    )
    expect(await s.balance('world')).toStrictEqual([-balanceMax, 0n, 1n])
    expect(await s.balance('a')).toStrictEqual([balanceMax, balanceMax, 2n])
    await s.given(settle('h', balanceMax))
    expect(await s.balance('b')).toStrictEqual([balanceMax, 0n, 1n])
    await s.given(reverse('r', 'h', balanceMax - 1n), reverse('r2', 'h'))
    await s.given(reverse('r3', 't'))
    expect(await s.balance('a')).toStrictEqual([0n, 0n, 6n])
    const [movement] = await s.store.movements(s.book, 't')
    expect(movement).toMatchObject({
      legs: [{ amount: balanceMax, atLeast: balanceMax }],
      moved: [[balanceMax]],
    })
    const [entry] = await s.store.entries(s.book, 'a', { before: 3n, limit: 1 })
    expect(entry).toMatchObject({ posted: balanceMax, held: balanceMax })
  })

  it('does not overflow on what a floor far below, or far above, leaves to give', async () => {
    const s = await scene().given(
      open('world', null),
      open('rich', -balanceMax),
      open('locked', balanceMax),
      open('sink', null),
      transfer('t', leg('world', 'rich', balanceMax)),
    )
    // It could give 2^64-2: first all that an amount can say, then the rest.
    await s.given(transfer('t1', leg('rich', 'sink', balanceMax)))
    await s.given(
      transfer('t2', leg('sink', 'world', balanceMax)),
      transfer('t3', leg('rich', 'sink', balanceMax)),
    )
    expect(await s.balance('rich')).toStrictEqual([-balanceMax, 0n, 3n])
    expect(await s.refused(transfer('t4', leg('rich', 'sink', 1n)))).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
      available: 0n,
    })
    // Below zero, and a floor at the limit: nothing to give, and no error.
    await s.given(transfer('lend', leg('sink', 'locked', balanceMax)), mayOwe(reverse('r', 'lend')))
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
      transfer('t', [leg('w1', 'x', balanceMax), leg('w2', 'y', balanceMax)]),
    )
    expect(
      (await s.moved(transfer('all', leg(['x', 'y'], 'pot', balanceMax)))).moved,
    ).toStrictEqual([[balanceMax, 0n]])
    expect((await s.moved(hold('h', leg(['x', 'y'], 'w1', balanceMax)))).moved).toStrictEqual([
      [0n, balanceMax],
    ])
  })

  it('looks at a balance after every line: what comes later does not make good', async () => {
    const s = await scene().given(
      open('w', null),
      open('full', null),
      open('other', null),
      transfer('t', leg('w', 'full', balanceMax)),
    )
    const [give, take] = [leg('full', 'other', 5n), leg('other', 'full', 5n)]
    expect(await s.refused(transfer('t1', [take, give]))).toStrictEqual({
      code: 'BALANCE_TOO_LARGE',
      account: 'full',
    })
    await s.given(transfer('t1', [give, take]))
    expect(await s.balance('full')).toStrictEqual([balanceMax, 0n, 3n])
  })

  it('counts what is held when it looks at available', async () => {
    const s = await scene().given(open('w', null), open('deep', null), open('a'))
    await s.given(hold('h', leg('deep', 'a', balanceMax)))
    expect(await s.refused(transfer('t', leg('deep', 'a', 1n)))).toStrictEqual({
      code: 'BALANCE_TOO_LARGE',
      account: 'deep',
    })
    await s.given(
      transfer('in', leg('w', 'deep', 1n)),
      transfer('t', leg('deep', 'a', 1n)),
      settle('h', balanceMax - 1n),
    )
    expect(await s.balance('deep')).toStrictEqual([-(balanceMax - 1n), 0n, 4n])
    expect(await s.balance('a')).toStrictEqual([balanceMax, 0n, 2n])
  })
}
