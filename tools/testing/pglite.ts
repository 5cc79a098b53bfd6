import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../packages/holdfast/src/stores/postgres/database.ts'
import { openPglite } from '../../packages/holdfast/src/stores/postgres/pglite/open-pglite.ts'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/holdfast/', import.meta.url))

/** A folder of a test's own that `openPglite` opens. */
export interface FreshFolder {
  readonly folder: string
  remove(): void
}

/**
 * A folder with an empty embedded database. To make one takes PGlite many seconds, to copy one takes
 * none: so the first is kept for all later runs, until PGlite's version changes.
 */
export async function freshFolder(): Promise<FreshFolder> {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-pglite-'))
  const folder = join(root, 'books')
  cpSync(await model(), folder, { recursive: true })
  return {
    folder,
    remove: () => {
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** An empty embedded database in a folder of its own, which is removed when it is closed. */
export async function freshEmbedded(): Promise<Database> {
  const fresh = await freshFolder()
  const database = await openPglite(fresh.folder)
  return {
    kind: database.kind,
    query: (text, values) => database.query(text, values),
    transaction: run => database.transaction(run),
    exec: sql => database.exec(sql),
    async close() {
      await database.close()
      fresh.remove()
    },
  }
}

async function model(): Promise<string> {
  const kept = join(CACHE, `pglite-${pgliteVersion()}`)
  if (existsSync(kept)) return kept
  mkdirSync(CACHE, { recursive: true })
  const made = mkdtempSync(join(CACHE, 'making-'))
  const database = await openPglite(made)
  await database.close()
  try {
    renameSync(made, kept)
  } catch {
    // Another process was faster: a folder that is not empty is not replaced.
    rmSync(made, { recursive: true, force: true })
  }
  return kept
}

function pgliteVersion(): string {
  const entry = createRequire(import.meta.url).resolve('@electric-sql/pglite')
  const manifest = join(dirname(entry), '..', 'package.json')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
