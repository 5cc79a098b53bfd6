import { expect, it } from 'vitest'
import type { Movement } from '../../src/ledger/movement.ts'
import { hold, leg, open, release, reverse, settle, transfer } from '../support/commands.ts'
import type { Scene } from '../support/subject.ts'

const PAGES_MAX = 100

/** The movements of a book in the order in which they took effect. */
export function describeFeed(scene: () => Scene): void {
  const busy = () =>
    scene().given(
      open('w', null),
      open('a'),
      open('b'),
      transfer('t1', leg('w', 'a', 100n)),
      hold('h1', leg('a', 'b', 30n)),
      hold('h2', leg('a', 'b', 40n), { replaces: 'h1' }),
      settle('h2', 10n),
      reverse('r1', 't1', 5n),
      hold('h3', leg('b', 'a', 1n)),
      release('h3'),
    )
  const names = ['t1', 'h1', 'h1 end', 'h2', 'h2 end', 'r1', 'h3', 'h3 end']

  it('gives every movement once, in the order of the list, as it is kept', async () => {
    const s = await busy()
    const { movements } = await s.store.feed(s.book, null, 100)
    expect(movements.map(nameOf)).toStrictEqual(names)
    for (const movement of movements)
      expect(await s.store.movements(s.book, movement.key)).toContainEqual(movement)
  })

  it.each([1, 2, 3, 4, 7, 8, 9])('gives the same in pages of %i', async limit => {
    const s = await busy()
    const { read, cursor } = await readAll(s, null, limit)
    expect(read.map(nameOf)).toStrictEqual(names)
    expect((await readAll(s, cursor, limit)).read).toStrictEqual([])
  })

  it('goes on from any cursor with what came meanwhile, nothing missed and nothing twice', async () => {
    const s = await busy()
    const read: Movement[] = []
    let cursor: string | null = null
    for (let page = 0; page < 12; page += 1) {
      const { movements, next } = await s.store.feed(s.book, cursor, 2)
      read.push(...movements)
      cursor = next
      if (page % 2 === 0) await s.given(transfer(`more-${page}`, leg('w', 'b', 1n)))
    }
    const rest = await readAll(s, cursor, 3)
    const more = [0, 2, 4, 6, 8, 10].map(page => `more-${page}`)
    expect([...read, ...rest.read].map(nameOf)).toStrictEqual([...names, ...more])
  })

  it('can be read again from an old cursor', async () => {
    const s = await busy()
    const { next } = await s.store.feed(s.book, null, 3)
    const first = await readAll(s, next, 2)
    expect(first.read.map(nameOf)).toStrictEqual(names.slice(3))
    expect((await readAll(s, next, 100)).read).toStrictEqual(first.read)
  })

  it('holds nothing of a replay, of a refusal, or of another book', async () => {
    const [s, other] = [await busy(), await busy()]
    const { cursor } = await readAll(s, null, 100)
    await s.send(transfer('t1', leg('w', 'a', 100n)), transfer('x', leg('b', 'a', 1000n)))
    await other.given(transfer('t9', leg('w', 'a', 1n)))
    expect((await readAll(s, cursor, 100)).read).toStrictEqual([])
  })
}

/** All that lies behind a cursor, and the cursor at the end. */
async function readAll(
  s: Scene,
  after: string | null,
  limit: number,
): Promise<{ read: Movement[]; cursor: string }> {
  const read: Movement[] = []
  let cursor = after
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const { movements, next } = await s.store.feed(s.book, cursor, limit)
    read.push(...movements)
    cursor = next
    if (movements.length === 0) return { read, cursor }
  }
  throw new Error(`the feed did not end within ${PAGES_MAX} pages`)
}

function nameOf(movement: Movement): string {
  return movement.part === 1 ? `${movement.key} end` : movement.key
}
