import { expect, it } from 'vitest'
import { addMs } from '../../src/instant.ts'
import { ListNotApplied } from '../../src/ledger/store.ts'
import { close, hold, leg, open, transfer } from '../support/commands.ts'
import type { Scene } from '../support/subject.ts'

/** A list that comes after its deadline does nothing. */
export function describeDeadlines(scene: () => Scene): void {
  const list = [
    open('new'),
    transfer('t', leg('w', 'a', 1n)),
    hold('h', leg('w', 'a', 1n)),
    close('a'),
  ]

  it.each([
    ['has passed long since', -3_600_000],
    ['has just passed', 0],
  ])('leaves no trace where its deadline %s', async (_, ms) => {
    const s = await scene().given(open('w', null), open('a'))
    const deadline = addMs(await s.store.now(s.book), ms)
    const applied = s.store.apply(s.book, list, deadline)
    await expect(applied).rejects.toThrow(ListNotApplied)
    await expect(applied).rejects.toMatchObject({ reason: 'deadline' })
    const accounts = await s.store.accounts(s.book, { limit: 10 })
    expect(accounts.map(({ id, version, closed }) => [id, version, closed])).toStrictEqual([
      ['a', 0n, false],
      ['w', 0n, false],
    ])
    expect((await s.store.feed(s.book, null, 10)).movements).toStrictEqual([])
  })

  it('is carried out before its deadline', async () => {
    const s = await scene().given(open('w', null), open('a'))
    const outcomes = await s.store.apply(s.book, list, addMs(await s.store.now(s.book), 60_000))
    expect(outcomes.every(outcome => outcome.ok)).toBe(true)
  })

  it('does not answer from what is stored once the deadline has passed', async () => {
    const s = await scene().given(open('w', null), open('a'), transfer('t', leg('w', 'a', 1n)))
    const again = s.store.apply(
      s.book,
      [transfer('t', leg('w', 'a', 1n))],
      await s.store.now(s.book),
    )
    await expect(again).rejects.toMatchObject({ reason: 'deadline' })
  })
}
