import fs, {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startChild } from '#testing/child.ts'
import { freshFolder, type FreshFolder } from '#testing/pglite.ts'
import type { Database } from '../../src/stores/postgres/database.ts'
import { rounds } from '#testing/rounds.ts'
import { openPglite } from '../../src/stores/postgres/pglite/open-pglite.ts'

const COMMIT_CHILD = new URL('./commit-child.ts', import.meta.url)
const COMMITS = 20
const MIB = 1024 * 1024

let books: FreshFolder
let folder: string
let database: Database | null
const realFsync = fs.fsyncSync

beforeEach(async () => {
  books = await freshFolder()
  folder = books.folder
  database = null
})
afterEach(async () => {
  replaceFsync(realFsync)
  await database?.close()
  books.remove()
})

describe('a commit', () => {
  test('is one fsync of the log', async () => {
    database = await openPglite(folder)
    await database.exec('create table t (id bigint)')
    const synced: number[] = []
    replaceFsync(file => {
      synced.push(file)
      realFsync(file)
    })
    for (let id = 0; id < COMMITS; id += 1) await database.query('insert into t values ($1)', [id])
    expect(synced).toHaveLength(COMMITS)
  })

  test.skipIf(process.platform !== 'linux')('outlives a power cut', async () => {
    database = await openPglite(folder)
    await database.exec('create table t (id bigint)')
    cpSync(folder, disk(), { recursive: true })
    keepWhatIsSynced()
    for (let id = 0; id < COMMITS; id += 1) await database.query('insert into t values ($1)', [id])
    cutPower()
    const restarted = await openPglite(disk())
    const { rows } = await restarted.query('select count(*) as n from t')
    await restarted.close()
    expect(rows).toEqual([{ n: BigInt(COMMITS) }])
  })

  test('that cannot be synced is not answered, and stops the database until it is opened again', async () => {
    database = await openPglite(folder)
    await database.exec('create table t (id bigint); insert into t values (1)')
    replaceFsync(() => {
      throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO' })
    })
    await expect(database.query('insert into t values (2)')).rejects.toThrow('could not fsync file')
    replaceFsync(realFsync)
    await expect(database.query('select 1')).rejects.toThrow('open it again')
    await database.close()
    database = await openPglite(folder)
    const { rows } = await database.query('select id from t where id = 1')
    expect(rows).toEqual([{ id: 1n }])
  })
})

test.skipIf(process.platform !== 'linux')(
  'a new database outlives a power cut',
  async () => {
    rmSync(folder, { recursive: true })
    keepWhatIsSynced()
    database = await openPglite(folder)
    cutPower()
    const restarted = await openPglite(disk())
    expect((await restarted.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await restarted.close()
    expect(existsSync(join(disk(), 'pgdata.new'))).toBe(false)
  },
  300_000,
)

test('a checkpoint is made before the log has grown too long', async () => {
  database = await openPglite(folder)
  await database.exec('create table t (x text); alter table t alter x set storage external')
  const start = await redo(database)
  for (let mib = 0; mib < 70; mib += 1) {
    await database.query('insert into t values ($1)', ['x'.repeat(MIB)])
  }
  expect(await redo(database)).not.toBe(start)
})

describe('a process that is killed', () => {
  test('loses nothing that it had committed, and no half of a transaction', async () => {
    let committed = 0n
    for (let round = 0; round < rounds({ usual: 3, long: 100 }); round += 1) {
      const child = startChild(COMMIT_CHILD, [folder])
      const [, halves = '', last = ''] = await child.until(/found (\d+) halves to (\d+)\n/)
      expect(BigInt(last)).toBeGreaterThanOrEqual(committed)
      expect(BigInt(halves)).toBe(BigInt(last) * 2n)
      await child.until(/committed/)
      await new Promise(resolve => setTimeout(resolve, Math.random() * 100))
      child.process.kill('SIGKILL')
      const { output } = await child.ended
      committed = BigInt(/committed (\d+)\n$/.exec(output)?.[1] ?? 0)
      expect(committed).toBeGreaterThan(BigInt(last))
    }
  }, 600_000)
})

/** Puts another fsync in the place of Node's, for those too who imported it by name. */
function replaceFsync(fsync: typeof fs.fsyncSync): void {
  fs.fsyncSync = fsync
  syncBuiltinESMExports()
}

/** What a power cut leaves of the folder: each file and folder as it was at its last fsync. */
function disk(): string {
  return join(folder, '..', 'disk')
}

function keepWhatIsSynced(): void {
  replaceFsync(file => {
    realFsync(file)
    const path = readlinkSync(`/proc/self/fd/${file}`)
    const kept = join(disk(), relative(folder, path))
    if (fs.fstatSync(file).isFile()) {
      cpSync(path, kept)
      return
    }
    mkdirSync(kept, { recursive: true })
    // The folder that the new database was moved in has been synced: so the move is.
    if (existsSync(join(path, 'pgdata')) && existsSync(join(kept, 'pgdata.new'))) {
      renameSync(join(kept, 'pgdata.new'), join(kept, 'pgdata'))
    }
  })
}

/** What was never synced may be there all the same, and empty. */
function cutPower(): void {
  replaceFsync(realFsync)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const kept = join(disk(), relative(folder, entry.parentPath), entry.name)
    if (!entry.isFile() || existsSync(kept)) continue
    mkdirSync(dirname(kept), { recursive: true })
    writeFileSync(kept, '')
  }
}

/** Where a recovery would begin to read the log. */
async function redo(from: Database): Promise<unknown> {
  const { rows } = await from.query('select redo_lsn::text from pg_control_checkpoint()')
  return rows[0]?.['redo_lsn']
}
