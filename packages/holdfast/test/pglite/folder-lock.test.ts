import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startChild } from '#testing/child.ts'
import { freshFolder } from '#testing/pglite.ts'
import { lockFolder } from '../../src/stores/postgres/pglite/folder-lock.ts'
import { holdsDatabase, openPglite } from '../../src/stores/postgres/pglite/open-pglite.ts'

const LOCK_CHILD = new URL('./lock-child.ts', import.meta.url)
const NOBODY = 65_534

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-lock-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('the lock on a folder', () => {
  test('refuses a second process, and names the folder and the first', async () => {
    const first = startChild(LOCK_CHILD, [folder])
    await ask(first, 1)
    const holder = first.process.pid ?? 0
    await expect(openPglite(folder)).rejects.toThrow(
      new RegExp(`The folder ${folder} is in use by process ${holder} `),
    )
  })

  test('refuses a second opening in the same process', () => {
    const release = lockFolder(folder)
    expect(() => lockFolder(folder)).toThrow(`in use by process ${process.pid} `)
    release()
    lockFolder(folder)()
  })

  test('ends with the process that is killed', async () => {
    const first = startChild(LOCK_CHILD, [folder])
    expect(await ask(first, 1)).toBe('won')
    first.process.kill('SIGKILL')
    await first.ended
    const second = startChild(LOCK_CHILD, [folder])
    expect(await ask(second, 1)).toBe('won')
  })

  test('goes to one alone of all who race for the lock of a dead process', async () => {
    let racers = Array.from({ length: 10 }, () => startChild(LOCK_CHILD, [folder]))
    for (let round = 1; round <= 6; round += 1) {
      const answers = await Promise.all(racers.map(racer => ask(racer, round)))
      expect(answers.filter(answer => answer === 'won')).toHaveLength(1)
      const winner = racers[answers.indexOf('won')]
      winner?.process.kill('SIGKILL')
      await winner?.ended
      racers = racers.filter(racer => racer !== winner)
    }
  })
})

describe('a folder that holds a database', () => {
  test('is told from one that does not, also where another program has a pgdata there', async () => {
    expect(holdsDatabase(join(folder, 'none'))).toBe(false)
    mkdirSync(join(folder, 'pgdata'))
    expect(holdsDatabase(folder)).toBe(false)
    const fresh = await freshFolder()
    expect(holdsDatabase(fresh.folder)).toBe(true)
    fresh.remove()
  })
})

describe('a folder that cannot be used', () => {
  test('is named where a file stands in its way', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    await expect(openPglite(join(file, 'books'))).rejects.toThrow(
      `The folder ${join(file, 'books')} cannot be used: a part of its path is a file`,
    )
    await expect(openPglite(file)).rejects.toThrow(
      `The folder ${file} cannot be used: it is a file`,
    )
  })

  test('is named where it cannot be written', async () => {
    const closed = join(folder, 'closed')
    mkdirSync(closed, { mode: 0o500 })
    const opened = asOrdinaryUser(() => openPglite(closed))
    await expect(opened).rejects.toThrow(/The folder .*closed cannot be used: permission denied/)
  })

  test('is named where another version of Postgres made it', async () => {
    mkdirSync(join(folder, 'pgdata'))
    writeFileSync(join(folder, 'pgdata', 'PG_VERSION'), '9.4\n')
    await expect(openPglite(folder)).rejects.toThrow(`The database in ${folder} cannot be opened: `)
    lockFolder(folder)()
  })
})

/** Lets a child try for the lock, and gives its answer. */
async function ask(child: ReturnType<typeof startChild>, attempt: number): Promise<string> {
  await child.until(/ready/)
  child.process.stdin?.write(`${attempt}\n`)
  const [, answer = ''] = await child.until(new RegExp(`^${attempt} (won|lost)`, 'm'))
  return answer
}

/** Root may write everywhere: what `use` does at once is then done as nobody. */
function asOrdinaryUser<T>(use: () => T): T {
  if (process.getuid?.() !== 0) return use()
  process.seteuid?.(NOBODY)
  try {
    return use()
  } finally {
    process.seteuid?.(0)
  }
}
