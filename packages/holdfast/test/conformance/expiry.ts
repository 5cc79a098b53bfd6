import { describe, expect, it } from 'vitest'
import { hold, leg, open, release, settle, transfer } from '../support/commands.ts'
import type { Scene } from '../support/subject.ts'

const BRIEFLY_MS = 3

/** Holds that expire, by the store's clock. */
export function describeExpiry(scene: () => Scene): void {
  const funded = () =>
    scene().given(
      open('world', null),
      open('a'),
      open('b'),
      transfer('in', leg('world', 'a', 100n)),
    )

  /** A hold that has expired. */
  async function expired(s: Scene, key = 'h'): Promise<void> {
    await s.given(hold(key, leg('a', 'b', 10n), { expiresInMs: BRIEFLY_MS }))
    await s.subject.passTime(BRIEFLY_MS)
  }

  it('refuses to settle a hold that has expired, and leaves it held', async () => {
    const s = await funded()
    await expired(s)
    const refusal = { code: 'HOLD_EXPIRED', key: 'h' }
    expect(await s.refused(settle('h'))).toStrictEqual(refusal)
    expect(await s.refused(settle('h', 5n))).toStrictEqual(refusal)
    expect(await s.balance('a')).toStrictEqual([100n, 10n, 2n])
    expect(await s.store.movements(s.book, 'h')).toHaveLength(1)
  })

  it('settles a hold that has not expired', async () => {
    const s = await funded()
    await s.given(hold('h', leg('a', 'b', 10n), { expiresInMs: 3_600_000 }), settle('h'))
  })

  it('releases an expired hold as any other, with ifExpired too', async () => {
    const s = await funded()
    await expired(s, 'h1')
    await expired(s, 'h2')
    await s.given(release('h1'), release('h2', { ifExpired: true, reason: 'expired' }))
    expect(await s.balance('a')).toStrictEqual([100n, 0n, 5n])
    expect(await s.store.movements(s.book, 'h2')).toMatchObject([{}, { reason: 'expired' }])
    // It has ended now: that is the answer, not the expiry.
    expect(await s.refused(settle('h1'))).toStrictEqual({ code: 'HOLD_RELEASED', key: 'h1' })
  })

  it('does not release ifExpired what has not expired or never will', async () => {
    const s = await funded()
    await s.given(
      hold('later', leg('a', 'b', 10n), { expiresInMs: 3_600_000 }),
      hold('never', leg('a', 'b', 10n)),
    )
    for (const key of ['later', 'never'])
      expect(await s.refused(release(key, { ifExpired: true }))).toStrictEqual({
        code: 'HOLD_NOT_EXPIRED',
        key,
      })
    expect(await s.balance('a')).toStrictEqual([100n, 20n, 3n])
  })

  it('lets a new hold replace one that has expired', async () => {
    const s = await funded()
    await expired(s)
    await s.given(hold('new', leg('a', 'b', 100n), { replaces: 'h' }), settle('new'))
    expect(await s.balance('b')).toStrictEqual([100n, 0n, 1n])
  })

  it('answers a repeat of what was settled in time, also afterwards', async () => {
    const s = await funded()
    await s.given(hold('h', leg('a', 'b', 10n), { expiresInMs: 30_000 }), settle('h'))
    expect(await s.one(settle('h'))).toMatchObject({ ok: true, replayed: true })
  })

  it('lists what has expired and has not ended, oldest first', async () => {
    const s = await funded()
    await expired(s, 'h1')
    await expired(s, 'h2')
    await expired(s, 'h3')
    await s.given(
      hold('later', leg('a', 'b', 1n), { expiresInMs: 3_600_000 }),
      hold('never', leg('a', 'b', 1n)),
      release('h2'),
    )
    await expired(s, 'h4')
    await s.given(hold('new', leg('a', 'b', 1n), { replaces: 'h4' }))
    expect(await s.store.expiredHolds(s.book, 10)).toStrictEqual(['h1', 'h3'])
    expect(await s.store.expiredHolds(s.book, 1)).toStrictEqual(['h1'])
    await s.given(release('h1'))
    expect(await s.store.expiredHolds(s.book, 10)).toStrictEqual(['h3'])
  })

  describe('by the millisecond', () => {
    it('has expired at recorded + expiresInMs, as its own list sees it', async () => {
      const s = await funded()
      const held = await s.moved(hold('h', leg('a', 'b', 10n), { expiresInMs: 1 }))
      await s.subject.passTime(1)
      expect(await s.refused(settle('h'))).toStrictEqual({ code: 'HOLD_EXPIRED', key: 'h' })
      const end = await s.moved(release('h', { ifExpired: true }))
      expect(Date.parse(end.recorded)).toBeGreaterThanOrEqual(Date.parse(held.recorded) + 1)
    })

    it('has not expired within the list that made it', async () => {
      const s = await funded()
      await s.given(hold('h', leg('a', 'b', 10n), { expiresInMs: 1 }), settle('h'))
    })
  })
}
