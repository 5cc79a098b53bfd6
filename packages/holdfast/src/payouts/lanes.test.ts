import { expect, test } from 'vitest'
import { inLanes, inPieces } from './lanes.ts'

// eslint-disable-next-line @typescript-eslint/require-await -- a source that need not wait
async function* numbers(count: number): AsyncGenerator<number, void> {
  for (let number = 1; number <= count; number += 1) yield number
}

test('every item is worked on once, at most so many at the same moment', async () => {
  const done: number[] = []
  let working = 0
  let most = 0
  await inLanes(numbers(20), 3, async item => {
    working += 1
    most = Math.max(most, working)
    await new Promise(resolve => setTimeout(resolve, 1))
    working -= 1
    done.push(item)
  })
  expect(done.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  )
  expect(most).toBe(3)
})

test('after an error no new item is begun, and what has begun is finished', async () => {
  const finished: number[] = []
  const running = inLanes(numbers(20), 2, async item => {
    await new Promise(resolve => setTimeout(resolve, item))
    if (item === 1) throw new Error('the first')
    finished.push(item)
  })
  await expect(running).rejects.toThrow('the first')
  expect(finished).toEqual([2])
})

test.each([0, -1, 1.5, 1_001, Number.NaN])('a concurrency of %s is refused', async concurrency => {
  await expect(inLanes(numbers(1), concurrency, () => Promise.resolve())).rejects.toThrow(
    RangeError,
  )
})

test('a list is cut into pieces without losing an item', () => {
  expect(inPieces([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]])
  expect(inPieces([], 2)).toEqual([])
})
