import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { BankEvent } from './event.ts'
import { Journal, openJournal } from './journal.ts'
import type { JournalFile } from './journal.ts'

const at = '2026-11-30T09:00:00.000Z'
const account = { iban: 'X', owner: 'X', currency: 'EUR', scale: 2, opening: '0', fee: '0' }
const opened: BankEvent = { event: 'opened', at, account }
const sent = (id: string): BankEvent => ({ event: 'received', at, id, fault: null })

/** A file whose syncs end when the test says so. */
function heldFile(): JournalFile & { calls: string[]; release: () => void } {
  const calls: string[] = []
  const waiting: (() => void)[] = []
  let size = 0
  return {
    calls,
    release: () => waiting.shift()?.(),
    stat: () => Promise.resolve({ size }),
    appendFile: text => {
      size += Buffer.byteLength(text)
      calls.push(`append ${text.split('\n').length - 1}`)
      return Promise.resolve()
    },
    datasync: () => {
      calls.push('sync')
      return new Promise(resolve => waiting.push(resolve))
    },
    close: () => Promise.resolve(),
  }
}

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'simulated-bank-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'bank.jsonl')
}

/** Long enough for everything to happen that does not wait for a disk. */
const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 20))

test('nothing is durable before the sync that follows it, and waiting events go together', async () => {
  const file = heldFile()
  const journal = new Journal(file, 0)
  const durable: string[] = []
  const follow = (name: string): void => void journal.durable().then(() => durable.push(name))

  journal.append(sent('A'))
  follow('A')
  await settled()
  for (const id of ['B', 'C', 'D']) journal.append(sent(id))
  follow('D')
  await settled()
  expect([durable, file.calls]).toEqual([[], ['append 1', 'sync']])

  file.release()
  await settled()
  expect([durable, file.calls]).toEqual([['A'], ['append 1', 'sync', 'append 3', 'sync']])

  file.release()
  await settled()
  expect(durable).toEqual(['A', 'D'])
})

test('after a failed write nothing is durable any more', async () => {
  const file = heldFile()
  const full = new Error('disk full')
  const journal = new Journal({ ...file, appendFile: () => Promise.reject(full) }, 0)
  journal.append(sent('A'))
  await expect(journal.durable()).rejects.toBe(full)
  journal.append(sent('B'))
  await expect(journal.durable()).rejects.toBe(full)
})

test('events come back in order, and a half-written end is dropped for good', async () => {
  const path = await newPath()
  const first = await openJournal(path)
  expect(first.events).toEqual([])
  for (const event of [opened, sent('A'), sent('Zoë')]) first.journal.append(event)
  await first.journal.durable()
  await first.journal.close()

  const whole = await readFile(path)
  const next = Buffer.from(JSON.stringify(sent('Zoë')))
  for (const cut of [1, 10, 25, next.indexOf(0xc3) + 1, next.length]) {
    await writeFile(path, Buffer.concat([whole, next.subarray(0, cut)]))
    const { journal, events } = await openJournal(path)
    await journal.close()
    expect(events).toEqual([opened, sent('A'), sent('Zoë')])
    expect(await readFile(path)).toEqual(whole)
  }
})

test('a file that no bank wrote is refused and left as it is', async () => {
  const path = await newPath()
  const good = `${JSON.stringify(opened)}\n`
  const cases = ['my notes', '{}\n', '{"event":"opened"\n', `${JSON.stringify(sent('A'))}\n`]
  for (const text of [...cases, good + good, `${good}{}\n`, `${good}my notes`, `${good}\n`]) {
    await writeFile(path, text)
    await expect(openJournal(path)).rejects.toMatchObject({ code: 'FILE_DAMAGED' })
    expect(await readFile(path, 'utf8')).toBe(text)
  }
})

test('a second writer on the file is noticed before anything is added to it', async () => {
  const path = await newPath()
  const { journal } = await openJournal(path)
  onTestFinished(() => journal.close())
  journal.append(opened)
  await journal.durable()
  await appendFile(path, `${JSON.stringify(sent('A'))}\n`)
  journal.append(sent('B'))
  await expect(journal.durable()).rejects.toThrow('Another process writes')
  expect(await readFile(path, 'utf8')).not.toContain('"B"')
})
