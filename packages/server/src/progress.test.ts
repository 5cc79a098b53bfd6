import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { Io } from './io.ts'
import { Progress } from './progress.ts'

function recording(watchedColumns: number | null): { io: Io; shown: string[] } {
  const shown: string[] = []
  const io: Io = {
    stdin: Readable.from([]),
    print: () => Promise.resolve(),
    note: () => undefined,
    watchedColumns,
    draw: line => shown.push(line),
    clear: () => shown.push('cleared'),
  }
  return { io, shown }
}

describe('Progress', () => {
  test('draws a bar that fits the terminal, and takes it away', () => {
    const { io, shown } = recording(80)
    const progress = new Progress(io, 'Paying', 200)
    progress.reach(100)
    progress.end()
    expect(shown).toEqual([`Paying [${'#'.repeat(15)}${'.'.repeat(15)}] 100 of 200`, 'cleared'])
    const narrow = recording(10)
    new Progress(narrow.io, 'Paying', 200).reach(100)
    expect(narrow.shown[0]).toHaveLength(9)
  })

  test('draws nothing where nobody watches', () => {
    const { io, shown } = recording(null)
    new Progress(io, 'Paying', 200).reach(100)
    expect(shown).toEqual([])
  })
})
